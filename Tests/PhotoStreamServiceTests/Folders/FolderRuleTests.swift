import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

/// Rules that leave out files, in imports and while folders are watched.
@Suite struct FolderRuleTests {
    private static let list = ".photostreamignore"
    private let folder: TextFolder

    init() throws {
        folder = try TextFolder()
    }

    @Test func `an import counts everything that it leaves out by reason`() async throws {
        for name in ["a.jpg", "b.png", "c.wmv", ".d.jpg", "@eaDir/e.jpg", "f/.nomedia", "f/g.jpg", "h.txt", "i.tmp"] {
            try folder.write(name, "P 4 3")
        }
        try folder.write("text.jpg", "no picture")
        try folder.write(Self.list, "*.png")
        for isDryRun in [true, false] {
            let folders = try await folder.run(isDryRun: isDryRun).folders
            #expect(
                folders.leftOut.files == [.video: 1, .hidden: 1, .ignoreFile: 1, .notAPicture: 2, .unfinished: 1])
            #expect(folders.leftOut.folders == [.system: 1, .nomedia: 1])
            #expect(folders.videos == 1 && folders.ignored == 3)
        }
        #expect(try folder.ids() == ["a.jpg"])
    }

    @Test(arguments: [LeftOutReason.pattern, .ignoreFile, .nomedia])
    func `known files that are left out keep their photos, even with --prune and if nothing else is there`(
        reason: LeftOutReason
    ) async throws {
        for number in 0..<6 { try folder.write("sub/\(number).jpg", "P 4 3", seconds: 1) }
        try await folder.run()
        let before = try folder.photos()
        switch reason {
        case .pattern: folder.options.exclude = ["SUB"]
        case .ignoreFile: try folder.write(Self.list, "/sub/")
        default: try folder.write("sub/.nomedia", "")
        }
        (folder.options.prunesVanished, folder.options.prunesMostOfRoot) = (true, true)
        let progress = try await folder.run()
        #expect(progress.folders.leftOut.folders == [reason: 1])
        #expect(progress.totals.read == 0 && progress.folders.vanished == 0 && progress.folders.pruned == 0)
        #expect(try folder.photos() == before)
        // A file that is really gone vanishes, although the walk does not look for it.
        folder.options.prunesVanished = false
        try folder.remove("sub/3.jpg")
        #expect(try await folder.run().folders.vanished == 1)
    }

    @Test func `an empty root is still refused`() async throws {
        try folder.write("a.jpg", "P 4 3")
        try await folder.run()
        try folder.remove("a.jpg")
        try folder.write(".DS_Store", "")
        await #expect(throws: FolderImportError.empty(folder.path("a"))) { try await folder.run() }
    }

    @Test func `a list that cannot be obeyed is reported, and its folder is left as it is`() async throws {
        try folder.write("sub/a.jpg", "P 4 3")
        try await folder.run()
        try folder.write("sub/b.jpg", "P 4 3")
        try folder.write("sub/" + Self.list, String(repeating: "x\n", count: 10_001))
        let progress = try await folder.run()
        #expect(progress.notices.map(\.path) == [folder.path("a/sub/" + Self.list)])
        #expect(
            progress.notices.map(\.reason) == ["its folder is left out, because it has more than 10,000 lines"])
        #expect(try folder.ids() == ["sub/a.jpg"] && progress.folders.vanished == 0)
    }

    private func watched(_ name: String = "a") throws -> FolderWatching {
        try FolderWatching(
            [folder.path(name)], of: TextFolder.stream, options: folder.options, reading: folder.pictures,
            of: folder.service, logger: Logger(label: "test"))
    }

    /// Watches while `body` runs.
    private func watching(_ watching: FolderWatching, _ body: () async throws -> Void) async throws {
        let task = Task { await watching.run { _ in } }
        try await body()
        task.cancel()
        await task.value
    }

    private func eventuallyHas(_ ids: String...) async throws -> Bool {
        try await folder.eventuallyHas(Set(ids), captions: [:]) { true }
    }

    @Test func `a watch obeys rules, and scans again after their change`() async throws {
        try folder.write(Self.list, "*.png\nprivate/\n")
        try folder.write("a.jpg", "P 4 3")
        try folder.write("off/.nomedia", "")
        try await folder.run()
        try await watching(watched()) {
            for name in ["b.png", "private/deep/c.jpg", "off/d.jpg", "off/deep/e.jpg", "seen.jpg"] {
                try folder.write(name, "P 4 3")
            }
            #expect(try await eventuallyHas("seen.jpg"))
            #expect(try folder.ids() == ["a.jpg", "seen.jpg"])
            try folder.write(Self.list, "# nothing")
            #expect(try await eventuallyHas("b.png", "private/deep/c.jpg"))
            try folder.remove("off/.nomedia")
            #expect(try await eventuallyHas("off/d.jpg", "off/deep/e.jpg"))
            // The folders are watched from then on.
            try folder.write("private/deep/f.jpg", "P 4 3")
            try folder.write("off/deep/g.jpg", "P 4 3")
            #expect(try await eventuallyHas("private/deep/f.jpg", "off/deep/g.jpg"))
            // And not any more.
            try folder.write("private/.nomedia", "")
            try folder.write("private/deep/h.jpg", "P 4 3")
            try folder.write("later.jpg", "P 4 3")
            #expect(try await eventuallyHas("later.jpg"))
        }
        #expect(try await folder.run().totals.inserted == 0)
        #expect(try !folder.ids().contains("private/deep/h.jpg"))
    }

    @Test func `a watch of a folder beneath its root obeys the lists above it`() async throws {
        try folder.write(Self.list, "*.png")
        try folder.write("sub/a.jpg", "P 4 3")
        try folder.write("sub/b.png", "P 4 3")
        try await folder.run()
        try await watching(watched("a/sub")) {
            try folder.write("sub/c.jpg", "P 4 3")
            #expect(try await eventuallyHas("sub/c.jpg"))
            #expect(try !folder.ids().contains("sub/b.png"))
            try folder.remove(Self.list)
            #expect(try await eventuallyHas("sub/b.png"))
        }
    }

    @Test func `a watch applies patterns from the folder that it was given`() async throws {
        folder.options.include = ["2024/**"]
        try folder.write("2024/05/a.jpg", "P 4 3")
        try folder.write("2023/b.jpg", "P 4 3")
        try await folder.run()
        try await watching(watched()) {
            try folder.write("2023/c.jpg", "P 4 3")
            try folder.write("2024/05/d.jpg", "P 4 3")
            #expect(try await eventuallyHas("2024/05/d.jpg"))
        }
        #expect(try folder.ids() == ["2024/05/a.jpg", "2024/05/d.jpg"])
    }
}
