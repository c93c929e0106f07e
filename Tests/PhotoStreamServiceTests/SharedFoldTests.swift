import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

/// Queries about a layout of a stream that is written to share folds, and no answer is older than its query.
@Suite struct SharedFoldTests {
    private let gallery: Gallery
    private let stream = Gallery.stream
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 61)
        gallery = try Gallery()
        try gallery.insert(5_000, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[0])
    }

    @Test func `a waiting query gets its own error, and a cancelled one ends immediately`() async throws {
        let (service, stream, key) = (gallery.service, stream, key)
        let fold = HeldWork(service, stream, key)
        let unknown = onThread {
            try service.read { try $0.layout(key, of: stream).locate(PhotoID(stored: "unknown")) }
        }
        let outside = onThread { try service.read { try $0.layout(key, of: stream).item(at: 5_000) } }
        let cancelled = onThread { try service.read { try $0.layout(key, of: stream).summary() } }
        while service.work.awaitedFoldCount < 3 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // The fold goes on for those that wait, though the question that began it was cancelled.
        fold.task.cancel()
        fold.release()
        await #expect(throws: StreamServiceError.unknownPhoto("unknown", stream: "gallery")) {
            try await unknown.value
        }
        await #expect(throws: StreamServiceError.indexOutOfRange(index: 5_000, count: 5_000)) {
            try await outside.value
        }
        #expect(service.work.resolvedLayoutCount == 1)
        _ = try? await fold.task.value
    }

    @Test func `no answer is older than its query while photos are inserted constantly`() async throws {
        let (service, stream, key) = (gallery.service, stream, key)
        let fromEnd = try LayoutKey(SampleLayouts.configurations[3])
        let isOver = Mutex(false)
        let writer = Writer(path: gallery.temporary.path)
        let rect = Rect(x: 0, y: 0, width: 1_203, height: 900)
        let page = try service.read { try $0.layout(key, of: stream).page(limit: 10) }
        let cursor = try #require(page.nextCursor)
        let writing = onThread {
            while !isOver.withLock({ $0 }) { try writer.writeSome() }
        }
        let askers = (0..<8).map { number in
            onThread {
                for turn in 0..<12 {
                    let before = writer.committed
                    let revision: Revision
                    switch (number + turn) % 4 {
                    case 0:
                        let answer = try service.read { try $0.layout(key, of: stream).summary() }
                        #expect(Int64(answer.count) == answer.context.revision.rawValue)
                        revision = answer.context.revision
                    case 1:
                        revision = try service.read { try $0.layout(key, of: stream).rect(.first(in: rect)) }.context
                            .revision
                    case 2:
                        revision = try service.read { try $0.layout(of: stream, after: cursor).page(.after(cursor)) }
                            .context.revision
                    default: revision = try service.read { try $0.layout(fromEnd, of: stream).page() }.context.revision
                    }
                    #expect(revision.rawValue >= before)
                }
            }
        }
        for asker in askers { try await asker.value }
        isOver.withLock { $0 = true }
        try await writing.value
        #expect(try gallery.anotherService().verifyDerived().differences == [])
    }
}

/// Adds photos through a separate connection: the stream's revision is its photo count.
private final class Writer: Sendable {
    private let path: String
    private let state = Mutex<Int64>(0)

    init(path: String) { self.path = path }

    /// The revision that was committed last.
    var committed: Int64 { state.withLock { $0 } }

    func writeSome() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [
            "-cmd", ".timeout 5000", path,
            """
            INSERT INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
            SELECT 1, 'new ' || hex(randomblob(12)), 300, 200, abs(random()) % 100000, 5 FROM n;
            SELECT max(revision) FROM change;
            """,
        ]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let revision = Int64(String(decoding: data, as: UTF8.self).dropLast()) ?? 0
        state.withLock { $0 = max($0, revision) }
    }
}
