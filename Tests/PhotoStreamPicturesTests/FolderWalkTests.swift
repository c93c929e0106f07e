import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPictures

@Suite struct FolderWalkTests {
    private let temporary: TemporaryDatabase
    private let root: URL

    init() throws {
        temporary = try TemporaryDatabase()
        root = URL(filePath: temporary.folder).resolvingSymlinksInPath().appending(path: "root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    private func write(_ paths: String...) throws {
        for path in paths {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(path.utf8).write(to: file)
        }
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: root.appending(path: path).path(percentEncoded: false), withDestinationPath: target)
    }

    private func walk(
        _ folder: String = "", filter: PathFilter = PathFilter()
    ) throws -> (files: [FolderFile], problems: [FolderProblem]) {
        let walk = try FolderWalk(root: root.path(percentEncoded: false), folder: folder, filter: filter)
        var (files, problems): ([FolderFile], [FolderProblem]) = ([], [])
        while let item = walk.next() {
            switch item {
            case .file(let file): files.append(file)
            case .problem(let problem): problems.append(problem)
            }
        }
        return (files, problems)
    }

    @Test func `files are visited in the order of their names, with size and time`() throws {
        try write("b.jpg", "a/z.jpg", "a/c/d.png", "a-1.jpg", "Z.jpg")
        let found = try walk()
        #expect(found.files.map(\.path) == ["a/c/d.png", "a/z.jpg", "a-1.jpg", "b.jpg", "Z.jpg"])
        #expect(found.files.map(\.stamp.byteCount) == [9, 7, 7, 5, 5])
        let now = Int64(Date().timeIntervalSince1970 * 1e9)
        #expect(found.files.allSatisfy { abs($0.stamp.modifiedNanoseconds - now) < 60_000_000_000 })
        #expect(found.problems.isEmpty)
        #expect(try walk("a").files.map(\.path) == ["a/c/d.png", "a/z.jpg"])
    }

    @Test func `hidden files, files of other programs and known other types are skipped`() throws {
        try write(
            ".hidden.jpg", ".thumbnails/a.jpg", "@eaDir/b.jpg", "#recycle/c.jpg", ".stfolder/d.jpg", "lost+found/e.jpg",
            "notes.txt", "film.WMV", "records.jsonl", "odd", "picture.unknown")
        let found = try walk()
        #expect(found.files.map(\.path) == ["odd", "picture.unknown"])
        #expect(found.problems.isEmpty)
    }

    @Test(arguments: PictureFormat.video.fileExtensions)
    func `videos are pictures`(fileExtension: String) throws {
        try write("film.\(fileExtension)", "FILM.\(fileExtension.uppercased())", "film.xmp")
        let found = Dictionary(uniqueKeysWithValues: try walk().files.map { ($0.path, $0.sidecars.count) })
        #expect(found == ["film.\(fileExtension)": 1, "FILM.\(fileExtension.uppercased())": 0])
    }

    @Test func `skipped files are counted by kind, without hidden ones, sidecars and those that are not selected`()
        throws
    {
        try write(
            "a.jpg", "a.xmp", "film.WMV", "clip.flv", "sub/clip.FLV", "notes.txt", "sub/Thumbs.db", ".DS_Store",
            ".hidden.wmv", "@eaDir/b.wmv", "a.jpg_exiftool_tmp", "b.jpg.part", "out/c.wmv", "out/d.txt",
            "picture.unknown")
        func skipped(_ folder: String = "", filter: PathFilter = PathFilter()) throws -> [Int] {
            let walk = try FolderWalk(root: root.path(percentEncoded: false), folder: folder, filter: filter)
            while walk.next() != nil {}
            return [
                walk.leftOut.files[.video] ?? 0,
                (walk.leftOut.files[.notAPicture] ?? 0) + (walk.leftOut.files[.unfinished] ?? 0),
            ]
        }
        #expect(try skipped() == [4, 5])
        #expect(try skipped("sub") == [1, 1])
        let (out, jpeg) = (try #require(PathPattern("out/**")), try #require(PathPattern("*.jpg")))
        #expect(try skipped(filter: PathFilter(excluded: [out])) == [3, 4])
        #expect(try skipped(filter: PathFilter(included: [jpeg])) == [0, 0])
    }

    @Test func `a sidecar of the whole name precedes one of the name without extension`() throws {
        try write(
            "a.jpg", "a.jpg.xmp", "a.xmp", "b.JPG", "b.XMP", "raw/c.jpg", "raw/c.dng", "raw/c.xmp", "film.wmv",
            "film.xmp")
        let found = try walk()
        let sidecars = Dictionary(uniqueKeysWithValues: found.files.map { ($0.path, $0.sidecars.map(\.path)) })
        #expect(
            sidecars == [
                "a.jpg": ["a.jpg.xmp", "a.xmp"], "b.JPG": ["b.XMP"], "raw/c.jpg": ["raw/c.xmp"],
                "raw/c.dng": ["raw/c.xmp"],
            ])
        #expect(found.problems.isEmpty)
        #expect(found.files.first?.sidecars.first?.stamp.byteCount == 9)
    }

