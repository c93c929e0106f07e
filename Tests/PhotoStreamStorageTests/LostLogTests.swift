import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Chunks of a process that follows a log, which loses what the file's chunks would need.
@Suite struct LostLogTests {
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

    @Test func `who has followed the log goes on when the file has given up its chunks`() throws {
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

    @Test func `what was cleared is made anew`() throws {
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
