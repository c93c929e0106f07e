import Foundation
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import Testing

/// The library as a program uses it, by its public interface alone: an import, then questions.
@Suite struct PublicImportTests {
    @Test func `a program imports a file and requests a page`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "photos.csv").path
        let lines =
            ["id,width,height,year"] + (1...200).map { "photo-\($0),400,\(200 + $0),\(1_800 + $0)" } + ["x,0,1,1"]
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: source))

        let file = folder.appending(path: "photos.sqlite").path
        let service = try PhotoStreamService(path: file, access: .readWrite) {
            Int64(Date.now.timeIntervalSince1970 * 1_000)
        }
        let stream = try StreamName("holidays")
        let options = try ImportOptions(mapping: try FieldMapping(parsing: "takenAt=year"))
        var reasons: [String] = []
        let totals = try await PhotoImport([source], into: stream, options: options, of: service).run { progress in
            reasons += progress.rejects.map { "\($0.position.line): \($0.reason)" }
        }
        #expect(totals.read == 201 && totals.inserted == 200 && totals.rejected == 1)
        #expect(reasons.count == 1 && reasons.first?.hasPrefix("202: ") == true)

        let key = try LayoutKey(LayoutConfiguration(containerLength: 1_000))
        let (layout, page) = try service.read { session in
            (try session.layout(key, of: stream).summary(), try session.layout(key, of: stream).page(limit: 10))
        }
        #expect(layout.count == 200)
        #expect(page.items.map(\.id.rawValue) == (191...200).reversed().map { "photo-\($0)" })
        #expect(page.context.revision == layout.context.revision)
        let summary = try service.read { try $0.stream(stream) }
        #expect(summary.imports.first?.sources == [source])
        try service.close()
    }

    @Test func `the error of a file that cannot be opened or read has the reason`() async throws {
        #expect {
            _ = try PhotoStreamService(path: "/nowhere/photos.sqlite", access: .existing) { 0 }
        } throws: { error in
            (error as? StorageError)?.code == .missingFolder
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "empty-\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let service = try PhotoStreamService(path: file, access: .readWrite) { 0 }
        #expect(throws: ImportError.self) {
            _ = try PhotoImport(["/nowhere/photos.jsonl"], into: try StreamName("a"), of: service)
        }
        try service.close()
    }
}
