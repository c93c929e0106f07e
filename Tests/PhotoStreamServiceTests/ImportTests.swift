import Foundation
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

@Suite struct ImportTests {
    private let temporary: TemporaryDatabase
    private let stream = StreamName(stored: "imported")

    init() throws {
        temporary = try TemporaryDatabase()
    }

    @Test func `every record has exactly one outcome, and a second run finds all unchanged`() async throws {
        let lines = """
            {"id":"a","width":30,"height":20,"caption":"one"}
            {"id":"b","width":0,"height":20}
            {"id":"a","width":99,"height":20}
            {"id":"c"}
            {"width":1,"height":1}
            {"id":"d","width":"8.5","height":"11","takenAt":"never"}
            """
        let service = try open()
        var warnings: [ImportField: Int] = [:]
        let first = try await run(lines, service) { warnings = $0.warningCounts }
        #expect(first.read == 6 && first.inserted == 3 && first.duplicate == 1 && first.rejected == 2)
        #expect(first.assumed == 1)
        #expect(warnings == [.takenAt: 1])
        let revision = try service.read { try $0.stream(stream) }.revision
        let second = try await run(lines, service)
        #expect(second.unchanged == 3 && second.duplicate == 1 && second.rejected == 2 && second.updated == 0)
        #expect(
            try service.read { try $0.stream(stream) }.revision == revision, "an import without news writes nothing")
        #expect(
            try service.read { try $0.photo(PhotoID("a"), of: stream) }.pixelSize.width == 30, "the first of two wins")
        #expect(try service.read { try $0.photo(PhotoID("d"), of: stream) }.metricsSource == .ratio)
        let remembered = try service.read { try $0.stream(stream) }.imports
        #expect(remembered.map(\.counts) == [second, first])
        #expect(remembered.last?.failures.map(\.line) == [2, 5])
    }

    @Test(.withoutPrimary) func `a dry run has the counts of a run and changes nothing`() async throws {
        let lines = """
            {"id":"a","width":30,"height":20}
            {"id":"b","width":30,"height":20}
            {"id":"a","width":30,"height":20}
            {"id":"c","width":-1,"height":20}
            """
        let reader = try RecordReader(paths: [try write(lines)], options: ImportOptions())
        let rehearsed = try await PhotoImport(reader, into: stream, sources: [], of: nil).run { _ in }
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
        let service = try open()
        #expect(try await run(lines, service) == rehearsed)
        let changed = lines.replacingOccurrences(of: "\"b\",\"width\":30", with: "\"b\",\"width\":31")
        let revision = try service.read { try $0.stream(stream) }.revision
        let again = try RecordReader(paths: [try write(changed)], options: ImportOptions())
        let totals = try await PhotoImport(again, into: stream, sources: [], of: service, isDryRun: true).run { _ in }
        #expect(totals.unchanged == 1 && totals.updated == 1 && totals.duplicate == 1 && totals.rejected == 1)
        #expect(try service.read { try $0.stream(stream) }.revision == revision)
    }

    @Test(.withoutPrimary)
    func `a text that is too long is ignored, also in a dry run, and a longer one in the file remains`()
        async throws
    {
        let service = try open()
        let long = String(repeating: "x", count: 65_537)
        _ = try await run(#"{"id":"a","caption":"short"}"#, service)
        let lines = """
            {"id":"a","caption":"\(long)","alt":"one"}
            {"id":"b","caption":"two\\u0000"}
            """
        var warned: [[ImportField: Int]] = []
        let reader = try RecordReader(paths: [try write(lines)], options: ImportOptions())
        let rehearsed = try await PhotoImport(reader, into: stream, sources: [], of: service, isDryRun: true).run {
            warned.append($0.warningCounts)
        }
        #expect(rehearsed.updated == 1 && rehearsed.inserted == 1)
        #expect(try await run(lines, service) { warned.append($0.warningCounts) } == rehearsed)
        #expect(Set(warned) == [[.text(.caption): 2]])
        #expect(try service.read { try $0.photo(PhotoID("a"), of: stream) }.caption == "short")
        #expect(try service.read { try $0.photo(PhotoID("a"), of: stream) }.alt == "one")
        #expect(try service.read { try $0.photo(PhotoID("b"), of: stream) }.caption == nil)
        // A shell, or an earlier version, may have stored a longer one.
        try shell("UPDATE photo SET caption = '\(long)' WHERE externalId = 'a'")
        #expect(try await run(#"{"id":"a","alt":"two"}"#, service).updated == 1)
        #expect(try service.read { try $0.photo(PhotoID("a"), of: stream) }.caption == long)
        var edit = PhotoRecord(id: try PhotoID("a"))
        edit.alt = .set(String(repeating: "x", count: 4_097))
        #expect(throws: ModelError("the alternative text has 4097 bytes, more than 4096")) {
            try service.edit(edit, in: stream)
        }
        #expect(throws: ModelError("the alternative text has 4097 bytes, more than 4096")) {
            try service.put(edit, in: stream)
        }
    }

    @Test func `a failed import leaves no stream of its own`() async throws {
        let service = try open()
        for (lines, isKept) in [("{\"id\":\"\"}\n[]", false), ("{\"id\":\"a\"}\n[]", true)] {
            let totals = try await run(lines, service)
            #expect(totals.rejected > 0)
            #expect(try service.read { try $0.streams() }.map(\.name) == (isKept ? [stream] : []))
        }
        let other = StreamName(stored: "other")
        let paths = [try write("{\"id\":\"a\"}\n"), try write("{\"id\":\"b\"}\n")]
        let reader = try RecordReader(paths: paths, options: ImportOptions())
        try FileManager.default.removeItem(atPath: paths[1])
        await #expect(throws: ImportError.self) {
            try await PhotoImport(reader, into: other, sources: [], of: service).run { _ in }
        }
        #expect(
            try service.read { try $0.photos(of: other, limit: 9) }.photos.map(\.id.rawValue) == ["a"],
            "what was read is kept")
        let third = StreamName(stored: "third")
        struct Stop: Error {}
        let again = try RecordReader(paths: [paths[0]], options: ImportOptions())
        await #expect(throws: Stop.self) {
            try await PhotoImport(again, into: third, sources: [], of: service).run { _ in throw Stop() }
        }
        #expect(try service.read { try $0.streams() }.map(\.name).contains(third), "its photo is in the file")
    }

    @Test func `a cancelled task ends the import after a batch`() async throws {
        let service = try open()
        let lines = (0..<200_000).map { "{\"id\":\"p\($0)\",\"width\":300,\"height\":200}" }
        let path = try write(lines.joined(separator: "\n"))
        let stream = stream
        let task = Task {
            let reader = try RecordReader(paths: [path], options: ImportOptions())
            return try await PhotoImport(reader, into: stream, sources: [], of: service).run { _ in
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        let count = try service.read { try $0.stream(stream) }.count
        #expect(count > 0 && count < 200_000)
    }

    @Test func `an import updates the chunks`() async throws {
        let lines = (0..<5_000).map { "{\"id\":\"p\($0)\",\"width\":\(300 + $0 % 7),\"height\":200}" }
        let service = try open()
        _ = try await run(lines.joined(separator: "\n"), service)
        let verified = try service.verifyDerived()
        #expect(verified.chunkCount == 5 && verified.differences.isEmpty)
    }

    @Test func `an import fails if its file is deleted meanwhile`() async throws {
        let lines = (0..<40_000).map { "{\"id\":\"p\($0)\",\"width\":300,\"height\":200}" }.joined(separator: "\n")
        let service = try open()
        let reader = try RecordReader(paths: [try write(lines)], options: ImportOptions())
        await #expect {
            _ = try await PhotoImport(reader, into: stream, sources: ["a"], of: service).run { _ in
                try? FileManager.default.removeItem(atPath: temporary.path)
            }
        } throws: { error in
            guard let error = error as? StorageError else { return false }
            return error.code == .moved && error.message.contains("was moved, deleted or replaced")
        }
    }

    @Test func `an import finds an export unchanged`() async throws {
        let service = try open()
        let sample = RealData.packageRoot().appending(path: "SampleData/photos.jsonl")
        let reader = try RecordReader(paths: [sample.path(percentEncoded: false)], options: ImportOptions())
        let first = try await PhotoImport(reader, into: stream, sources: [], of: service).run { _ in }
        #expect(first.inserted == 120)
        let exported = try service.read { try $0.photos(of: stream, limit: 1_000) }.photos.map { photo in
            var writer = JSONWriter()
            writer.value(photo)
            return writer.text
        }
        let second = try await run(exported.joined(separator: "\n"), service)
        #expect(second.unchanged == 120 && second.read == 120)
    }

    @Test(.enabled(if: RealData.isAvailable()), arguments: RealCollection.all)
    func `a real collection is imported completely and laid out like the reference`(
        collection: RealCollection
    ) async throws {
        let service = try open()
        let options = try ImportOptions(mapping: FieldMapping(parsing: collection.mapping), quoting: false)
        func importOnce() async throws -> ImportTotals {
            let reader = try RecordReader(paths: [try collection.path(in: temporary.folder)], options: options)
            return try await PhotoImport(reader, into: stream, sources: [], of: service).run { _ in }
        }
        let first = try await importOnce()
        #expect(first.read == collection.count && first.inserted == collection.inserted)
        #expect(first.rejected + first.duplicate == collection.count - collection.inserted)
        let second = try await importOnce()
        #expect(second.unchanged == collection.inserted && second.updated == 0 && second.inserted == 0)
        var photos: [Photo] = []
        while photos.count < first.inserted {
            photos += try service.read { try $0.photos(of: stream, after: photos.last?.id, limit: 1_000) }.photos
        }
        for width in [375.0, 1_200, 2_560] {
            for columns in [2, 4, 7] {
                for choice in MasonryParameters.ColumnChoice.allCases {
                    try check(service, photos, width: width, columns: columns, choice)
                }
            }
        }
    }

    private func check(
        _ service: PhotoStreamService, _ photos: [Photo], width: Double, columns: Int,
        _ choice: MasonryParameters.ColumnChoice
    ) throws {
        let configuration = LayoutConfiguration(
            containerLength: width, displayScale: 2, interitemSpacing: 10, lineSpacing: 8, captionExtent: 40,
            algorithm: .masonry(MasonryParameters(columns: .count(columns), columnChoice: choice)))
        let naive = NaiveLayout(configuration, items: photos.map(\.metrics))
        let key = try LayoutKey(configuration)
        let everything = Rect(x: 0, y: 0, width: 1e6, height: 1e12)
        var answer = try service.read { try $0.layout(key, of: stream).rect(.first(in: everything), limit: 1_000) }
        var frames = answer.items.map(\.attributes.frame)
        while let cursor = answer.nextCursor {
            answer = try service.read { try $0.layout(key, of: stream).rect(.after(cursor), limit: 1_000) }
            frames += answer.items.map(\.attributes.frame)
        }
        #expect(difference(frames, naive.frames) == nil)
        #expect(answer.context.contentSize == naive.contentSize)
    }

    private func open() throws -> PhotoStreamService {
        try PhotoStreamService(path: temporary.path, access: .readWrite, primary: temporary.primary, now: { 5_000 })
    }

    private func shell(_ sql: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-cmd", ".timeout 5000", temporary.path, sql]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private func write(_ text: String) throws -> String {
        let path = temporary.folder + "/\(UUID().uuidString).jsonl"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private func run(
        _ lines: String, _ service: PhotoStreamService, observe: (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportTotals {
        let reader = try RecordReader(paths: [try write(lines)], options: ImportOptions())
        return try await PhotoImport(reader, into: stream, sources: ["lines"], of: service).run(observe: observe)
    }
}

/// A collection of real metadata, the options to read it, and its contents.
struct RealCollection: Sendable, CustomTestStringConvertible {
    let name: String
    let mapping: String
    let count: Int
    let inserted: Int

    var testDescription: String { name }

    static let all = [
        RealCollection(name: "bl-flickr/1894_medium.tsv", mapping: flickr, count: 7_655, inserted: 7_655),
        RealCollection(name: "bl-flickr/1876_small.tsv", mapping: flickr, count: 8_422, inserted: 8_422),
        RealCollection(
            name: "coco/captions_val2017.json", mapping: "id=id,width=width,height=height,location=coco_url",
            count: 5_000, inserted: 5_000),
        // Twelve of these have a width of 0 inches; many have no size at all.
        RealCollection(
            name: "cmoa-teenie/teenie_every20th.jsonl",
            mapping: "id=id,width=item_width,height=item_height,caption=title,takenAt=creation_date_earliest,"
                + "location=images.0.image_url", count: 2_952, inserted: 2_940),
    ]

    private static let flickr =
        "id=flickr_id,width=flickr_original_width,height=flickr_original_height,caption=title,takenAt=date,"
        + "location=flickr_original_source"

    /// The path of the records; the COCO file is one object around its list of images, so that list is written out.
    func path(in folder: String) throws -> String {
        let source = RealData.directory().appending(path: name)
        guard name.hasPrefix("coco") else { return source.path(percentEncoded: false) }
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: source)) as? [String: Any]
        let path = folder + "/coco.json"
        let images = try #require(object?["images"])
        try JSONSerialization.data(withJSONObject: images).write(to: URL(fileURLWithPath: path))
        return path
    }
}
