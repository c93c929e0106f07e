import Foundation
import Testing

@Suite struct CacheCommandTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream.importSamples()
    }

    @Test func `a layout is warmed, verified and cleared`() throws {
        let warm = try photostream("cache", "warm", "--stream", "demo", "--width", "800")
        #expect(warm.output.hasSuffix("warmed 1 layout: 1 chunk computed\n"), "\(warm.output)")
        let again = try photostream("cache", "warm", "--stream", "demo", "--json").json
        #expect(again["foldedChunks"] as? Int == 0)
        #expect((again["layouts"] as? [Any])?.count == 1)
        let verify = try photostream("cache", "verify")
        #expect(verify.status == 0)
        #expect(verify.output == "compared 1 chunk of metrics, 1 checkpoint and 0 chunks of frames: all is well\n")
        #expect(try photostream("cache", "clear").output == "cleared 1 layout\n")
        #expect((try photostream("cache", "--json").json["layouts"] as? [Any])?.count == 0)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
    func `verify finds frames that another process changed`() throws {
        let layout = ["--stream", "demo", "--width", "800", "--span-wider-than", "1.4"]
        try photostream.run(["cache", "warm"] + layout)
        try photostream.run(["rect", "--rect", "0,0,800,600"] + layout)
        let sqlite = Process()
        sqlite.executableURL = URL(filePath: "/usr/bin/sqlite3")
        sqlite.arguments = [
            photostream.url("photostream.sqlite").path, "UPDATE layoutFrames SET frames = zeroblob(length(frames))",
        ]
        try sqlite.run()
        sqlite.waitUntilExit()
        let verify = try photostream("cache", "verify", "--json")
        #expect(verify.status == 1)
        #expect((try verify.json["differences"] as? [String])?.count == 1)
        #expect(
            verify.errors.hasPrefix("photostream: rows of layoutFrames with a wrong checksum: 1; "), "\(verify.errors)")
        try photostream("cache", "clear")
        #expect(try photostream("cache", "verify").status == 0)
    }

    @Test func `a budget is shown, set and kept, and layouts beyond it are deleted`() throws {
        try photostream("cache", "warm", "--stream", "demo", "--width", "800")
        let shown = try photostream("cache", "budget", "--json").json
        #expect(shown["budget"] as? Int == 256 << 20)
        #expect(try #require(shown["bytes"] as? Int) > 0)
        #expect(try photostream("cache", "budget", "512 mb").output.hasSuffix(" of 536,870,912 bytes\n"))
        #expect(try photostream("cache", "budget", "0").output == "0 of 0 bytes\n")
        #expect((try photostream("cache", "--json").json["layouts"] as? [Any])?.count == 0)
        let refused = try photostream("cache", "warm", "--stream", "demo", "--width", "800")
        #expect(refused.status == 1 && refused.errors.contains("all together may take 0;"), "\(refused.errors)")
        #expect(try photostream("cache", "budget").output == "0 of 0 bytes\n")
        let grid = ["--stream", "demo", "--width", "800", "--algorithm", "grid"]
        #expect(try photostream.run(["cache", "warm"] + grid).output.contains("computed for every query; not stored"))
    }

    @Test(arguments: ["-1", "many", "1TB", "1.5GB", "1e9", "5 MB KB", ""])
    func `an invalid budget is rejected with the accepted forms`(text: String) throws {
        let outcome = try photostream("cache", "budget", "--", text)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("'\(text)'"), "\(outcome.errors)")
        #expect(outcome.errors.contains("a whole number, optionally with KB, MB or GB"), "\(outcome.errors)")
    }

    @Test(arguments: ["99999999999GB", "9223372036854775808"])
    func `a budget that is too large is rejected with the maximum`(text: String) throws {
        let outcome = try photostream("cache", "budget", text)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("'\(text)'"), "\(outcome.errors)")
        #expect(outcome.errors.contains("more than 9223372036854775807 bytes"), "\(outcome.errors)")
    }

    @Test func `the error for a value that looks like an option explains where to put it`() throws {
        let outcome = try photostream("cache", "budget", "-5")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("'-5'; put a value that begins with - after --"), "\(outcome.errors)")
        #expect(try !photostream("cache", "budget", "--five").errors.contains("after --"))
    }

    @Test func `an unknown stream cannot be warmed`() throws {
        let outcome = try photostream("cache", "warm", "--stream", "missing")
        #expect(outcome.status == 1)
        #expect(outcome.errors == "photostream: there is no stream \"missing\"\n")
    }
}
