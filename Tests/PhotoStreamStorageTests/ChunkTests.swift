import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Chunks that are brought up to date step by step, by several readers.
@Suite struct ChunkTests {
    private let file: StreamFixture

    init() throws {
        file = try StreamFixture(chunkSize: ChunkSize(minimum: 2, target: 4, maximum: 8))
        // Three chunks.
        let times: [Int64] = [80, 70, 60, 50, 40, 30, 20, 10, 4, 3, 2, 1]
        try file.importing(times.map { try record($0.description, at: $0) })
        #expect(try store(chunks()).chunks.map(\.count) == [4, 4, 4])
    }

    @Test func `readers that followed the log in other steps never call two contents by one name`() throws {
        let start = try chunks()
        try date("40", -1)
        try date("4", -2)
        let between = try chunks(known: start)
        try date("40", 40)
        try date("4", 4)
        try file.database.write { try $0.edit(streamID: file.stream.id, record: record("10", width: 9, height: 9)) }
        let inSteps = try contents(chunks(known: between))
        let atOnce = try contents(chunks())
        #expect(!atOnce.isEmpty)
        for (name, metrics) in atOnce {
            let isOther = inSteps[name].map { $0 != metrics } ?? false
            #expect(!isOther, "id, version and count \(name) mean two contents")
        }
    }

    @Test func `a chunk may begin where another one has begun before`() throws {
        let start = try chunks()
        try date("40", -1)
        let between = try chunks(known: start)
        try date("40", 40)
        try file.importing([try record("35", at: 35)])
        try file.database.write {
            try $0.deletePhotos(streamID: file.stream.id, ids: ["80", "70", "60", "50"].map { try PhotoID($0) })
        }
        let stored = try store(chunks(known: between))
        // An order time is four times the milliseconds, plus 2 for a time known to the day or better.
        #expect(stored.chunks.map(\.firstKey.time) == [40, 30, 4].map { 4 * $0 + 2 })
        #expect(try contents(chunks()) == contents(stored))
    }

    private func chunks(known: StreamChunks? = nil) throws -> StreamChunks {
        try file.database.read { try $0.streamChunks(file.stream.id, known: known) }
    }

    private func store(_ chunks: StreamChunks) throws -> StreamChunks {
        try #require(try file.database.write { try $0.store(chunks) })
    }

    private func date(_ id: String, _ milliseconds: Int64) throws {
        var record = PhotoRecord(id: try PhotoID(id))
        record.takenAt = .set(
            try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .millisecond))
        try file.database.write { _ = try $0.edit(streamID: file.stream.id, record: record) }
    }

    /// What layouts read of each chunk that has an id, by what it is known by.
    private func contents(_ chunks: StreamChunks) throws -> [[Int64]: PackedMetrics] {
        try file.database.read { reader in
            var contents: [[Int64]: PackedMetrics] = [:]
            for chunk in chunks.chunks {
                guard let id = chunk.id else { continue }
                contents[[id, chunk.version, Int64(chunk.count)]] = try reader.metrics(of: chunk)
            }
            return contents
        }
    }
}