    @Test func `a sidecar without a picture is reported`() throws {
        try write("a.jpg", "gone.jpg.xmp", "b/gone.xmp")
        let found = try walk()
        #expect(found.problems.map(\.path).sorted() == ["b/gone.xmp", "gone.jpg.xmp"])
        #expect(found.problems.allSatisfy { $0.reason == "there is no picture next to this sidecar" && !$0.hidesFiles })
    }

    @Test func `patterns include and exclude files`() throws {
        try write("a.jpg", "a.png", "2023/b.jpg", "2023/raw/c.dng", "tmp/d.jpg")
        let jpegs = PathFilter(
            included: [try #require(PathPattern("*.jpg"))], excluded: [try #require(PathPattern("tmp"))])
        #expect(try walk(filter: jpegs).files.map(\.path) == ["2023/b.jpg", "a.jpg"])
        let deep = PathFilter(included: [try #require(PathPattern("2023/**"))])
        #expect(try walk(filter: deep).files.map(\.path) == ["2023/b.jpg", "2023/raw/c.dng"])
    }

    @Test func `a link is followed once, and only if its target is not visited otherwise`() throws {
        try write(".store/x.jpg", ".store/set/y.jpg", "plain/z.jpg")
        try link("a.jpg", to: ".store/x.jpg")
        try link("b.jpg", to: ".store/x.jpg")
        try link("set", to: ".store/set")
        try link("same.jpg", to: "plain/z.jpg")
        try link("again", to: "plain")
        let found = try walk()
        #expect(found.files.map(\.path) == ["a.jpg", "plain/z.jpg", "set/y.jpg"])
        #expect(found.problems.isEmpty)
    }

    @Test func `loops end, and links that are broken or lead out are reported`() throws {
        try write("a/b.jpg", "a/.h/c.jpg")
        try link("a/up", to: "..")
        try link("a/.h/self", to: ".")
        try link("a/in", to: ".h")
        try link("out.jpg", to: "/etc/hostname")
        try link("far", to: "../..")
        try link("dead.jpg", to: "nothing.jpg")
        try link("one", to: "two")
        try link("two", to: "one")
        let found = try walk()
        #expect(found.files.map(\.path) == ["a/b.jpg", "a/in/c.jpg"])
        let reasons = Dictionary(uniqueKeysWithValues: found.problems.map { ($0.path, $0.reason) })
        #expect(reasons["out.jpg"] == "it is a link, and it leads out of the folder")
        #expect(reasons["far"] == "it is a link, and it leads out of the folder")
        #expect(reasons["dead.jpg"] == "it is a link, and there is nothing at its end")
        #expect(reasons["one"] == "it is a link, and there is a loop of links in it, or a link that is not followed")
    }

    @Test func `pipes, sockets and names that are not UTF-8 are reported`() throws {
        try write("a.jpg")
        let folder = root.path(percentEncoded: false)
        #expect(mkfifo(folder + "/pipe.jpg", 0o600) == 0)
        let name: [CChar] = Array((folder + "/x").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0x2E, 0x6A, 0]
        close(open(name, O_CREAT | O_WRONLY, 0o600))
        let found = try walk()
        #expect(found.files.map(\.path) == ["a.jpg"])
        #expect(
            Set(found.problems) == [
                FolderProblem(path: "pipe.jpg", reason: "it is a device, a pipe or a socket", hidesFiles: false),
                FolderProblem(path: "x\u{FFFD}.j", reason: "its name is not UTF-8", hidesFiles: false),
            ])
    }

    @Test func `a folder that is removed during the walk is reported`() throws {
        try write("a/1.jpg", "b/2.jpg", "c/3.jpg")
        let walk = try FolderWalk(root: root.path(percentEncoded: false))
        #expect(walk.next() != nil)
        try FileManager.default.removeItem(at: root.appending(path: "b"))
        let gone = FolderProblem(path: "b", reason: "there is nothing at its end", hidesFiles: true)
        #expect(walk.next() == .problem(gone))
        guard case .file(let file) = try #require(walk.next()) else {
            Issue.record("c/3.jpg is missing")
            return
        }
        #expect(file.path == "c/3.jpg")
        #expect(walk.next() == nil)
    }

    @Test func `a root that is missing or a file is an error`() throws {
        try write("a.jpg")
        let path = root.path(percentEncoded: false)
        #expect(throws: FolderError(code: ENOENT)) { try FolderWalk(root: path + "/none") }
        #expect(throws: FolderError(code: ENOTDIR)) { try FolderWalk(root: path + "/a.jpg") }
        #expect(throws: FolderError(code: ENOENT)) { try FolderWalk(root: path, folder: "none") }
    }
}
