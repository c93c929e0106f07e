import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Chunks that are brought up to date step by step, by several readers.
@Suite struct StreamChunksTests {
    private let file: StreamFixture

    init() throws {
        file = try StreamFixture(chunkSize: ChunkSize(minimum: 2, target: 4, maximum: 8))
        // Three chunks.
        let times: [Int64] = [80, 70, 60, 50, 40, 30, 20, 10, 4, 3, 2, 1]
        try file.importing(times.map { try record($0.description, at: $0) })
        #expect(try store(chunks()).chunks.map(\.count) == [4, 4, 4])
    }

    @Test func `readers that follow the log in different steps never share a chunk name for different contents`() throws
    {
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
            try $0.deletePhotosForever(
                streamID: file.stream.id, ids: ["80", "70", "60", "50"].map { try PhotoID($0) }, now: 1)
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

    /// The contents of each chunk with an id, by the chunk's identity.
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

/// Chunks of a process that follows a log, after the log has lost changes that the file's chunks need.
@Suite struct TrimmedLogTests {
    private let temporary: TemporaryDatabase
    private let database: PhotoDatabase
    private let stream: StreamRow

    init() throws {
        temporary = try TemporaryDatabase()
        database = try PhotoDatabase(
            path: temporary.path, access: .readWrite, chunkSize: ChunkSize(minimum: 4, target: 8, maximum: 16),
            log: ChangeLog(keptRowCount: 50, slackRowCount: 5))
        stream = try database.write { try $0.createStream(named: StreamName("holiday"), now: 7) }
        try add(0..<40)
    }

    @Test func `a process that has followed the log continues when the file has discarded its chunks`() throws {
        var chunks = try #require(try database.write { try $0.store(try $0.reader.streamChunks(stream.id)) })
        for first in stride(from: 40, to: 200, by: 20) {
            try add(first..<first + 20)
            let (next, made) = try brought(chunks)
            #expect(made < next.chunks.count / 2 + 1, "\(made) of \(next.chunks.count) chunks were made")
            try check(next)
            chunks = next
        }
        #expect(chunks.generation == nil)
        // Of chunks that the file does not have all is in memory, so it may be cleared.
        try database.clearDerived()
        try check(try brought(chunks).chunks)
        #expect(try database.write { try $0.store(chunks) }?.generation != nil)
    }

    @Test func `cleared chunks are rebuilt`() throws {
        let chunks = try #require(try database.write { try $0.store(try $0.reader.streamChunks(stream.id)) })
        try add(40..<41)
        try database.clearDerived()
        let (next, made) = try brought(chunks)
        #expect(made == next.chunks.count)
        try check(next)
    }

    private func brought(_ known: StreamChunks) throws -> (chunks: StreamChunks, made: Int) {
        var made = 0
        let chunks = try database.read { try $0.streamChunks(stream.id, known: known) { _ in made += 1 } }
        return (chunks, made)
    }

    private func add(_ numbers: Range<Int>) throws {
        try database.write { writer in
            for number in numbers {
                _ = try writer.add(streamID: stream.id, record: record("p\(number)", at: Int64(number)))
            }
            try writer.trimLog()
        }
    }

    private func check(_ chunks: StreamChunks) throws {
        try database.read { reader in
            let photos = try reader.photos(streamID: stream.id, after: nil, limit: .max)
            let rowIDs = try chunks.chunks.flatMap { try reader.content(of: $0).rowIDs.ids }
            #expect(rowIDs == photos.map(\.rowID))
        }
    }
}
