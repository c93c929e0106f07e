import Foundation
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

/// Imports that a program starts on its main actor.
@MainActor @Suite struct ImportThreadTests {
    /// Counts the writes of imports, and those during which the main actor did no other work.
    private final class Writes: Sendable {
        let counts = Mutex((all: 0, thatBlock: 0))

        @Sendable func note() {
            let hasWorked = DispatchSemaphore(value: 0)
            Task { @MainActor in hasWorked.signal() }
            let isBlocked = hasWorked.wait(timeout: .now() + 20) == .timedOut
            counts.withLock { $0 = ($0.all + 1, $0.thatBlock + (isBlocked ? 1 : 0)) }
        }
    }

    @Test(.withoutPrimary) func `an import of records reports to the main actor without blocking it`() async throws {
        let temporary = try TemporaryDatabase()
        let source = temporary.folder + "/photos.jsonl"
        try (0..<100).map { "{\"id\":\"p\($0)\"}" }.joined(separator: "\n")
            .write(toFile: source, atomically: false, encoding: .utf8)
        let service = try PhotoStreamService(path: temporary.path, access: .readWrite) { 1_000 }
        let writes = Writes()
        let watch = try service.database.watchCommits(writes.note)
        var reported = 0
        let totals = try await PhotoImport([source], into: StreamName("holidays"), of: service).run { progress in
            MainActor.preconditionIsolated()
            reported = progress.totals.read
        }
        #expect(totals.inserted == 100 && reported == 100)
        writes.counts.withLock { #expect($0.all > 0 && $0.thatBlock == 0) }
        withExtendedLifetime(watch) {}
    }

    @Test(.withoutPrimary) func `an import of folders reports to the main actor without blocking it`() async throws {
        let folder = try TextFolder()
        for number in 0..<20 { try folder.write("\(number).jpg", "P 30 20", seconds: 1) }
        let writes = Writes()
        let watch = try folder.service.database.watchCommits(writes.note)
        var reported = 0
        let progress = try await FolderImport(
            [folder.path("a")], into: TextFolder.stream, reading: folder.pictures, of: folder.service
        ).run { progress in
            MainActor.preconditionIsolated()
            reported = progress.doneCount
        }
        #expect(progress.totals.inserted == 20 && reported == 20)
        writes.counts.withLock { #expect($0.all > 0 && $0.thatBlock == 0) }
        withExtendedLifetime(watch) {}
    }

    @Test(.withoutPrimary) func `an error thrown by the observer ends an import`() async throws {
        struct Stop: Error {}
        let temporary = try TemporaryDatabase()
        let source = temporary.folder + "/photos.jsonl"
        try "{\"id\":\"a\"}".write(toFile: source, atomically: false, encoding: .utf8)
        let service = try PhotoStreamService(path: temporary.path, access: .readWrite) { 1_000 }
        await #expect(throws: Stop.self) {
            try await PhotoImport([source], into: StreamName("holidays"), of: service).run { _ in throw Stop() }
        }
    }
}
