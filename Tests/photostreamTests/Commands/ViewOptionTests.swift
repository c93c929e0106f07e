import Foundation
import Testing

/// `--where`: the photos of a stream that meet a condition, in every command that lays them out.
@Suite struct ViewOptionTests {
    private let photostream: Command
    private let layout = ["--stream", "demo", "--width", "900"]

    init() throws {
        photostream = try Command()
        try photostream.importSamples()
    }

    /// Runs a command with a condition and returns its answer.
    private func answer(_ arguments: [String], where condition: String) throws -> [String: Any] {
        let outcome = try photostream.run(arguments + layout + ["--where", condition, "--json"])
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return try outcome.json
    }

    private func ids(_ answer: [String: Any]) throws -> [String] {
        try #require(answer["items"] as? [[String: Any]]).compactMap { $0["photo"] as? String }
    }

    @Test func `each command shows the photos that meet the condition, and echoes it`() throws {
        let condition = "HARBOUR | tag:Hafen  OR tag:sea"
        let canonical = "harbour OR tag:hafen OR tag:sea"
        let page = try answer(["page"], where: condition)
        let found = try ids(page)
        #expect(Set(found).isSuperset(of: ["harbour-dawn-01", "harbour-dawn-02", "harbour-dusk", "moonrise"]))
        #expect(found.count < 20)
        let whole = try answer(["layout"], where: condition)
        #expect(whole["count"] as? Int == found.count)
        let rect = try answer(["rect", "--rect", "0,0,900,99999"], where: condition)
        #expect(try ids(rect) == found)
        let second = try answer(["item", "--index", "1"], where: condition)
        #expect((second["item"] as? [String: Any])?["photo"] as? String == found[1])
        let located = try answer(["item", "--photo", found[1]], where: condition)
        #expect((located["item"] as? [String: Any])?["index"] as? Int == 1)
        let dropped = try answer(["item", "--at", "0,99999", "--nearest"], where: condition)
        let scrubber = try answer(["scrubber", "--steps", "3"], where: condition)
        let indices = try #require(scrubber["stops"] as? [[String: Any]]).compactMap { $0["index"] as? Int }
        #expect(indices.count == 3 && indices.allSatisfy(found.indices.contains))
        let picture = try answer(["render", "--output", "view.svg"], where: condition)
        #expect(picture["count"] as? Int == found.count)
        for answer in [page, whole, rect, second, located, dropped, scrubber, picture] {
            #expect(answer["where"] as? String == canonical, "\(answer)")
        }
        for arguments in [
            ["layout"], ["page"], ["rect", "--rect", "0,0,9,9"], ["item", "--index", "0"], ["scrubber"],
        ] {
            let text = try photostream.run(arguments + layout + ["--where", condition]).output
            #expect(text.contains(/\nwhere +harbour OR tag:hafen OR tag:sea\n/), "\(text)")
        }
    }

    @Test(arguments: ["", " ", "()"]) func `a condition that every photo meets is that of the stream`(condition: String)
        throws
    {
        let answer = try answer(["layout"], where: condition)
        #expect(answer["count"] as? Int == 120 && answer["where"] == nil)
        #expect(try photostream.run(["layout", "--json"] + layout).json["where"] == nil)
    }

    @Test func `a condition may begin with a hyphen, and relative days are echoed as fixed ones`() throws {
        let counts = try ["tag:sea", "-tag:sea"].map { condition in
            try #require(try answer(["layout"], where: condition)["count"] as? Int)
        }
        #expect(counts[0] > 0 && counts[0] + counts[1] == 120)
        let days = try #require(try answer(["page"], where: "-taken:last-30d")["where"] as? String)
        #expect(days.wholeMatch(of: /-taken:\d{4}(-\d\d){0,2}\.\./) != nil, "\(days)")
    }

