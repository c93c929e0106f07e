import Foundation
import PhotoStreamTestSupport
import Testing

@Suite struct UsageTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    @Test func `the help of the command names the subcommands and the exit codes`() throws {
        let help = try photostream("--help")
        #expect(help.status == 0)
        #expect(help.errors.isEmpty)
        for name in [
            "import", "streams", "photos", "layout", "page", "rect", "item", "scrubber", "changes", "updates", "render",
            "serve", "stats", "cache",
        ] {
            #expect(help.output.contains("\n  \(name) "))
        }
        for line in [
            "  0   done", "  1   failed: ", "  2   an import rejected records", "  3   changes or updates",
            "  64  invalid usage: ",
        ] {
            #expect(help.output.contains("\n" + line))
        }
        #expect(help.output.contains("EXAMPLES:"))
    }

    @Test(arguments: [
        "import", "streams", "streams list", "streams create", "streams rename", "streams delete", "photos",
        "photos list", "photos show", "photos edit", "photos delete", "photos move", "layout", "page", "rect", "item",
        "scrubber", "changes", "updates", "render", "serve", "stats", "cache", "cache status", "cache verify",
        "cache clear",
        "cache warm",
    ])
    func `each subcommand has help`(name: String) throws {
        let help = try photostream.run(name.split(separator: " ").map(String.init) + ["--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("USAGE: photostream \(name)"))
    }

    @Test func `examples are never wrapped, and sentences are`() throws {
        for command in [[], ["import"], ["serve"], ["photos", "edit"]] {
            let lines = try photostream.run(command + ["--help"]).output.split(separator: "\n")
            let examples = lines.filter { $0.hasPrefix("  photostream ") || $0.hasPrefix("  curl ") }
            #expect(examples.count > 1)
            #expect(lines.filter { $0.count > 80 }.allSatisfy { examples.contains($0) }, "\(command)")
            // Everything between two examples is an example: none continues on the next line.
            let first = try #require(lines.firstIndex { $0 == "EXAMPLES:" })
            #expect(lines[(first + 1)...].prefix { $0.hasPrefix("  ") && $0 != "EXIT CODES:" }.count >= examples.count)
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions are generated`(shell: String) throws {
        let script = try photostream("--generate-completion-script", shell)
        #expect(script.status == 0)
        #expect(script.output.contains("round-robin"))
    }

    @Test(arguments: [
        (["page"], "--stream"),
        (["page", "--stream", "s"], "--width, --layout-key or --cursor is missing"),
        (["page", "--stream", "s", "--columns", "3", "--cursor", "c"], "--columns is given without --width"),
        (["layout", "--stream", "s"], "--width or --layout-key is missing"),
        (["layout", "--stream", "s", "--width", "0"], "container width is 0, but must be 1 to 100000"),
        (["layout", "--stream", "s", "--width", "-5"], "container width is -5, but must be 1 to 100000"),
        (["layout", "--stream", "s", "--width", "nan"], "container width is nan"),
        (["layout", "--stream", "s", "--width", "wide"], "wide"),
        (["layout", "--stream", "s", "--width", "9", "--columns", "0"], "columns is 0, but must be 1 to 128"),
        (["layout", "--stream", "s", "--width", "9", "--columns", "10"], "10 columns do not fit"),
        (["layout", "--stream", "s", "--width", "9", "--display-scale", "9"], "display scale is 9"),
        (["layout", "--stream", "s", "--width", "9", "--line-spacing", "-1"], "line spacing is -1"),
        (["layout", "--stream", "s", "--width", "9", "--content-inset", "1,2,3"], "1,2,3"),
        (["layout", "--stream", "s", "--width", "9", "--column-choice", "longest"], "longest"),
        (["layout", "--stream", "s", "--width", "9", "--algorithm", "spiral"], "spiral"),
        (
            ["layout", "--stream", "s", "--width", "9", "--columns", "2", "--minimum-column-width", "2"],
            "--columns and --minimum-column-width exclude each other"
        ),
        (
            ["layout", "--stream", "s", "--width", "9", "--column-choice", "round-robin", "--order-tolerance", "5"],
            "--order-tolerance has no meaning with --column-choice round-robin"
        ),
        (["layout", "--stream", "s", "--width", "9", "--order-tolerance", "-5"], "order tolerance is -5"),
        (["layout", "--stream", "s", "--width", "9", "--anchor", "top"], "must be one of start, end"),
        (["layout", "--stream", "s", "--width", "9", "--span-wider-than", "0"], "span ratio is 0, but must be"),
        (
            ["layout", "--stream", "s", "--width", "9", "--algorithm", "justified", "--breakout-every", "2000000"],
            "breakout every is 2000000, but must be 0 to 1000000"
        ),
        (
            ["layout", "--stream", "s", "--width", "9", "--algorithm", "flow", "--span-wider-than", "2"],
            "--span-wider-than"
        ),
        (["layout", "--stream", "s", "--layout-key", "nonsense"], "\"nonsense\" is not a layout key"),
        (
            [
                "layout", "--stream", "s", "--width", "9", "--layout-key",
                "masonry-4,length=9,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,columns=4,choice=shortest",
            ], "--layout-key stands for all layout options, so --width cannot be given with it"
        ),
        (["page", "--stream", "s", "--width", "9", "--limit", "0"], "limit is 0, but must be 1 to 1000"),
        (["page", "--stream", "s", "--width", "9", "--limit", "1001"], "limit is 1001, but must be 1 to 1000"),
        (["layout", "--stream", "s", "--width", "9", "--limit", "0"], "limit is 0, but must be 1 to 1000"),
        (
            ["layout", "--stream", "s", "--width", "9", "--from-section", "-1"],
            "--from-section is -1; it must not be negative"
        ),
        (["rect", "--stream", "s", "--width", "9"], "--rect or --cursor is missing"),
        (["rect", "--stream", "s", "--width", "9", "--rect", "0,0,-1,1"], "must not be negative"),
        (["rect", "--stream", "s", "--width", "9", "--rect", "0,0,inf,1"], "must be finite"),
        (
            ["rect", "--stream", "s", "--width", "9", "--rect", "0,0,1e400,3"],
            "'0,0,1e400,3' is invalid for '--rect <x,y,width,height>': \"1e400\" is beyond what a number can be"
        ),
        (["rect", "--stream", "s", "--width", "9", "--rect", "0,0,3"], "that is not 4 numbers between commas"),
        (["rect", "--stream", "s", "--width", "9", "--rect", "0,0,3,b"], "\"b\" is not a number"),
        (["rect", "--stream", "s", "--cursor", "c", "--rect", "0,0,1,1"], "omit --rect"),
        (["item", "--stream", "s", "--width", "9"], "use one of --index, --photo and --at"),
        (["item", "--stream", "s", "--width", "9", "--index", "1", "--at", "1,2"], "use one of --index"),
        (["item", "--stream", "s", "--width", "9", "--at", "12"], "'12' is invalid for '--at <x,y>'"),
        (["item", "--stream", "s", "--width", "9", "--at", "1,2,3"], "'1,2,3' is invalid for '--at <x,y>'"),
        (["item", "--stream", "s", "--width", "9", "--at", "nan,2"], "--at is nan,2.0: a point's values must be"),
        (["item", "--stream", "s", "--at", "1,2"], "--width or --layout-key is missing"),
        (["item", "--stream", "s", "--width", "9", "--index", "-1"], "--index is -1; it must not be negative"),
        (["item", "--stream", "s", "--width", "9", "--photo", ""], "the id is empty"),
        (["page", "--stream", "a/b", "--width", "9"], "contains a slash"),
        (["import", "--stream", "s"], "source"),
        (["import", "--stream", "s", "--map", "weather=w", "p.csv"], "unknown field \"weather\""),
        (["import", "--stream", "s", "--map", "id", "p.csv"], "no column or path for the field \"id\""),
        (["import", "--stream", "s", "--time-zone", "Mars/Base", "p.csv"], "there is no time zone \"Mars/Base\""),
        (["import", "--stream", "s", "--format", "xml", "p.csv"], "xml"),
        (["photos", "list", "--stream", "s", "--export", "--after", "a"], "omit --after"),
        (["photos", "list", "--stream", "s", "--export", "--limit", "9"], "omit --limit"),
        (["paint"], "paint"),
        (
            ["page", "--stream", "s", "--width", "9", "--paint"],
            "unknown option '--paint' (see 'photostream page --help')"
        ),
        (
            ["import", "--stream", "s", "--formt", "csv", "p.csv"],
            "unknown option '--formt'. Did you mean '--format'? (see 'photostream import"
        ),
        (
            ["layout", "--stream", "s", "--width", "9", "--colums=4"],
            "unknown option '--colums'. Did you mean '--columns'?"
        ),
        (["laoyut"], "there is no subcommand 'laoyut'. Did you mean 'layout'? (see 'photostream --help')"),
        (["help", "laoyut"], "there is no subcommand 'laoyut'. Did you mean 'layout'? (see 'photostream --help')"),
        (
            ["help", "photos", "edti"],
            "there is no subcommand 'edti'. Did you mean 'edit'? (see 'photostream photos --help')"
        ),
        (
            ["photos", "edti", "a"],
            "there is no subcommand 'edti'. Did you mean 'edit'? (see 'photostream photos --help')"
        ),
        (["streams", "list", "--imports"], "--imports requires --json"),
    ])
    func `invalid usage prints one line and exits with code 64`(arguments: [String], message: String) throws {
        let outcome = try photostream.run(arguments)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("photostream: "), "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(try photostream.files.isEmpty)
    }

    @Test(arguments: [
        (["--width", "9", "--height", "9"], "content scrolls vertically, so it fills --width; leave out --height"),
        (
            ["--width", "9", "--scroll-direction", "horizontal"],
            "content scrolls horizontally, so it fills --height; leave out --width"
        ),
        (["--columns", "3", "--scroll-direction", "horizontal"], "--columns is given without --height"),
        (["--width", "9", "--algorithm", "grid", "--widows", "hide"], "--widows means nothing to --algorithm grid"),
        (["--width", "9", "--algorithm", "flow", "--columns", "2"], "--columns means nothing to --algorithm flow"),
        (["--width", "9", "--tolerance", "0.5"], "--tolerance means nothing to --algorithm masonry"),
        (["--width", "9", "--algorithm", "grid", "--anchor", "end"], "--anchor means nothing to --algorithm grid"),
        (["--width", "9", "--aspect-ratio", "2"], "--aspect-ratio means nothing to --algorithm masonry"),
        (
            ["--width", "9", "--separator-thickness", "1"],
            "--separator-thickness means nothing to --algorithm masonry, which has no lines"
        ),
        (["--width", "9", "--zoom", "3"], "--zoom means nothing to --algorithm masonry"),
        (["--width", "9", "--cluster", "72"], "--cluster means nothing to --algorithm masonry"),
        (
            ["--width", "9", "--algorithm", "map", "--cluster", "63"], "cluster is 63, but must be 64 to 512"
        ),
        (
            ["--width", "9", "--algorithm", "map", "--cluster", "64", "--footer-size", "9"],
            "a map layout has no section footers with clusters"
        ),
        (
            ["--width", "9", "--algorithm", "map", "--cluster", "64", "--section-background"],
            "a map layout has no section backgrounds with clusters"
        ),
        (["--width", "9", "--algorithm", "map", "--zoom", "21"], "zoom is 21, but must be 0 to 20"),
        (["--width", "9", "--algorithm", "map", "--zoom", "-1"], "zoom is -1, but must be 0 to 20"),
        (["--width", "9", "--algorithm", "map", "--item-size", "0,4"], "item width is 0, but must be 1 to 10000"),
        (["--width", "9", "--algorithm", "map", "--section-by", "day"], "a map layout has no sectioning by dates"),
        (
            ["--height", "9", "--scroll-direction", "horizontal", "--algorithm", "map"],
            "a map layout has no horizontal scrolling"
        ),
        (
            ["--width", "9", "--algorithm", "map", "--caption-extent", "4"],
            "--caption-extent means nothing to --algorithm map"
        ),
        (
            ["--width", "9", "--algorithm", "map", "--separator-thickness", "4"],
            "--separator-thickness means nothing to --algorithm map, which has no lines"
        ),
        (["--width", "9", "--algorithm", "map", "--own-sizes"], "--own-sizes means nothing to --algorithm map"),
        (["--width", "9", "--pin-headers"], "--pin-headers is given without --header-size"),
        (["--width", "9", "--pin-footers", "--footer-size", "0"], "--pin-footers is given without --footer-size"),
        (["--width", "9", "--header-size", "-4"], "header reference size is -4, but must be 0 to 10000"),
        (["--width", "9", "--section-inset", "0,5,0,-5"], "right section inset is -5, but must be 0 to 10000"),
        (
            ["--width", "9", "--section-by", "week"],
            "--section-by is \"week\", but must be one of none, day, month, year"
        ),
        (["--width", "9", "--badge-size", "3,-4"], "badge height is -4, but must be 0 to 10000"),
        (["--width", "9", "--algorithm", "grid", "--aspect-ratio", "0"], "aspect ratio is 0, but must be 0.001"),
        (["--width", "9", "--algorithm", "flow", "--item-size", "3,0"], "item height is 0, but must be 1 to 10000"),
        (
            ["--width", "9", "--algorithm", "flow", "--item-size", "3,5", "--own-sizes"],
            "--item-size and --own-sizes exclude each other"
        ),
        (["--width", "9", "--algorithm", "justified", "--tolerance", "3"], "tolerance is 3, but must be 0 to 1"),
        (
            ["--width", "9", "--algorithm", "justified", "--minimum-line-height", "300"],
            "minimum line height is 300, but must be 1 to 240"
        ),
        (
            ["--width", "9", "--algorithm", "justified", "--content-inset", "0,5,0,5"],
            "content and section insets leave nothing of the container's 9 device pixels"
        ),
        (
            ["--width", "9", "--cell-padding", "1", "--line-spacing", "3"],
            "--cell-padding stands for inset and spacings, so --line-spacing cannot be given with it"
        ),
    ])
    func `a contradictory layout option is named`(arguments: [String], message: String) throws {
        for command in [["layout"], ["page"], ["rect", "--rect", "0,0,9,9"], ["render", "--output", "p.svg"]] {
            let outcome = try photostream.run(command + ["--stream", "s"] + arguments)
            #expect(outcome.status == 64, "\(outcome.errors)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        #expect(try photostream.files.isEmpty)
    }

    @Test(arguments: [["streams"], ["photos", "--stream", "s"], ["cache"], ["cache", "verify"], ["cache", "clear"]])
    func `a query of a missing file is an error and does not create it`(arguments: [String]) throws {
        let outcome = try photostream.run(arguments)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == """
                photostream: photostream.sqlite does not exist; 'photostream import --stream NAME FILE' creates it; \
                --database names another

                """)
        #expect(try photostream.files.isEmpty)
    }

    @Test func `a file that is not a database is not changed`() throws {
        try photostream.write("photostream.sqlite", "hello, this is some text and nothing else")
        let outcome = try photostream("streams")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("photostream: photostream.sqlite "))
        #expect(try photostream.text("photostream.sqlite") == "hello, this is some text and nothing else")
    }

    @Test func `a closed pipe is not an error`() throws {
        try photostream.write(
            "p.jsonl", (0..<3_000).map { "{\"id\":\"\($0)\",\"width\":3,\"height\":2}\n" }.joined())
        try photostream("import", "--stream", "s", "p.jsonl")
        let process = Process()
        process.executableURL = try Command.binary()
        process.arguments = ["page", "--stream", "s", "--width", "900", "--all", "--json"]
        process.currentDirectoryURL = photostream.folder
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try output.fileHandleForReading.close()
        let text = try errors.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        #expect((text ?? Data()).isEmpty)
    }

    @Test func `no help text has a run of spaces, which a lost end of a line leaves`() throws {
        func texts(_ value: Any) -> [String] {
            if let object = value as? [String: Any] {
                return object.flatMap { name, value in
                    (name == "abstract" ? value as? String : nil).map { [$0] } ?? texts(value)
                }
            }
            return (value as? [Any] ?? []).flatMap(texts)
        }
        let found = texts(try photostream("--experimental-dump-help").json)
        #expect(found.count > 150)
        for text in found { #expect(!text.contains("  "), "\(text)") }
    }

    @Test func `verbose logs computations, and a stored layout needs none`() throws {
        try photostream.importSamples()
        let arguments = ["layout", "--stream", "demo", "--width", "800", "--verbose"]
        let first = try photostream.run(arguments)
        #expect(first.errors.contains("folded=1"))
        try photostream("cache", "warm", "--stream", "demo", "--width", "800")
        let second = try photostream.run(arguments)
        #expect(second.errors.contains("folded=0"))
        #expect(first.output == second.output)
        #expect(try photostream.run(arguments.dropLast()).errors.isEmpty)
    }

    @Test func `queries are answered while another program holds the write lock`() throws {
        try photostream.importSamples()
        let layout = ["layout", "--stream", "demo", "--width", "800"]
        let free = try photostream.run(layout)
        let holder = try FileHolder(photostream.url("photostream.sqlite").path(percentEncoded: false))
        for arguments in [
            layout, ["streams"], ["photos", "--stream", "demo"], ["page", "--stream", "demo", "--width", "333"],
        ] {
            let outcome = try photostream.run(arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try photostream.run(layout).output == free.output)
        try holder.release()
    }
}
