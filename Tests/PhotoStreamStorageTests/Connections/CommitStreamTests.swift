import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// The commits of a database as a sequence.
@Suite struct CommitStreamTests {
    /// Waits for a commit; returns `false` at the end.
    @concurrent private static func next(_ commits: AsyncStream<Void>) async -> Bool {
        for await _ in commits { return true }
        return false
    }

    @Test func `each commit ends a wait, and the sequence ends after its time`() async throws {
        let file = try TemporaryDatabase()
        let database = try file.open()
        let commits = database.commits(within: .seconds(60))
        #expect(await !Self.next(database.commits(within: .milliseconds(10))))
        // Commits that nothing has waited for are one element.
        for _ in 0..<3 { try database.writeLocally { _ in } }
        #expect(await Self.next(commits))
        let waiting = Task { await Self.next(commits) }
        try database.writeLocally { _ in }
        #expect(await waiting.value)
        let cancelled = Task { await Self.next(commits) }
        cancelled.cancel()
        #expect(await !cancelled.value)
        try database.close()
    }
}
