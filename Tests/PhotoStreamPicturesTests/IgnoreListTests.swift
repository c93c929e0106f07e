import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPictures

@Suite struct IgnoreListTests {
    @Test(
        arguments: [
            ("*.png", "a/b.PNG", false, true), ("*.png\n!keep.png", "a/keep.png", false, false),
            ("!keep.png\n*.png", "keep.png", false, true), ("raw/", "a/raw", true, true), ("raw/", "raw", false, nil),
            ("/raw", "raw", false, true), ("/raw", "a/raw", false, nil), ("a/raw", "a/raw", false, true),
            ("a/raw", "b/a/raw", false, nil), ("# x\n\nx", "# x", false, nil), ("\\#x", "#x", false, true),
            ("\\!x", "!x", false, true), ("x  ", "x", false, true), ("x\\ ", "x ", false, true),
            ("x\\ ", "x", false, nil),
            ("x\t", "x", false, nil), ("a/**/b", "a/b", false, true), ("a/**", "a", true, nil),
            ("a/**", "a/b/c", false, true),
            ("**/b/c", "a/b/c", false, true), ("x\r\ny\r\n", "x", false, true), ("\u{FEFF}x", "x", false, true),
            ("[ab", "[ab", false, nil), ("É", "é", false, true), ("*", "a", true, true), ("/", "a", true, nil),
            ("!", "!", false, nil), ("", "a", false, nil), ("a\u{301}/b", "a\u{301}/b", false, true),
        ] as [(String, String, Bool, Bool?)])
    func `the last rule that matches decides`(text: String, path: String, isFolder: Bool, ignores: Bool?) throws {
        #expect(try IgnoreList(text).ignores(path, isFolder: isFolder) == ignores)
    }

    @Test func `a list that is too long, or not text, is refused`() throws {
        let lines = String(repeating: "a\n", count: IgnoreList.maximumLineCount)
        #expect(throws: Never.self) { try IgnoreList(lines) }
        #expect(throws: IgnoreList.Problem.tooManyLines) { try IgnoreList(lines + "b") }
        let bytes = [UInt8](repeating: 0x23, count: IgnoreList.maximumByteCount)
        #expect(throws: Never.self) { try IgnoreList(bytes: bytes) }
        #expect(throws: IgnoreList.Problem.tooLarge) { try IgnoreList(bytes: bytes + [0x61]) }
        #expect(throws: IgnoreList.Problem.notText) { try IgnoreList(bytes: [0x61, 0xFF]) }
        #expect(IgnoreList.Problem.tooLarge.reason == "it is larger than 1 MiB")
        let long = String(repeating: "a", count: 4_096)
        #expect(throws: IgnoreList.Problem.tooLongLine) { try IgnoreList("b\n*" + long) }
        #expect(throws: Never.self) { try IgnoreList("#" + long + long + "\n" + long) }
        #expect(IgnoreList.Problem.tooLongLine.reason == "it has a line of more than 4,096 bytes")
        #expect(IgnoreList.Problem.tooManyLines.reason == "it has more than 10,000 lines")
    }

    // MARK: - Git

    /// A random tree: folders, files, and the text of the list in some folders.
    private struct Tree {
        var folders: [String] = []
        var files: [String] = []
        var lists: [String: String] = [:]

        init(_ random: inout SplitMix64) {
            fill("", depth: 0, &random)
        }

        private mutating func fill(_ folder: String, depth: Int, _ random: inout SplitMix64) {
            let names = ["a", "B", "ab", "Abc", "x y", "a.b", "#a", "!a", "b ", "a*", "[a]", "a\\b"]
            for name in names.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random)) {
                let path = folder.appending(name: name)
                if depth < 3, Int.random(in: 0..<5, using: &random) < 2 {
                    folders.append(path)
                    fill(path, depth: depth + 1, &random)
                } else {
                    files.append(path)
                }
            }
            if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 { lists[folder] = Self.list(&random) }
        }

        private static func list(_ random: inout SplitMix64) -> String {
            // Git takes capitals in brackets, and after a backslash, for none, if it ignores case.
            let parts = [
                "a", "b", "A", "B", "c", "x y", ".", "*", "*", "?", "**", "/", "/", "**/", "/**", "[ab]", "[!a]",
                "[A-C]",
                "[a-c]", "[]]", "[^b]", "[[:alpha:]]", "[[:punct:]]", "\\*", "\\a", "\\#", "\\[", "#a", "!a", " ",
                "\\ ",
            ]
            return (0..<Int.random(in: 1...6, using: &random)).map { _ in
                let body = (0..<Int.random(in: 1...4, using: &random))
                    .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
                return ["", "", "", "!", "/", "!/", "#"].randomElement(using: &random).orEmpty + body
                    + ["", "", "", "/", "/", " ", "  ", "[", "\\"].randomElement(using: &random).orEmpty
            }.joined(separator: Bool.random(using: &random) ? "\n" : "\r\n")
                + (Bool.random(using: &random) ? "\n" : "")
        }

        /// Whether a path, or a folder above it, is ignored: the innermost list with a rule decides.
        func ignores(_ path: String, isFolder: Bool, by read: [String: IgnoreList]) -> Bool {
            if !path.parentPath.isEmpty, ignores(path.parentPath, isFolder: true, by: read) { return true }
            var folder = path.parentPath
            while true {
                if let ignores = read[folder]?.ignores(path.path(from: folder), isFolder: isFolder) { return ignores }
                if folder.isEmpty { return false }
                folder = folder.parentPath
            }
        }
    }

    private static func git(_ arguments: [String], in folder: URL, input: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-c", "core.ignoreCase=true", "-c", "core.excludesFile=/dev/null"] + arguments
        process.currentDirectoryURL = folder
        let (stdin, stdout) = (folder.appending(path: "../paths"), Pipe())
        try Data(input.utf8).write(to: stdin)
        process.standardInput = try FileHandle(forReadingFrom: stdin)
        process.standardOutput = stdout
        try process.run()
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: "\0").map(String.init)
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `rules of random trees ignore the same paths as git check-ignore, and a walk skips them`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let temporary = try TemporaryDatabase()
        let root = URL(filePath: temporary.folder).resolvingSymlinksInPath().appending(path: "root")
        let tree = Tree(&random)
        for folder in [""] + tree.folders {
            try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
        }
        for file in tree.files { try Data().write(to: root.appending(path: file)) }
        for (folder, text) in tree.lists {
            for name in [".gitignore", IgnoreList.fileName] {
                try Data(text.utf8).write(to: root.appending(path: folder.appending(name: name)))
            }
        }
        _ = try Self.git(["init", "-q"], in: root, input: "")
        let paths = tree.folders + tree.files
        let ignored = Set(
            try Self.git(
                ["check-ignore", "--no-index", "-z", "--stdin"], in: root, input: paths.joined(separator: "\0")))
        let read = try tree.lists.mapValues { try IgnoreList($0) }
        for path in paths {
            let isFolder = tree.folders.contains(path)
            let rules = tree.lists.map { "\($0.key): \($0.value.debugDescription)" }.sorted().joined(separator: "; ")
            #expect(
                tree.ignores(path, isFolder: isFolder, by: read) == ignored.contains(path), "\(path) in \(rules)")
        }
        let walk = try FolderWalk(root: root.path(percentEncoded: false))
        var found: Set<String> = []
        while let item = walk.next() {
            if case .file(let file) = item { found.insert(file.path) }
        }
        #expect(found == Set(tree.files.filter { !ignored.contains($0) }))
    }
}

extension String? {
    /// The text; empty without one.
    fileprivate var orEmpty: String { self ?? "" }
}
