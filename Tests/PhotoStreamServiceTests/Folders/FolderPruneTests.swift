import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

/// Files that are gone: the state of their photos, and the removal of photos after a time.
@Suite struct FolderPruneTests {
    private let folder: TextFolder
    /// Opens the file of ``folder`` with a clock that the test sets.
    private let service: PhotoStreamService
    private let clock = Clock()

    private final class Clock: Sendable {
        let now = Mutex<Int64>(1_000_000)
    }

    init() throws {
        folder = try TextFolder()
        let clock = self.clock
        service = try PhotoStreamService(
            path: folder.temporary.path, access: .readWrite, primary: folder.temporary.primary
        ) { clock.now.withLock { $0 } }
    }

    private func watching() throws -> FolderWatching {
        try FolderWatching(
            [folder.path("a")], of: TextFolder.stream, options: FolderImport.Options(), reading: folder.pictures,
            of: service, logger: Logger(label: "test"))
    }

    /// Imports the folder at a time.
    private func importFolder(at time: Int64) async throws {
        clock.now.withLock { $0 = time }
        let run = try FolderImport(
            [folder.path("a")], into: TextFolder.stream, reading: folder.pictures, of: service)
        _ = try await run.run()
    }

    /// Removes photos of files that have been gone since a time.
    private func prune(vanishedBefore time: Int64) async throws -> FolderProgress {
        try #require(await watching().prune(vanishedBefore: time).values.first)
    }

    private func write(_ names: [String]) throws {
        for (number, name) in names.enumerated() { try folder.write(name, "P 4 \(number + 3)", seconds: number + 1) }
    }

    private func isVanished(_ id: String) throws -> Bool {
        try service.read { try $0.fileState(of: PhotoID(stored: id), in: TextFolder.stream).isVanished }
    }

    @Test func `a file that is gone is a state of its photo until it is there again`() async throws {
        try write(["a.jpg", "b.jpg"])
        try await importFolder(at: 1_000)
        let before = try service.read { try $0.pictureRevision(of: TextFolder.stream) }
        #expect(try !isVanished("a.jpg"))
        try FileManager.default.moveItem(atPath: folder.path("a/a.jpg"), toPath: folder.path("away.jpg"))
        try await importFolder(at: 10_000)
        #expect(try isVanished("a.jpg") && !isVanished("b.jpg"))
        let listed = try service.read { try $0.photos(of: TextFolder.stream) }
        #expect(zip(listed.photos, listed.fileStates.map(\.isVanished)).filter(\.1).map(\.0.id.rawValue) == ["a.jpg"])
        let some = try service.read { try $0.photos(withIDs: [PhotoID(stored: "a.jpg")], of: TextFolder.stream) }
        #expect(some.fileStates.map(\.isVanished) == [true])
        // Answers that show it have another validator.
        let gone = try service.read { try $0.pictureRevision(of: TextFolder.stream) }
        #expect(gone != before)
        try FileManager.default.moveItem(atPath: folder.path("away.jpg"), toPath: folder.path("a/a.jpg"))
        try await importFolder(at: 20_000)
        #expect(try !isVanished("a.jpg"))
        let service = self.service
        #expect(try await eventually { try service.read { try $0.pictureRevision(of: TextFolder.stream) } != gone })
    }

    @Test func `photos are removed once their files have been gone for the time, and come back with them`() async throws
    {
        try write((0..<8).map { "\($0).jpg" })
        try await importFolder(at: 1_000)
        try folder.edit("1.jpg", caption: "Person")
        try FileManager.default.moveItem(atPath: folder.path("a/1.jpg"), toPath: folder.path("1.jpg"))
        try await importFolder(at: 2_000)
        try folder.remove("2.jpg")
        // The time counts from the first import that found it, not from the last one.
        try await importFolder(at: 3_000)
        #expect(try await prune(vanishedBefore: 1_999).folders.pruned == 0)
        let first = try await prune(vanishedBefore: 2_000)
        #expect(first.folders.pruned == 1 && first.notices.map(\.id?.rawValue) == ["1.jpg"])
        #expect(try await prune(vanishedBefore: 2_999).folders.pruned == 0)
        #expect(try await prune(vanishedBefore: 3_000).folders.pruned == 1)
        #expect(try folder.ids().count == 6)
        let deleted = try service.read { try $0.deletedPhotos(of: TextFolder.stream, after: nil, limit: 10) }
        #expect(Set(deleted.photos.map(\.photo.id.rawValue)) == ["1.jpg", "2.jpg"])
        try FileManager.default.moveItem(atPath: folder.path("1.jpg"), toPath: folder.path("a/1.jpg"))
        try await importFolder(at: 4_000)
        #expect(try folder.photo("1.jpg")?.caption == "Person")
    }

    @Test func `a file that an earlier version found gone is given the whole time`() async throws {
        try write((0..<8).map { "\($0).jpg" })
        try await importFolder(at: 1_000)
        try folder.remove("1.jpg")
        try await importFolder(at: 2_000)
        let shell = try SQLiteShell(database: folder.temporary.path)
        #expect(try shell.ask("UPDATE pictureFile SET reason = NULL WHERE state = 3; SELECT changes()") == "1\n")
        try shell.close()
        #expect(try await prune(vanishedBefore: 9_000).folders.pruned == 0)
        try await importFolder(at: 5_000)
        #expect(try await prune(vanishedBefore: 4_999).folders.pruned == 0)
        #expect(try await prune(vanishedBefore: 5_000).folders.pruned == 1)
    }

    @Test func `nothing is removed if a disk is more likely to be missing`() async throws {
        try write((0..<5).map { "nas/\($0).jpg" } + (0..<9).map { "local/\($0).jpg" })
        try await importFolder(at: 1_000)
        try folder.remove("nas")
        try folder.remove("local/0.jpg")
        try await importFolder(at: 2_000)
        let found = try await prune(vanishedBefore: 5_000)
        #expect(found.folders.pruned == 1 && found.folders.held == 5)
        #expect(found.notices.filter { $0.kind == .held }.map(\.path) == [folder.path("a/nas")])
        // A root that cannot be opened at all.
        try FileManager.default.moveItem(atPath: folder.path("a"), toPath: folder.path("gone"))
        let all = try FolderWatching(allOf: service, reading: folder.pictures, logger: Logger(label: "test"))
        #expect(all.count == 1)
        #expect(await all.prune(vanishedBefore: 9_000).isEmpty)
        #expect(try folder.ids().count == 13)
    }

    @Test func `half of a root is the most that is removed`() async throws {
        try write((0..<8).map { "\($0).jpg" })
        try await importFolder(at: 1_000)
        for number in 0..<5 { try folder.remove("\(number).jpg") }
        try await importFolder(at: 2_000)
        let held = try await prune(vanishedBefore: 3_000)
        #expect(held.folders.pruned == 0 && held.folders.held == 5)
        #expect(held.notices.map(\.kind) == [.held] && held.notices[0].path == folder.path("a"))
        try folder.write("0.jpg", "P 4 3", seconds: 1)
        try await importFolder(at: 3_000)
        #expect(try await prune(vanishedBefore: 3_000).folders.pruned == 4)
    }
}