    @Test func `the pages of a view continue with the echoed condition, and with no other`() throws {
        let condition = "taken:..2019 -tag:scan"
        let first = try answer(["page", "--limit", "7"], where: condition)
        let cursor = try #require(first["nextCursor"] as? String)
        let echoed = try #require(first["where"] as? String)
        let arguments = ["page", "--stream", "demo", "--cursor", cursor, "--limit", "1000", "--json"]
        let rest = try photostream.run(arguments + ["--where", echoed]).json
        let all = try photostream.run(["page", "--all", "--limit", "9", "--json", "--where", condition] + layout)
        #expect(try ids(first) + ids(rest) == all.jsonLines.flatMap(ids))
        for other in [[], ["--where", "taken:..2019"]] {
            let outcome = try photostream.run(arguments + other)
            #expect(outcome.status == 1)
            #expect(
                outcome.errors
                    == "photostream: the cursor is refused: it belongs to photos that meet another condition\n")
        }
        let rect = try answer(["rect", "--rect", "0,0,900,9999", "--limit", "2"], where: condition)
        let next = try #require(rect["nextCursor"] as? String)
        let more = try photostream("rect", "--stream", "demo", "--cursor", next, "--where", echoed, "--json").json
        #expect(try ids(more).first == all.jsonLines.flatMap(ids)[2])
    }

    @Test func `changes and updates are those of the photos that meet the condition`() throws {
        let page = try answer(["page", "--limit", "1"], where: "tag:sea")
        let (state, first) = (try #require(page["state"] as? String), try #require(try ids(page).first))
        _ = try ProcessRunner(folder: photostream.folder.path).sqlite(
            photostream.url("photostream.sqlite").path, "UPDATE photo SET tags = NULL WHERE externalId = '\(first)'")
        let changes = try photostream("changes", "--stream", "demo", "--since", state, "--where", "TAG:sea", "--json")
            .json
        #expect(changes["where"] as? String == "tag:sea")
        let kinds = try #require(changes["changes"] as? [[String: Any]]).map { $0["change"] as? String }
        #expect(kinds == ["deleted"])
        let others = try photostream(
            "changes", "--stream", "demo", "--since", state, "--where", "-tag:sea", "--limit", "5")
        #expect(others.output.contains("inserted") && others.output.contains(first), "\(others.output)")
        #expect(others.output.contains(/\nwhere +-tag:sea\n/), "\(others.output)")
        let updates = try answer(["updates", "--since", state, "--rect", "0,0,900,900"], where: "tag:sea")
        let deleted = try #require(updates["deletions"] as? [[String: Any]]).map { $0["photo"] as? String }
        #expect(deleted == [first] && updates["where"] as? String == "tag:sea")
        let day = ["changes", "--stream", "demo", "--since", state, "--where", "taken:last-30d"]
        let outcome = try photostream.run(day)
        #expect(outcome.status == 3)
        #expect(
            outcome.errors.contains("the condition depends on the current day or the stream's name"),
            "\(outcome.errors)")
    }

    @Test func `facets, statistics and exports are those of the photos that meet the condition`() throws {
        let count = try #require(try answer(["layout"], where: "tag:sea")["count"] as? Int)
        func run(_ arguments: String...) throws -> Command.Outcome {
            try photostream.run(arguments + ["--stream", "demo", "--where", "TAG:sea"])
        }
        let facets = try run("facets", "--json", "--limit", "3").json
        #expect(facets["count"] as? Int == count && facets["where"] as? String == "tag:sea")
        let years = try #require(facets["years"] as? [[String: Any]])
        #expect(years.count == 3)
        for year in years {
            let term = try #require(year["where"] as? String)
            #expect(try answer(["layout"], where: "tag:sea \(term)")["count"] as? Int == year["count"] as? Int)
        }
        let table = try run("facets").output
        #expect(table.contains(/\ntags +sea +\d+ +tag:sea\n/), "\(table)")
        let stats = try #require(try run("stats", "--json").json["streams"] as? [[String: Any]]).first
        #expect(stats?["count"] as? Int == count)
        let lines = try run("export").output.split(separator: "\n")
        #expect(lines.count == count + 1)
        #expect(try photostream("export", "--stream", "demo").output.split(separator: "\n").count == 121)
        for limit in ["0", "101"] {
            let outcome = try run("facets", "--limit", limit)
            #expect(outcome.status == 64 && outcome.errors.contains("1 to 100"), "\(outcome.errors)")
        }
    }

    @Test func `a photo outside the view is refused by name`() throws {
        let item = try photostream.run(["item", "--photo", "threads", "--where", "tag:sea"] + layout)
        #expect(item.status == 1 && item.errors == "photostream: photo \"threads\" does not meet the condition\n")
    }

    /// One bad condition of each kind, and the sentences of its error.
    private static let bad: [(condition: String, sentences: String)] = [
        (
            "sunset tga:beach",
            "Column 8: \"tga:\" is not a qualifier. Expected a qualifier such as tag:, or quotation marks around the words."
                + " Did you mean \"tag:\"?"
        ),
        ("http://a", "Column 1: An address is not a word. Expected quotation marks around it."),
        ("a tag:", "Column 3: tag: has an empty value. Expected a value, such as tag:beach."),
        ("camera:&", "Column 8: \"&\" has no letter or digit. Expected a value, such as camera:iphone."),
        ("a & b", "Column 3: \"&\" has no letter or digit. Expected a word, or nothing."),
        (
            "rating:6",
            "Column 8: \"6\" is not a value of rating:. Expected a number from -1 to 5, or a range such as 2..4, 2.. or >=2."
        ),
        (
            "rating:4*",
            "Column 8: rating: takes no asterisk. Expected a number from -1 to 5, or a range such as 2..4, 2.. or >=2."
        ),
        (
            "taken:2021-13",
            "Column 7: \"2021-13\" is not a value of taken:. Expected a date such as 2021, 2021-05 or 2021-05-17, a range such"
                + " as 2019..2021-05 or >=2020, or last-30d."
        ),
        (
            "near:47,8",
            "Column 6: \"47,8\" is not a value of near:. Expected degrees north, degrees east and a distance in km or m, such"
                + " as 47.37,8.54,20km."
        ),
        (
            "within:3,0,1,1",
            "Column 8: \"3,0,1,1\" is not a value of within:. Expected the southern, western, northern and eastern edge in"
                + " degrees, such as 45.8,5.9,47.8,10.5."
        ),
        (
            "type:\"j\npg\"",
            "Column 6: \"j pg\" is not a value of type:. Expected one of jpeg, png, gif, webp, heic, avif, tiff, bmp, jxl, raw,"
                + " video."
        ),
        ("(a", "Column 1: A parenthesis is not closed. Expected a closing one after it."),
        ("a)", "Column 2: A parenthesis is closed but not opened. Expected an opening one before it."),
        (
            "a(b)",
            "Column 2: A parenthesis is in the middle of a word. Expected a space before it, or quotation marks around the"
                + " whole."
        ),
        ("\"a", "Column 1: A quotation mark is not closed. Expected another at the end of the words."),
        ("\"a\"b", "Column 4: A quotation mark ends in the middle of a word. Expected a space after it."),
        ("a*b", "Column 2: An asterisk is in the middle of a word. Expected it at the end, or quotation marks."),
        (
            "a OR",
            "Column 3: OR needs a term before and after it. Expected two terms, or quotation marks around the word."
        ),
        ("a NOT b", "Column 3: NOT is not an operator. Expected a minus sign directly before the term."),
        (
            "-",
            "Column 1: A minus sign is alone. Expected a term directly after it, or quotation marks around it."
        ),
        (
            String(repeating: "(", count: 17),
            "Column 17: The parentheses and minus signs are nested too deeply. Expected at most 16, one in another."
        ),
        (
            Array(repeating: "a", count: 65).joined(separator: " "),
            "Column 129: The condition has too many terms. Expected at most 64."
        ),
        (
            String(repeating: "a", count: 1_001),
            "Column 1001: The condition has 1001 bytes. Expected at most 1000."
        ),
    ]

    @Test func `each kind of bad condition is a usage error with its column`() throws {
        for (condition, sentences) in Self.bad {
            let outcome = try photostream.run(["layout", "--where", condition] + layout)
            #expect(outcome.status == 64 && outcome.output.isEmpty)
            let shown = sentences.hasSuffix(".") ? String(sentences.dropLast()) : sentences
            #expect(outcome.errors == "photostream: --where: \(shown) (see 'photostream layout --help')\n")
        }
    }

    @Test(arguments: [
        ["layout"], ["page"], ["rect", "--rect", "0,0,9,9"], ["item", "--index", "0"], ["scrubber"],
        ["updates", "--since", "0", "--rect", "0,0,9,9"], ["render", "--output", "view.svg"],
    ])
    func `each command with a view refuses a bad condition, and its help names the document`(arguments: [String]) throws
    {
        let outcome = try photostream.run(arguments + layout + ["--where", "is:nice"])
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix("photostream: --where: Column 4: \"nice\" is not a value of is:. Expected one of ")
        )
        let help = try photostream(arguments[0], "--help").output
        #expect(help.contains(/--where <condition>/))
        #expect(
            help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("Documentation/Conditions.md"))
    }

    @Test func `the command and HTTP refuse a condition with the same sentences`() throws {
        let server = try ServedFile(in: photostream.folder)
        let problem = try server.json("/v1/streams/demo/layout?width=900&where=sunset+tga:beach")
        #expect(problem["detail"] as? String == Self.bad[0].sentences)
        #expect(problem["parameter"] as? String == "where")
        let answer = try server.json("/v1/streams/demo/layout?width=900&where=tag:Sea")
        #expect(answer["where"] as? String == "tag:sea")
    }

    @Test(arguments: [
        (["layout", "--width", "9", "--where"], "missing value for '--where <condition>'"),
        (["layout", "--width", "9", "--where", "a place:Rome"], "no photo has the value of \"place:rome\""),
        (["cache", "warm", "--width", "9", "--where", "a"], "unknown option '--where'"),
        (["photos", "list", "--where", "a"], "unknown option '--where'"),
    ])
    func `a condition that is not answered, or not taken, is a usage error`(arguments: [String], message: String) throws
    {
        let isName = { (argument: String) in !argument.hasPrefix("--") }
        let command = Array(arguments.prefix(while: isName))
        let outcome = try photostream.run(command + ["--stream", "demo"] + arguments.drop(while: isName))
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
