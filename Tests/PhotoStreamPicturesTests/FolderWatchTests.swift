import Foundation
import Logging
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamPictures

@Suite struct FolderWatchTests {
    private let temporary: TemporaryDatabase
    private let root: URL

    init() throws {
        temporary = try TemporaryDatabase()
        root = URL(filePath: temporary.folder).resolvingSymlinksInPath().appending(path: "root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// The folders that were reported so far.
    private final class Told: Sendable {
        let folders = Mutex<[String]>([])
        let unfinished = Mutex<Set<String>>([])
        func has(_ folder: String) -> Bool { folders.withLock { $0.contains(folder) } }
        func forget() { folders.withLock { $0 = [] } }
    }

    /// Watches while `body` runs.
    private func watching(
        _ filter: PathFilter = PathFilter(), _ body: (Told) throws -> Void
    ) throws {
        let told = Told()
        let watch = FolderWatch(root: root.path(percentEncoded: false), filter: filter)
        let task = Task(executorPreference: ThreadExecutor.servers) {
            for await changes in watch.changes(logger: Logger(label: "test")) {
                told.unfinished.withLock { $0.formUnion(changes.unfinished) }
                told.folders.withLock { $0 += changes.folders.sorted() }
            }
        }
        defer { task.cancel() }
        #expect(eventually { told.has("") })
        told.forget()
        try body(told)
    }

    @Test func `added, edited, moved and deleted files are reported by their folders`() throws {
        try FileManager.default.createDirectory(at: root.appending(path: "a/b"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: root.appending(path: "c"), withIntermediateDirectories: true)
        try watching { told in
            let file = root.appending(path: "a/b/1.jpg")
            try Data("1".utf8).write(to: file)
            #expect(eventually { told.has("a/b") })
            told.forget()
            try Data("22".utf8).write(to: file)
            #expect(eventually { told.has("a/b") })
            told.forget()
            try FileManager.default.moveItem(at: file, to: root.appending(path: "c/1.jpg"))
            #expect(eventually { told.has("a/b") && told.has("c") })
            told.forget()
            try FileManager.default.removeItem(at: root.appending(path: "c/1.jpg"))
            #expect(eventually { told.has("c") })
        }
    }

    @Test func `a new folder is reported with its content and watched from then on`() throws {
        try watching { told in
            try FileManager.default.createDirectory(at: root.appending(path: "n/m"), withIntermediateDirectories: true)
            try Data("1".utf8).write(to: root.appending(path: "n/m/1.jpg"))
            #expect(eventually { told.has("") || told.has("n") || told.has("n/m") })
            told.forget()
            try Data("2".utf8).write(to: root.appending(path: "n/m/2.jpg"))
            #expect(eventually { told.has("n/m") })
        }
    }

    @Test func `files that are being written are reported as unfinished`() throws {
        try watching { told in
            let file = root.appending(path: "open.jpg")
            #expect(FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil))
            let open = try FileHandle(forWritingTo: file)
            try open.write(contentsOf: Data("1".utf8))
            try Data("2".utf8).write(to: root.appending(path: "closed.jpg"))
            let isNamed = try eventually {
                try open.write(contentsOf: Data("1".utf8))
                return told.unfinished.withLock { $0.contains("open.jpg") }
            }
            #expect(isNamed && !told.unfinished.withLock { $0.contains("closed.jpg") })
            try open.close()
            told.forget()
            #expect(eventually { told.has("") })
        }
    }

    @Test func `excluded files are not reported`() throws {
        let filter = PathFilter(excluded: [try #require(PathPattern("tmp"))])
        for folder in [".hidden", "tmp", "seen"] {
            try FileManager.default.createDirectory(
                at: root.appending(path: folder), withIntermediateDirectories: true)
        }
        try watching(filter) { told in
            for folder in [".hidden", "tmp", "seen"] {
                try Data("1".utf8).write(to: root.appending(path: "\(folder)/1.jpg"))
            }
            #expect(eventually { told.has("seen") })
            #expect(!told.has(".hidden") && !told.has("tmp"))
        }
    }

    private static func stamp(_ number: Int64) -> FileStamp {
        FileStamp(byteCount: number, modifiedNanoseconds: number)
    }

    @Test func `growing files are reported when they have settled`() {
        let (first, second) = (Self.stamp(1), Self.stamp(2))
        var files = SettlingFiles()
        files.touch("a", as: .written, version: first, at: 0)
        files.touch("b", as: .written, version: first, at: 0)
        #expect(files.settled(at: 1, after: 2, completed: 0.3) { $0 == "a" ? second : first }.isEmpty)
        #expect(files.settled(at: 2, after: 2, completed: 0.3) { $0 == "a" ? second : first } == ["b"])
        #expect(files.settled(at: 2.9, after: 2, completed: 0.3) { _ in second }.isEmpty)
        #expect(files.settled(at: 3, after: 2, completed: 0.3) { _ in second } == ["a"])
        #expect(files.isEmpty)
    }

    @Test func `files that their writer has closed settle sooner, until they are written again`() {
        let first = Self.stamp(1)
        var files = SettlingFiles()
        func settled(at time: Double) -> [String] {
            files.settled(at: time, after: 2, completed: 0.3) { _ in first }
        }
        for path in ["closed", "reopened", "described", "open"] {
            files.touch(path, as: .written, version: first, at: 0)
        }
        for path in ["closed", "reopened", "described"] { files.touch(path, as: .completed, version: first, at: 1) }
        files.touch("reopened", as: .written, version: first, at: 1.1)
        files.touch("described", as: .described, version: first, at: 1.1)
        #expect(settled(at: 1.2).isEmpty)
        #expect(settled(at: 1.35) == ["closed"])
        #expect(settled(at: 1.5) == ["described"])
        #expect(settled(at: 2.1) == ["open"])
        // Its time alone has changed, and no writer is known.
        files.touch("described", as: .described, version: first, at: 2.1)
        #expect(settled(at: 2.5) == ["described"])
        // A change whose event is still to come.
        files.touch("late", as: .completed, version: Self.stamp(0), at: 2.5)
        #expect(settled(at: 2.9).isEmpty)
        #expect(settled(at: 3.3) == ["reopened"])
        #expect(settled(at: 4.9) == ["late"])
    }

    @Test func `files are complete once they are closed, moved or deleted`() throws {
        var watches = InotifyWatches()
        try watches.open()
        try watches.add("", at: root.path(percentEncoded: false))
        /// The last change of each name that has changed since the call before.
        func changes(until name: String, _ last: InotifyWatches.Change) -> [String: InotifyWatches.Change] {
            var changes: [String: InotifyWatches.Change] = [:]
            let isSeen = eventually {
                for case .changed(_, let changed, _, let change) in watches.events(withinMilliseconds: 10) {
                    changes[changed] = change
                }
                return changes[name] == last
            }
            #expect(isSeen, "\(changes)")
            return changes
        }
        let file = root.appending(path: "1.jpg")
        #expect(FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil))
        let open = try FileHandle(forWritingTo: file)
        _ = changes(until: "1.jpg", .completed)
        try open.write(contentsOf: Data("1".utf8))
        #expect(changes(until: "1.jpg", .written) == ["1.jpg": .written])
        try open.close()
        #expect(changes(until: "1.jpg", .completed) == ["1.jpg": .completed])
        #expect(chmod(file.path(percentEncoded: false), 0o600) == 0)
        #expect(changes(until: "1.jpg", .described) == ["1.jpg": .described])
        try FileManager.default.moveItem(at: file, to: root.appending(path: "2.jpg"))
        #expect(changes(until: "2.jpg", .completed) == ["1.jpg": .completed, "2.jpg": .completed])
        try FileManager.default.removeItem(at: root.appending(path: "2.jpg"))
        #expect(changes(until: "2.jpg", .completed) == ["2.jpg": .completed])
    }

    @Test func `a folder that cannot be watched is scanned periodically, and that is logged once`() {
        #expect(Unwatchable(code: ENOSPC).reason.contains("max_user_watches"))
        #expect(Unwatchable(code: EMFILE).reason.contains("max_user_instances"))
    }

    @Test func `the file system of a folder is that of the nearest mount`() {
        let mounts = """
            /dev/vda / ext4 rw 0 0
            server:/photos /mnt/my\\040photos nfs4 rw 0 0
            tmpfs /mnt tmpfs rw 0 0
            """
        let type = { FileSystem(of: $0, mounts: mounts)?.type }
        #expect(type("/mnt/my photos/2023") == "nfs4")
        #expect(type("/mnt/my photos2") == "tmpfs")
        #expect(type("/home") == "ext4")
        #expect(FileSystem(of: "/home", mounts: "") == nil)
    }
}
