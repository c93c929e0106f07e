import Foundation
import Testing

/// `photostream roots`.
@Suite struct RootsCommandTests {
    private let photostream: Command
    /// The folder that commands run in, as the kernel calls it.
    private let folder: String

    init() throws {
        photostream = try Command()
        folder = photostream.folder.resolvingSymlinksInPath().path(percentEncoded: false)
        try FileManager.default.createDirectory(
            at: photostream.url("scans/1894"), withIntermediateDirectories: true)
        try photostream("streams", "create", "old")
    }

    @Test func `a root is added, listed and removed`() throws {
        let added = try photostream("roots", "add", "scans")
        #expect(added.status == 0)
        #expect(added.output == "serving the pictures of all streams in \"\(folder)/scans\"\n")
        let own = try photostream("roots", "add", "./scans/1894/", "--stream", "old")
        #expect(own.output == "serving the pictures of stream \"old\" in \"\(folder)/scans/1894\"\n")
        let lines = try photostream("roots").output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(try /stream +added +open +root/.wholeMatch(in: lines[0]) != nil)
        #expect(lines[1].hasPrefix("all     20") && lines[1].hasSuffix("Z  yes   \(folder)/scans"))
        #expect(lines[2].hasPrefix("old     20") && lines[2].hasSuffix("Z  yes   \(folder)/scans/1894"))
        let removed = try photostream("roots", "remove", "scans")
        #expect(removed.output == "removed the root \"\(folder)/scans\" of all streams\n")
        #expect(try photostream("roots", "list").output.split(separator: "\n").count == 2)
    }

    @Test func `a root is declared for every server, and removed for every server`() throws {
        let added = try photostream("roots", "add", "scans", "--every-server")
        #expect(added.output == "serving the pictures of all streams in \"\(folder)/scans\" on every server\n")
        #expect(try photostream("roots").output.contains("Z  yes, on every server  \(folder)/scans\n"))
        let roots = try #require(try photostream("roots", "--json").json["roots"] as? [[String: Any]])
        #expect(roots.first?["everyServer"] as? Bool == true)
        #expect(try photostream.run(["roots", "add", "scans", "--every-server"]).status == 1)
        try photostream("roots", "remove", "scans")
        #expect(try photostream("roots").output.split(separator: "\n").count == 1)
    }

    @Test func `roots as JSON have their state`() throws {
        let added = try photostream("roots", "add", "scans", "--json").json
        #expect(Set(added.keys) == ["path", "resolvedPath", "stream", "addedAt", "open"])
        #expect(added["stream"] is NSNull)
        #expect(added["open"] as? Bool == true)
        try FileManager.default.removeItem(at: photostream.url("scans"))
        let roots = try #require(try photostream("roots", "--json").json["roots"] as? [[String: Any]])
        #expect(roots.count == 1)
        #expect(roots.first?["path"] as? String == folder + "/scans")
        #expect(roots.first?["open"] as? Bool == false)
        #expect(roots.first?["reason"] as? String == "No such file or directory")
        #expect(try photostream("roots").output.contains("no: No such file or directory"))
        // It is removed by name, although the folder no longer exists.
        let removed = try #require(
            try photostream("roots", "remove", "scans", "--json").json["removed"] as? [[String: Any]])
        #expect(removed.count == 1)
    }

    @Test func `a link is listed with its former folder`() throws {
        try FileManager.default.createSymbolicLink(
            at: photostream.url("link"), withDestinationURL: photostream.url("scans"))
        let added = try photostream("roots", "add", "link")
        #expect(added.output.contains(" in \"\(folder)/link\", which is \"\(folder)/scans\""))
        #expect(try photostream("roots").output.contains("\(folder)/link → \(folder)/scans\n"))
        // The parent of a link is not the parent in its text.
        #expect(try photostream("roots", "add", "link/../scans").output.contains(" in \"\(folder)/scans\"\n"))
    }

    @Test func `a folder that cannot be a root is rejected by name`() throws {
        try photostream("roots", "add", "scans")
        let cases: [(arguments: [String], status: Int32, errors: String)] = [
            (["add", "none"], 1, "the folder \"none\" cannot be a root: No such file or directory"),
            (["add", "photostream.sqlite"], 1, "the folder \"photostream.sqlite\" cannot be a root: Not a directory"),
            (
                ["add", "/"], 1,
                "\"/\" cannot be a root: every picture of this machine is beneath it; add folders of pictures"
            ),
            (["add", "scans"], 1, "\"\(folder)/scans\" is a root of all streams already"),
            (["add", "scans", "--stream", "new"], 1, "there is no stream \"new\""),
            (
                ["remove", "scans/1894"], 1,
                "\"\(folder)/scans/1894\" is not a root of all streams; `photostream roots` lists them"
            ),
            (
                ["remove", "scans", "--stream", "old"], 1,
                "\"\(folder)/scans\" is not a root of stream \"old\"; `photostream roots` lists them"
            ),
        ]
        for (arguments, status, errors) in cases {
            let outcome = try photostream.run(["roots"] + arguments)
            #expect(outcome.status == status)
            #expect(outcome.errors == "photostream: \(errors)\n")
            #expect(outcome.output.isEmpty)
        }
        #expect(try photostream("roots", "add").status == 64)
        #expect(try photostream("roots", "add", "scans", "--stream", "a/b").status == 64)
        #expect(try photostream("roots", "--database", "missing.sqlite").status == 1)
    }

    @Test func `a root that was added on another machine is listed as such`() throws {
        try photostream("roots", "add", "scans")
        let shell = Process()
        shell.executableURL = URL(filePath: "/usr/bin/sqlite3")
        shell.arguments = [photostream.url("photostream.sqlite").path, "UPDATE root SET machine = 'x'"]
        try shell.run()
        shell.waitUntilExit()
        #expect(try photostream("roots").output.contains("no: added on another machine"))
        let roots = try #require(try photostream("roots", "--json").json["roots"] as? [[String: Any]])
        #expect(roots.first?["reason"] as? String == "added on another machine")
        #expect(try photostream("roots", "add", "scans").status == 0)
    }
}
