import Foundation
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Thousands of photos deleted, redated or imported again at once.
@Suite struct VolumeEditTests {
    private static let count = 20_000
    private let gallery: Gallery
    private let key: LayoutKey

    init() async throws {
        gallery = try Gallery()
        key = try LayoutKey(SampleLayouts.configurations[2])
        _ = try await importing(Self.records(shiftingEvery: nil))
        _ = try gallery.service.warm(Gallery.stream, layout: key)
    }

    @Test func `importing the same data again writes only the record of the import`() async throws {
        let before = try state(withRuns: false)
        let runs = try state(withRuns: true)
        let totals = try await importing(Self.records(shiftingEvery: nil))
        #expect(totals.unchanged == Self.count && totals.read == Self.count)
        let after = try state(withRuns: false)
        #expect(after == before, "\(after.prefix(200))")
        #expect(try state(withRuns: true) != runs, "the dump would show a change")
    }

    @Test func `deletions in one place leave the chunks of the others unchanged`() throws {
        let photos = try gallery.photos()
        let before = try chunks()
        let doomed = photos[8_000..<13_000].map(\.id)
        let strangers = [PhotoID(stored: "unknown"), doomed[17]]
        #expect(try gallery.service.deleteKnownPhotos(doomed + strangers, from: Gallery.stream) == strangers)
        #expect(try difference(gallery.photos(), Array(photos[..<8_000] + photos[13_000...])) == nil)
        try checkAll()
        let after = try chunks()
        // 5,000 photos are in six chunks of 1,024 at most; the rest of the outer two may be merged with a neighbour.
        #expect(Set(before).intersection(after).count >= before.count - 8)
        #expect(after.count < before.count)
    }

    @Test func `deleting every second photo leaves the expected number of chunks`() throws {
        let photos = try gallery.photos()
        let (doomed, kept) = (stride(from: 0, to: photos.count, by: 2), stride(from: 1, to: photos.count, by: 2))
        #expect(try gallery.service.deleteKnownPhotos(doomed.map { photos[$0].id }, from: Gallery.stream).isEmpty)
        #expect(try difference(gallery.photos(), kept.map { photos[$0] }) == nil)
        try checkAll()
        let counts = try gallery.shellOutput("SELECT photoCount FROM chunk").split(separator: "\n")
        let sizes = counts.compactMap { Int($0) }
        #expect(sizes.reduce(0, +) == kept.underestimatedCount && sizes.allSatisfy { (512...2_048).contains($0) })
    }

    @Test(arguments: [5, 500])
    func `photos that an import dates differently are in the right place`(every: Int) async throws {
        let totals = try await importing(Self.records(shiftingEvery: every))
        #expect(totals.updated == Self.count / every && totals.unchanged == Self.count - Self.count / every)
        let expected = try Gallery()
        _ = try await importing(Self.records(shiftingEvery: every), expected)
        #expect(try difference(gallery.photos().map(\.id), expected.photos().map(\.id)) == nil)
        try checkAll()
        let (left, right) = (
            try gallery.service.read { try $0.layout(key, of: Gallery.stream).summary() },
            try expected.service.read { try $0.layout(key, of: Gallery.stream).summary() }
        )
        #expect(left.context.contentSize == right.context.contentSize)
    }

    /// No query has run since the edit: this one repairs, and stores correct data.
    private func checkAll() throws {
        _ = try gallery.service.warm(Gallery.stream, layout: key)
        let verified = try gallery.service.verifyDerived()
        #expect(verified.differences.isEmpty && verified.placementCount == verified.chunkCount)
    }

    private func importing(_ lines: String, _ target: Gallery? = nil) async throws -> ImportTotals {
        let target = target ?? gallery
        let path = target.temporary.folder + "/records.jsonl"
        try lines.write(toFile: path, atomically: false, encoding: .utf8)
        let reader = try RecordReader(paths: [path], options: ImportOptions())
        return try await PhotoImport(reader, into: Gallery.stream, sources: [], of: target.service).run { _ in }
    }

    /// Photos of 20,000 distinct seconds in no order; every nth has another date.
    private static func records(shiftingEvery every: Int?) -> String {
        var random = SplitMix64(seed: 5)
        return (0..<count).map { number in
            let shift = every.map { number % $0 == 0 ? 7_000 : 0 } ?? 0
            let second = 1_600_000_000 + (number * 7_919 + shift) % count * 60
            return "{\"id\":\"p\(number)\",\"width\":\(random.int(in: 200...900)),\"height\":400,\"takenAt\":\(second)}"
        }.joined(separator: "\n")
    }

    /// Every row of every table, except those of statistics and, by default, import runs.
    private func state(withRuns: Bool) throws -> String {
        let tables = [
            "photo", "change", "stream", "streamIndex", "chunk", "chunkContent", "chunkAttributes", "layout",
            "layoutChunk", "layoutFrames",
        ]
        let queries = (tables + (withRuns ? ["importRun"] : [])).map { table in
            let blobs = [
                "chunkContent": "chunkId, hex(metrics), hex(rowIds)", "chunkAttributes": "chunkId, hex(attributes)",
                "layoutFrames": "chunkId, hex(frames)",
            ]
            return "SELECT \(blobs[table] ?? "*") FROM \(table)"
        }
        return try gallery.shellOutput(queries.joined(separator: ";"))
    }

    /// Id, version and first place of each chunk.
    private func chunks() throws -> [Substring] {
        try gallery.shellOutput("SELECT id, version, firstTime, firstRank FROM chunk").split(separator: "\n")
    }
}
