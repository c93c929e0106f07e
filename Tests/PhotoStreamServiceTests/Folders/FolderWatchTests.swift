import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

/// The walk of folders, and folders that change while they are watched.
@Suite struct FolderWatchTests {
    private let folder: TextFolder

    init() throws {
        folder = try TextFolder()
    }

    @Test func `hidden files, folders of other programs and other kinds of files are skipped`() async throws {
        for name in [
            ".a.jpg", ".hidden/a.jpg", "@eaDir/a.jpg", "#recycle/a.jpg", "a.wmv", "a.txt", "b.jpg", "c/d.jpg",
        ] {
            try folder.write(name, "P 4 3")
        }
        let progress = try await folder.run()
        #expect(try folder.ids() == ["b.jpg", "c/d.jpg"] && progress.totals.read == 2)
    }

    @Test func `patterns select files and folders`() async throws {
        for name in ["a.jpg", "a.png", "raw/b.jpg", "2024/c.jpg", "2024/05/d.jpg"] { try folder.write(name, "P 4 3") }
        folder.options.include = ["*.jpg"]
        folder.options.exclude = ["raw/**"]
        try await folder.run()
        #expect(try folder.ids() == ["2024/05/d.jpg", "2024/c.jpg", "a.jpg"])
        #expect(throws: FolderImportError.self) {
            var options = FolderImport.Options()
            options.include = ["/a"]
            try FolderImport.check(options)
        }
    }

    @Test func `links inside are followed once, other links and special files are reported`() async throws {
        try folder.write("a/one.jpg", "P 4 3")
        try folder.write("../outside.jpg", "P 4 3")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.path("a/a/loop"), withDestinationPath: "..")
        try manager.createSymbolicLink(atPath: folder.path("a/out.jpg"), withDestinationPath: "../outside.jpg")
        try manager.createSymbolicLink(atPath: folder.path("a/two.jpg"), withDestinationPath: "a/one.jpg")
        mkfifo(folder.path("a/pipe.jpg"), 0o600)
        let name = folder.path("a/") + "x"
        let bytes = Array(name.utf8) + [0xFF, 0]
        bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { _ = close(creat($0.baseAddress!, 0o600)) }
        }
        let progress = try await folder.run()
        #expect(try folder.ids() == ["a/one.jpg"])
        let reasons = progress.notices.map(\.reason).sorted()
        #expect(
            reasons == [
                "it is a device, a pipe or a socket", "it is a link, and it leads out of the folder",
                "its name is not UTF-8",
            ])
        #expect(progress.totals.rejected == 3)
    }

    @Test func `an unreadable folder does not make files missing`() async throws {
        try folder.write("sub/a.jpg", "P 4 3")
        try folder.write("b.jpg", "P 4 3")
        try await folder.run()
        try #require(chmod(folder.path("a/sub"), 0) == 0)
        defer { chmod(folder.path("a/sub"), 0o700) }
        let progress = try await folder.run()
        #expect(progress.folders.vanished == 0)
        // The super-user may read it all the same.
        if geteuid() != 0 { #expect(progress.notices.map(\.path) == [folder.path("a/sub")]) }
    }

    @Test func `files that are being written are skipped for longer`() {
        let ages: [Int64] = [-1, 0, 299_999_999, 300_000_000, 1_999_999_999, 2_000_000_000]
        let now: Int64 = 1_700_000_000_000_000_000
        func isStable(_ time: Int64, isUnfinished: Bool) -> Bool {
            FolderReader.isStable(modifiedNanoseconds: time, isUnfinished: isUnfinished, now: now)
        }
        let expected = [true, false, false, true, true, true]
        #expect(ages.map { isStable(now - $0, isUnfinished: false) } == expected)
        let unfinished = [true, false, false, false, false, true]
        #expect(ages.map { isStable(now - $0, isUnfinished: true) } == unfinished)
        // A file may have any time.
        for time in [Int64.min, Int64.min + 1, 0, Int64.max] {
            #expect(isStable(time, isUnfinished: false) && isStable(time, isUnfinished: true))
        }
    }

    @Test func `a watched folder ends like a new import of it`() async throws {
        for number in 0..<20 { try folder.write("\(number).jpg", "P \(number + 1) 3\ncaption \(number)", seconds: 1) }
        try await folder.run()
        try folder.edit("3.jpg", caption: "Person")
        let watching = try FolderWatching(
            [folder.path("a")], of: TextFolder.stream, options: FolderImport.Options(), reading: folder.pictures,
            of: folder.service, logger: Logger(label: "test"))
        let told = Mutex<[FileNotice]>([])
        let task = Task {
            await watching.run { progress in told.withLock { $0 += progress.notices } }
        }
        defer { task.cancel() }
        try folder.write("new/20.jpg", "P 21 3")
        try folder.move("3.jpg", to: "moved/3.jpg")
        try folder.write("4.jpg", "P 99 3\ncaption Changed", seconds: 2)
        try folder.remove("5.jpg")
        try folder.write("half.jpg", "P 5")
        let half = try FileHandle(forWritingTo: folder.folder.appending(path: "a/half.jpg"))
        try half.seekToEnd()
        try half.write(contentsOf: Data("0 20".utf8))
        try half.close()
        let isDone = try await folder.eventuallyHas(
            ["half.jpg", "moved/3.jpg", "new/20.jpg"], captions: ["4.jpg": "Changed", "moved/3.jpg": "Person"]
        ) {
            // A notice follows once its walk is complete.
            told.withLock { $0.contains { $0.kind == .vanished && $0.path.hasSuffix("/5.jpg") } }
        }
        let ids = try folder.ids()
        #expect(isDone, "\(ids)")
        #expect(try folder.photo("half.jpg")?.pixelSize.width == 50)
        #expect(ids.contains("5.jpg"))
        let notices = told.withLock { $0 }
        #expect(notices.count { $0.kind == .vanished } == 1 && Set(notices).count == notices.count, "\(notices)")
        task.cancel()
        await task.value
        #expect(try await folder.run().totals.updated == 0)
    }
}

extension TextFolder {
    /// Waits for photos and captions without blocking the threads that import them.
    func eventuallyHas(_ ids: Set<String>, captions: [String: String], if condition: () -> Bool) async throws -> Bool {
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < end {
            let isThere = try Set(self.ids()).isSuperset(of: ids)
            if condition(), isThere, try captions.allSatisfy({ try photo($0.key)?.caption == $0.value }) { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}
