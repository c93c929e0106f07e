import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPictures

/// The files and folders that a walk leaves out, with the reasons.
@Suite struct LeftOutTests {
    private let temporary: TemporaryDatabase
    private let root: URL

    init() throws {
        temporary = try TemporaryDatabase()
        root = URL(filePath: temporary.folder).resolvingSymlinksInPath().appending(path: "root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    private func write(_ paths: [String], _ text: String = "") throws {
        for path in paths {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    private func walk(
        _ folder: String = "", base: String? = nil, filter: PathFilter = PathFilter(),
        direction: FolderWalk.Direction = .forwards
    ) throws -> (paths: [String], problems: [FolderProblem], leftOut: LeftOut) {
        let walk = try FolderWalk(
            root: root.path(percentEncoded: false), folder: folder, base: base, filter: filter, direction: direction)
        var (paths, problems): ([String], [FolderProblem]) = ([], [])
        while let item = walk.next() {
            switch item {
            case .file(let file): paths.append(file.path)
            case .problem(let problem): problems.append(problem)
            }
        }
        return (paths, problems, walk.leftOut)
    }

    @Test func `every file and folder that is left out counts once, with its first reason`() throws {
        try write([
            "a.jpg", "a.xmp", "film.wmv", "notes.txt", "b.jpg.part", "c.jpg_exiftool_tmp", ".hidden.mp4", ".d/e.jpg",
            "@EADIR/e.mp4", "#recycle/.f.jpg", "g/.nomedia", "g/h/i.jpg", "no.jpg", "out/k.jpg", "x.jpg@SynoResource",
            "raw/l.jpg", "private/m.jpg",
        ])
        try write([IgnoreList.fileName], "no.*\n/private/\n")
        let filter = PathFilter(
            excluded: ["OUT", "*.TXT", "raw/*"].compactMap { PathPattern($0) })
        let found = try walk(filter: filter)
        #expect(found.paths == ["a.jpg"] && found.problems.isEmpty)
        #expect(
            found.leftOut.files == [
                .video: 1, .unfinished: 2, .hidden: 1, .ignoreFile: 1, .pattern: 2, .system: 1,
            ])
        #expect(found.leftOut.folders == [.hidden: 1, .system: 2, .nomedia: 1, .ignoreFile: 1, .pattern: 1])
    }

    @Test(
        arguments: SystemNames.all.flatMap(\.forms).map { form -> (name: String, isLeftOut: Bool) in
            switch form {
            case .folder(let name): (name + "/a.jpg", true)
            case .folderPrefix(let text): (text + "1/a.jpg", true)
            case .folderSuffix(let text): ("A" + text + "/a.jpg", true)
            case .fileSuffix(let text): ("a.jpg" + text, true)
            case .library(let text): ("A" + text + "/originals/0/a.jpg", false)
            }
        })
    func `folders of systems are left out in any case`(name: String, isLeftOut: Bool) throws {
        for (name, other) in [(name, "x"), (name.uppercased(), "y")] {
            try write([name])
            // A name that only contains it is another one.
            try write(["\(other)/1" + name.split(separator: "/")[0] + "2/a.jpg"])
        }
        let others = try walk().paths.filter { $0.hasPrefix("x/") || $0.hasPrefix("y/") }
        #expect(try walk().paths.count - others.count == (isLeftOut ? 0 : 2))
        #expect(others.count == 2)
    }

    @Test func `the gallery leaves out the same folders that are dropped on it`() throws {
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../Sources/PhotoStreamGallery/Files/dropped.js").standardizedFileURL
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let list = try #require(text.firstMatch(of: #/otherFolders = new Set\(\[([^\]]*)\]/#)).1
        let names = Set(list.matches(of: #/"([^"]*)"/#).map { String($0.1) })
        let expected = SystemNames.all.flatMap(\.forms).compactMap { form in
            if case .folder(let name) = form, !IgnoredNames.isHidden(name) { name.lowercased() } else { nil as String? }
        }
        #expect(names == Set(expected))
    }

    @Test func `only the originals of a library of pictures are visited, wherever it is named`() throws {
        let library = "Photos Library.photoslibrary"
        try write(
            ["originals/0/a.heic", "Masters/2015/b.jpg", "resources/derivatives/c.jpg", "d.jpg", "database/e.jpg"].map {
                "\(library)/\($0)"
            } + ["originals/f.jpg"])
        let originals = ["\(library)/Masters/2015/b.jpg", "\(library)/originals/0/a.heic"]
        let found = try walk()
        #expect(found.paths == ["originals/f.jpg"] + originals)
        #expect(found.leftOut.folders == [.system: 2] && found.leftOut.files == [.system: 1])
        #expect(try walk(library).paths == originals)
    }

    @Test func `a folder with a file .nomedia is left out with everything beneath it, unless it is named`() throws {
        try write(["a/.nomedia", "a/b/1.jpg", "a/2.jpg", "c/3.jpg", "d/.NoMedia", "d/4.jpg", "e/.nomedia/5.jpg"])
        let found = try walk()
        #expect(found.paths == ["c/3.jpg", "d/4.jpg"])
        #expect(found.leftOut.folders == [.nomedia: 1, .hidden: 1])
        #expect(try walk("a").paths == ["a/2.jpg", "a/b/1.jpg"])
        // The watch of the root scans changed folders.
        #expect(try walk("a", base: "").paths.isEmpty && walk("a/b", base: "").paths.isEmpty)
        try write([".nomedia"])
        #expect(try walk().paths == found.paths)
    }

    @Test func `lists apply to their folder and below, and deeper ones outrank`() throws {
        try write(["1.png", "1.jpg", "a/2.png", "a/2.jpg", "a/b/3.png", "a/b/3.jpg", "a/skip/4.jpg", "skip/5.jpg"])
        try write([IgnoreList.fileName], "*.PNG\nb/\n!4.jpg\n")
        try write(["a/" + IgnoreList.fileName], "!2.png\n!b\n/skip\n")
        let found = try walk()
        #expect(found.paths == ["1.jpg", "a/2.jpg", "a/2.png", "a/b/3.jpg", "skip/5.jpg"])
        #expect(found.leftOut.files == [.ignoreFile: 2] && found.leftOut.folders == [.ignoreFile: 1])
        // Also if the walk begins further down.
        #expect(try walk("a/b", base: "").paths == ["a/b/3.jpg"] && walk("a/b").paths == ["a/b/3.jpg"])
        #expect(try walk("a/skip", base: "").paths.isEmpty)
        #expect(try walk("a/skip").paths == ["a/skip/4.jpg"])
    }

    @Test func `patterns refer to the named folder, also if the walk begins further down`() throws {
        try write(["a/2023/1.jpg", "a/2024/2.jpg"])
        let filter = PathFilter(included: [try #require(PathPattern("2023/**"))])
        #expect(try walk("a", filter: filter).paths == ["a/2023/1.jpg"])
        #expect(try walk("a/2023", base: "a", filter: filter).paths == ["a/2023/1.jpg"])
        #expect(try walk("a/2024", base: "a", filter: filter).paths.isEmpty)
    }

    @Test func `a list that cannot be obeyed is a problem, and its folder is left out`() throws {
        try write(["1.jpg", "a/2.jpg", "b/3.jpg", "c/4.jpg", "d/5.jpg"])
        let name = IgnoreList.fileName
        try write(["a/" + name], String(repeating: "x\n", count: 10_001))
        try write(["b/" + name], String(repeating: "x", count: 1 << 20 + 1))
        try Data([0xFF]).write(to: root.appending(path: "c/" + name))
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "d/" + name), withDestinationURL: URL(filePath: "/etc/hostname"))
        let found = try walk()
        #expect(found.paths == ["1.jpg"])
        let reasons = [
            "it has more than 10,000 lines", "it is larger than 1 MiB", "it is not UTF-8", "it leads out of the folder",
        ]
        #expect(
            found.problems.filter { $0.path.hasSuffix(name) }
                == zip(["a", "b", "c", "d"], reasons).map { folder, reason in
                    FolderProblem(
                        path: "\(folder)/\(name)", reason: "its folder is left out, because \(reason)", hidesFiles: true
                    )
                })
        #expect(try walk("a", base: "").problems.map(\.path) == ["a/" + name])
        #expect(try walk("a").paths.isEmpty)
    }

    @Test func `a link to a folder that is left out is followed, and rules apply to its own path`() throws {
        try write(["private/1.jpg", "private/2.png"])
        try write([IgnoreList.fileName], "/private/\n/not\n*.png\n")
        for (name, target) in [("shown", "private"), ("not", "private"), ("one.jpg", "private/1.jpg")] {
            try FileManager.default.createSymbolicLink(
                atPath: root.appending(path: name).path(percentEncoded: false), withDestinationPath: target)
        }
        // The link that is ignored does not use up the target, in either direction.
        #expect(try walk(direction: .backwards).paths == ["shown/1.jpg", "one.jpg"])
        let found = try walk()
        #expect(found.paths == ["one.jpg", "shown/1.jpg"] && found.problems.isEmpty)
        #expect(found.leftOut.folders == [.ignoreFile: 2] && found.leftOut.files == [.ignoreFile: 1])
    }

    @Test func `names are visited by their numbers, in both directions`() throws {
        let names = [
            "a/IMG_9.jpg", "a/IMG_10.jpg", "IMG_8.jpg", "IMG_9.jpg", "img_10.jpg", "IMG_11.jpg", "IMG_011.png",
        ]
        try write(names)
        let forwards = [
            "a/IMG_9.jpg", "a/IMG_10.jpg", "IMG_8.jpg", "IMG_9.jpg", "img_10.jpg", "IMG_11.jpg", "IMG_011.png",
        ]
        #expect(try walk().paths == forwards)
        #expect(try walk(direction: .backwards).paths == forwards.reversed())
    }
}
