import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// A folder with a file of 200 square photos, `photo-1` to `photo-200`, for the examples of the documentation.
final class SampleService {
    let path: String
    /// The records as JSON Lines.
    let source: String
    let stream: StreamName
    /// Four cells of 100 points in a line.
    let key: LayoutKey
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "documentation-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "photos.sqlite").path
        source = folder.appending(path: "photos.jsonl").path
        stream = try StreamName("holidays")
        key = try LayoutKey(
            LayoutConfiguration(containerLength: 400, algorithm: .grid(GridParameters(columns: .count(4)))))
        try write((1...200).map { #"{"id":"photo-\#($0)","width":100,"height":100}"# }, to: source)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes another source.
    func write(_ lines: [String], to path: String) throws {
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    }

    /// Imports the photos.
    func opened() async throws -> PhotoStreamService {
        let service = try PhotoStreamService(path: path, access: .readWrite) { Int64(time(nil)) * 1_000 }
        _ = try await PhotoImport([source], into: stream, of: service).run()
        return service
    }
}
