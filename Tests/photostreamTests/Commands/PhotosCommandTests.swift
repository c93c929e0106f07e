import Foundation
import PhotoStreamModel
import Testing

@Suite struct PhotosCommandTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    private func ids(_ outcome: Command.Outcome) throws -> [String] {
        try #require(try outcome.json["photos"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    @Test func `a list continues after a photo`() throws {
        try photostream.importSamples()
        let whole = try photostream("photos", "--stream", "demo", "--limit", "1000", "--json")
        #expect(try Set(whole.json.keys) == ["stream", "photos", "truncated"])
        #expect(try whole.json["truncated"] as? Bool == false)
        let all = try ids(whole)
        #expect(all.count == 120)
        let first = try photostream("photos", "list", "--stream", "demo", "--limit", "50", "--json")
        #expect(try first.json["truncated"] as? Bool == true)
        let head = try ids(first)
        let rest = try photostream("photos", "--stream", "demo", "--after", head[49], "--json")
        #expect(try head + ids(rest) == all)
        let table = try photostream("photos", "--stream", "demo", "--limit", "50").output
        #expect(table.contains("more: --after \(head[49])"))
    }

    @Test func `photos are listed by their ids, and unknown ids reported`() throws {
        try photostream.importSamples()
        let arguments = [
            "photos", "list", "--stream", "demo", "--id", "balloons-01", "--id", "a,b", "--id", "lac-miroir",
        ]
        let json = try photostream.run(arguments + ["--json"])
        #expect(try ids(json) == ["balloons-01", "lac-miroir"])
        #expect(try json.json["missing"] as? [String] == ["a,b"])
        let table = try photostream.run(arguments)
        #expect(table.output.contains("balloons-01") && table.output.hasSuffix("\n\nmissing: a,b\n"), "\(table.output)")
        let misused = try photostream.run(arguments + ["--limit", "5"])
        #expect(misused.status == 64)
        #expect(misused.errors.contains("--id lists the photos that it names"), "\(misused.errors)")
    }

    @Test func `an edit with a text that is too long is rejected with a sentence`() throws {
        try photostream.importSamples()
        let long = String(repeating: "x", count: 65_537)
        let outcome = try photostream("photos", "edit", "--stream", "demo", "balloons-01", "--caption", long)
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix("photostream: the caption has 65537 bytes, more than 65536 (see "),
            "\(outcome.errors)")
        let alt = try photostream(
            "photos", "edit", "--stream", "demo", "balloons-01", "--alt", String(long.prefix(4_097)))
        #expect(alt.errors.contains("the alternative text has 4097 bytes, more than 4096"), "\(alt.errors)")
    }

    @Test func `an export is imported unchanged`() throws {
        try photostream.importSamples()
        let export = try photostream("photos", "list", "--stream", "demo", "--export")
        #expect(try export.jsonLines.count == 120)
        try photostream.write("export.jsonl", export.output)
        let again = try photostream("import", "--stream", "demo", "--json", "export.jsonl").json
        #expect(again["unchanged"] as? Int == 120)
    }

    @Test func `an export gives another stream the same order`() throws {
        // Many photos of few times, more than one read holds, some without a time; some are moved among their equals.
        let records = (0..<2_300).map { index in
            let time = index % 7 == 6 ? "null" : "\"2026-11-2\(index % 7)T10:00:00Z\""
            return #"{"id":"p\#(index)","width":4,"height":3,"takenAt":\#(time)}"#
        }
        try photostream.write("p.jsonl", records.joined(separator: "\n"))
        try photostream("import", "--stream", "old", "p.jsonl")
        for (id, place, other) in [("p7", "--before", "p2296"), ("p21", "--after", "p0"), ("p13", "--before", "p6")] {
            #expect(try photostream("photos", "move", "--stream", "old", id, place, other).status == 0)
        }
        func order(_ stream: String) throws -> [String] {
            let export = try photostream("photos", "list", "--stream", stream, "--export")
            return try export.jsonLines.compactMap { $0["id"] as? String }
        }
        let expected = try order("old")
        #expect(expected.count == 2_300 && Set(expected).count == 2_300)
        let head = try photostream("photos", "list", "--stream", "old", "--limit", "1000", "--json")
        #expect(try Array(expected.prefix(1_000)) == ids(head))
        try photostream.write("export.jsonl", try photostream("photos", "list", "--stream", "old", "--export").output)
        try photostream("import", "--stream", "new", "export.jsonl")
        #expect(try order("new") == expected)
        // A photo moved to another time returns to its own, which is the time that is exported.
        try photostream("photos", "move", "--stream", "old", "p8", "--before", "p5")
        #expect(try order("old").prefix(330).contains("p8"))
        try photostream.write("moved.jsonl", try photostream("photos", "list", "--stream", "old", "--export").output)
        try photostream("import", "--stream", "back", "moved.jsonl")
        #expect(try order("back").filter { $0 != "p8" } == expected.filter { $0 != "p8" })
        #expect(try !order("back").prefix(1_000).contains("p8"))
    }

    @Test func `a photo is shown and edited, and an import does not revert the edit`() throws {
        try photostream.write(
            "p.jsonl", #"{"id":"a","width":30,"height":20,"caption":"old","tags":["x"],"alt":"gone"}"#)
        try photostream("import", "--stream", "s", "p.jsonl")
        let edit = try photostream(
            "photos", "edit", "--stream", "s", "a", "--caption", "-new-", "--tags", "sea,old harbour", "--taken-at",
            "2026-11-21T08:38:53+01:00", "--latitude", "-33.5", "--longitude", "18", "--orientation", "6", "--color",
            "#abc", "--clear", "alt", "--json")
        #expect(edit.status == 0, "\(edit.errors)")
        let photo = try edit.json
        #expect(photo["caption"] as? String == "-new-")
        #expect(photo["captionSource"] as? String == "person")
        #expect(photo["tags"] as? [String] == ["sea", "old harbour"])
        #expect(photo["takenAt"] as? String == "2026-11-21T08:38:53+01:00")
        #expect(photo["latitude"] as? Double == -33.5)
        #expect(photo["color"] as? String == "#aabbcc")
        #expect(photo["orientation"] as? Int == 6)
        #expect(photo["alt"] == nil)
        try photostream("import", "--stream", "s", "p.jsonl")
        let shown = try photostream("photos", "show", "--stream", "s", "a", "--json")
        #expect(try shown.json["caption"] as? String == "-new-")
        let table = try photostream("photos", "show", "--stream", "s", "a").output
        #expect(table.contains("size         20 × 30\n"), "\(table)")
    }

    @Test(arguments: [
        (["--taken-at", "soon"], "\"soon\" is not a date"),
        (["--width", "3", "--height", ""], "width is given, but height is missing"),
        (["--latitude", "", "--longitude", "3"], "longitude is given, but latitude is missing"),
        (["--width", "0", "--height", "3"], "width 0 is not positive"),
        (["--latitude", "91", "--longitude", "0"], "latitude 91.0 is outside -90 to 90"),
        (["--color", "pale"], "\"pale\" is not a colour such as #1a2b3c"),
        (["--caption", "a", "--clear", "caption"], "caption cannot be given and cleared at once"),
        (["--clear", "weather"], "weather"),
        (["--rating", "6"], "\"6\" is not a rating from -1 to 5"),
        (["--rating", "***"], "\"***\" is not a rating from -1 to 5"),
        (["--favourite", "perhaps"], "\"perhaps\" is neither true nor false"),
        (["--title", String(repeating: "x", count: 4_097)], "the title has 4097 bytes, more than 4096"),
        (["--rating", "1", "--clear", "rating"], "rating cannot be given and cleared at once"),
        (["--latitude", "1", "--clear", "position"], "position cannot be given and cleared at once"),
        ([], "there is nothing to change"),
    ])
    func `an invalid edit is invalid usage`(options: [String], message: String) throws {
        try photostream("streams", "create", "s")
        let outcome = try photostream.run(["photos", "edit", "--stream", "s", "a"] + options)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix(" (see 'photostream photos edit --help')\n"), "\(outcome.errors)")
    }

    /// The name of an option.
    private static func option(_ name: StaticString) -> String {
        name.description.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }

    /// A value for the option of each field, and the member of the photo's JSON.
    private static let values: [(option: String, value: String, member: String)] = {
        let values = [
            "width": "30", "height": "20", "orientation": "6", "takenAt": "2026-11-21T08:38:53Z", "latitude": "-33.5",
            "longitude": "18.0", "tags": "sea,harbour", "color": "#aabbcc", "rating": "-1",
            "people": "Ada,Grace", "aperture": "1.78", "exposureTime": "0.000125", "focalLength": "4.25",
            "duration": "12.5", "stackRank": "0", "stackKind": "raw", "favourite": "true",
            "archived": "true",
        ]
        return PhotoField.allCases.map(\.row).flatMap { row in
            zip(row.members, row.types).map { name, type in
                let value = values[name.description] ?? (type == .text ? "Words of the \(name)" : "1")
                return (option(name), value, name.description)
            }
        }
    }()

    @Test func `every field is set, shown, exported, imported again and cleared`() throws {
        try photostream.write("p.jsonl", #"{"id":"a"}"#)
        try photostream("import", "--stream", "s", "p.jsonl")
        let edit = try photostream.run(
            ["photos", "edit", "--stream", "s", "a"] + Self.values.flatMap { ["--\($0.option)", $0.value] })
        #expect(edit.status == 0, "\(edit.errors)")
        let export = try photostream("photos", "list", "--stream", "s", "--export").output
        let photo = try #require(try photostream("photos", "list", "--stream", "s", "--export").jsonLines.first)
        for (_, value, member) in Self.values {
            let shown = (photo[member] as? [String])?.joined(separator: ",") ?? photo[member].map { "\($0)" }
            let number: Double? = shown.flatMap { Double($0) }
            // The rank of a cover is left out.
            let isCover = member == "stackRank" && value == "0" && shown == nil
            let isFlag = photo[member] as? Bool == true
            let isSame: Bool = shown == value || (number != nil && number == Double(value)) || isCover || isFlag
            #expect(isSame, "\(member): \(shown ?? "none")")
        }
        let table = try photostream("photos", "show", "--stream", "s", "a").output
        for words in [
            "-1", "Words of the title", "Words of the camera", "content hash", "sea, harbour", "1.78", "Ada, Grace",
            "favourite", "archived",
        ] {
            #expect(table.contains(words), "\(table)")
        }
        try photostream.write("export.jsonl", export)
        try photostream("import", "--stream", "again", "export.jsonl")
        try photostream("streams", "copy", "s", "copy", "--order", "manual")
        // Unlike a copy, an imported photo has no edits.
        let imported = export.replacing(#""takenAtSource":"person""#, with: #""takenAtSource":"record""#)
            .replacing(#""person""#, with: #""import""#)
            .replacing(/,"edited":\[[^\]]*\]/, with: "")
        for (stream, expected) in [("again", imported), ("copy", export)] {
            #expect(try photostream("photos", "list", "--stream", stream, "--export").output == expected)
        }
        let clear = ["--clear"]
        let names = PhotoField.allCases.map { Self.option($0.row.name) }
        let known = [
            "size", "orientation", "taken-at", "caption", "alt", "tags", "location", "position", "content-hash",
            "placeholder", "color", "rating", "title", "camera", "lens", "iso", "aperture", "exposure-time",
            "focal-length", "people",
        ]
        #expect(names.starts(with: known))
        let bare = try photostream.run(
            ["photos", "edit", "--stream", "s", "a", "--json"] + names.flatMap { clear + [$0] })
        let members = try bare.json.keys.sorted()
        #expect(members == ["edited", "id", "metrics"], "\(bare.errors)")
        let help = try photostream("photos", "edit", "--help").output
        #expect(names.allSatisfy { help.contains($0) }, "\(help)")
    }

    @Test func `one value of a size or a position can be edited, and the other is kept`() throws {
        try photostream.write("p.jsonl", #"{"id":"a","width":30,"height":20,"latitude":1.5,"longitude":2.5}"#)
        try photostream("import", "--stream", "s", "p.jsonl")
        func edit(_ options: String...) throws -> Command.Outcome {
            try photostream.run(["photos", "edit", "--stream", "s", "a", "--json"] + options)
        }
        let members = ["width", "height", "latitude", "longitude"]
        let halved = try edit("--height", "40", "--latitude", "-3").json
        #expect(members.map { halved[$0] as? Double } == [30, 40, -3, 2.5])
        let cleared = try edit("--width", "", "--longitude", "").json
        #expect(members.map { cleared[$0] as? Double } == [nil, nil, nil, nil])
        for (option, message) in [
            ("--width", "width is given, but height is missing"),
            ("--longitude", "longitude is given, but latitude is missing"),
        ] {
            let outcome = try edit(option, "5")
            #expect(outcome.status == 64)
            #expect(outcome.errors == "photostream: \(message) (see 'photostream photos edit --help')\n")
        }
    }

    @Test func `photos are moved and deleted`() throws {
        try photostream.importSamples()
        let before = try ids(try photostream("photos", "--stream", "demo", "--limit", "3", "--json"))
        let move = try photostream("photos", "move", "--stream", "demo", before[2], "--before", before[0], "--json")
        #expect(try move.json["moved"] as? Int == 1)
        let after = try ids(try photostream("photos", "--stream", "demo", "--limit", "3", "--json"))
        #expect(after == [before[2], before[0], before[1]])
        let again = try photostream("photos", "move", "--stream", "demo", before[2], "--before", before[0])
        #expect(again.output.contains("is already there"))
        let unknown = try photostream("photos", "delete", "--stream", "demo", before[0], "missing")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "photostream: stream \"demo\" has no photo \"missing\"\n")
        let deleted = try photostream("photos", "delete", "--stream", "demo", before[0], before[0], before[1], "--json")
        #expect(try deleted.json["deleted"] as? Int == 2)
        #expect(try photostream("photos", "move", "--stream", "demo", before[2]).status == 64)
        #expect(try photostream("photos", "show", "--stream", "demo", before[0]).status == 1)
    }

    @Test func `photos are deleted by a list of ids, and unknown ones are reported`() throws {
        try photostream.importSamples()
        let all = try ids(try photostream("photos", "--stream", "demo", "--limit", "1000", "--json"))
        try photostream.write("gone.txt", all[..<50].joined(separator: "\r\n") + "\n\n")
        let deleted = try photostream("photos", "delete", "--stream", "demo", "--ids-from", "gone.txt")
        #expect(deleted.status == 0 && deleted.errors.isEmpty)
        #expect(deleted.output == "deleted 50 photos\n")
        let again = try photostream("photos", "delete", "--stream", "demo", "--ids-from", "gone.txt", "--json")
        #expect(again.status == 2)
        #expect(try again.json["deleted"] as? Int == 0 && again.json["unknown"] as? Int == 50)
        #expect(again.errors.hasPrefix("photostream: stream \"demo\" has no photo \"\(all[0])\"\n"))
        #expect(again.errors.hasSuffix("… and 30 more unknown photos\n"))
        #expect(again.errors.split(separator: "\n").count == 21)
        let list = [all[60], String(repeating: "x", count: 600), all[60], all[61]].joined(separator: "\n")
        let piped = try photostream(
            "photos", "delete", "--stream", "demo", "--ids-from", "-", "--json", input: list)
        #expect(piped.status == 2)
        #expect(try piped.json["deleted"] as? Int == 2 && piped.json["unknown"] as? Int == 2)
        let left = try ids(try photostream("photos", "--stream", "demo", "--limit", "1000", "--json"))
        #expect(left == Array(all[50..<60]) + all[62...])
        #expect(try photostream("cache", "verify").status == 0)
        #expect(try photostream("photos", "delete", "--stream", "demo").status == 64)
        #expect(try photostream("photos", "delete", "--stream", "demo", "a", "--ids-from", "gone.txt").status == 64)
        let missing = try photostream("photos", "delete", "--stream", "demo", "--ids-from", "nowhere.txt")
        #expect(missing.status == 1)
        #expect(missing.errors == "photostream: nowhere.txt cannot be opened: No such file or directory\n")
        try photostream.write("nobody.txt", "\n")
        #expect(
            try photostream("photos", "delete", "--stream", "demo", "--ids-from", "nobody.txt").output
                == "deleted 0 photos\n")
        let stranger = try photostream("photos", "delete", "--stream", "nope", "--ids-from", "nobody.txt")
        #expect(stranger.status == 1 && stranger.output.isEmpty)
        #expect(stranger.errors == "photostream: there is no stream \"nope\"\n")
    }

    @Test func `several photos are moved in the order of their names`() throws {
        try photostream.importSamples()
        let list = ["photos", "--stream", "demo", "--limit", "6", "--json"]
        let old = try ids(try photostream.run(list))
        let chosen = [old[4], old[2], old[5]]
        let move = ["photos", "move", "--stream", "demo"] + chosen
        let before = try photostream.run(move + ["--before", old[1]])
        #expect(before.output == "moved 3 photos\n", "\(before.errors)")
        #expect(try ids(try photostream.run(list)) == [old[0]] + chosen + [old[1], old[3]])
        #expect(try photostream.run(move + ["--before", old[1]]).output == "the photos are already there\n")
        #expect(try photostream.run(move + ["--after", old[3], "--json"]).json["moved"] as? Int == 3)
        #expect(try ids(try photostream.run(list)) == [old[0], old[1], old[3]] + chosen)
        let besideItself = try photostream.run(move + ["--after", old[2]])
        #expect(besideItself.status == 64)
        #expect(besideItself.errors.contains("photo \"\(old[2])\" cannot be moved next to itself"))
        let twice = try photostream.run(move + [old[5], "--after", old[0]])
        #expect(twice.status == 64 && twice.errors.contains("photo \"\(old[5])\" is named twice"))
        #expect(try photostream.run(move + ["missing", "--after", old[0]]).status == 1)
        #expect(try ids(try photostream.run(list)) == [old[0], old[1], old[3]] + chosen)
        #expect(try photostream("cache", "verify").status == 0)
    }
}
