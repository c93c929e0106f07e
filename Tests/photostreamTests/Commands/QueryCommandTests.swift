import Foundation
import Testing

@Suite struct QueryCommandTests {
    private let photostream: Command
    private let layout = [
        "--stream", "demo", "--width", "1000", "--columns", "3", "--interitem-spacing", "7.5", "--line-spacing", "4",
        "--content-inset", "10,20,30,40", "--display-scale", "2", "--caption-extent", "33",
    ]

    init() throws {
        photostream = try Command()
        try photostream.importSamples()
    }

    private func items(_ object: [String: Any]) throws -> [[String: Any]] {
        try #require(object["items"] as? [[String: Any]])
    }

    private func canonical(_ items: [[String: Any]]) throws -> [String] {
        try items.map {
            String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
        }
    }

    @Test func `a layout shows its size, counts and sections`() throws {
        let object = try photostream.run(["layout", "--json"] + layout).json
        #expect(
            Set(object.keys) == [
                "stream", "revision", "state", "layoutKey", "contentSize", "count", "sectionCount", "sections",
                "nextSection",
            ])
        #expect(object["count"] as? Int == 120)
        #expect((object["contentSize"] as? [String: Any])?["width"] as? Double == 1_000)
        let table = try photostream.run(["layout"] + layout).output
        #expect(table.contains("sections      1\n"))
        #expect(table.contains(try #require(object["layoutKey"] as? String)))
    }

    @Test func `the sections of a layout are split into answers by the limit`() throws {
        let lines = (1...250).map { day in
            #"{"id":"p\#(day)","width":4,"height":3,"takenAt":"\#(1_900 + day / 28)-\#(day % 12 < 9 ? "0" : "")\#(day % 12 + 1)-\#(day % 28 < 9 ? "0" : "")\#(day % 28 + 1)"}"#
        }
        try photostream.write("days.jsonl", lines.joined(separator: "\n"))
        #expect(try photostream("import", "--stream", "days", "days.jsonl").status == 0)
        let layout = ["layout", "--stream", "days", "--width", "100", "--section-by", "day"]
        var (found, next) = ([[String: Any]](), Int?.some(0))
        var sizes: [Int] = []
        while let first = next, sizes.count < 9 {
            let answer = try photostream.run(layout + ["--json", "--limit", "120", "--from-section", String(first)])
                .json
            #expect(answer["sectionCount"] as? Int == 250)
            #expect(answer["count"] as? Int == 250)
            let sections = try #require(answer["sections"] as? [[String: Any]])
            sizes.append(sections.count)
            found += sections
            next = answer["nextSection"] as? Int
        }
        #expect(sizes == [120, 120, 10])
        #expect(found.compactMap { $0["section"] as? Int } == Array(0..<250))
        #expect(found.compactMap { $0["firstIndex"] as? Int } == Array(0..<250))
        let table = try photostream.run(layout).output
        #expect(table.contains("sections      250\n"), "\(table)")
        #expect(table.hasSuffix("\n\n150 more sections: --from-section 100\n"), "\(table)")
        let id = try #require(found[100]["id"] as? String)
        #expect(!table.contains("\n\(id) "))
        let rest = try photostream.run(layout + ["--from-section", "100", "--limit", "150"]).output
        #expect(rest.contains("\n\(id) ") && !rest.contains("more section"))
        let behind = try photostream.run(layout + ["--from-section", "250", "--json"]).json
        #expect((behind["sections"] as? [Any])?.isEmpty == true && behind["nextSection"] is NSNull)
    }

    @Test func `a page is the documented object`() throws {
        let page = try photostream.run(["page", "--json", "--limit", "10"] + layout).json
        #expect(
            Set(page.keys) == [
                "stream", "revision", "state", "layoutKey", "items", "nextCursor", "truncated", "chainRevision",
                "chainState", "inPlace",
            ])
        let mirrored = ["page", "--json", "--stream", "demo", "--height", "800", "--scroll-direction", "horizontal"]
        let counted = try photostream.run(mirrored + ["--layout-direction", "right-to-left"]).json
        #expect((counted["contentSize"] as? [String: Any])?["height"] as? Double == 800)
        #expect(page["inPlace"] as? Bool == true)
        #expect(page["truncated"] as? Bool == true)
        let item = try #require(try items(page).first)
        let required: Set = [
            "index", "photo", "kind", "section", "item", "frame", "captionExtent", "zIndex", "caption",
        ]
        #expect(required.isSubset(of: item.keys))
        #expect(item["kind"] as? String == "item")
        #expect(Set((item["frame"] as? [String: Any] ?? [:]).keys) == ["x", "y", "width", "height"])
    }

    @Test func `the chain of pages equals the rectangle of everything and each item by itself`() throws {
        let pages = try photostream.run(["page", "--all", "--json", "--limit", "37"] + layout).jsonLines
        #expect(pages.count == 4)
        #expect(pages.last?["nextCursor"] is NSNull)
        let chain = try canonical(try pages.flatMap(items))
        #expect(chain.count == 120)
        let rect = try photostream.run(
            ["rect", "--rect", "-1e9,-1e9,2e9,2e9", "--limit", "1000", "--json"] + layout)
        let members: Set = [
            "stream", "revision", "state", "layoutKey", "contentSize", "items", "elements", "nextCursor", "truncated",
        ]
        #expect(try Set(rect.json.keys) == members)
        #expect(try canonical(items(rect.json)) == chain)
        for index in [0, 1, 60, 119] {
            let byIndex = try photostream.run(["item", "--index", String(index), "--json"] + layout).json
            let item = try #require(byIndex["item"] as? [String: Any])
            #expect(try canonical([item]) == [chain[index]])
            let photo = try #require(item["photo"] as? String)
            let byPhoto = try photostream.run(["item", "--photo", photo, "--json"] + layout).json
            #expect(try canonical([try #require(byPhoto["item"] as? [String: Any])]) == [chain[index]])
        }
    }

    @Test func `a truncated rectangle continues with its cursor`() throws {
        let whole = try photostream.run(["rect", "--rect", "0,500,600,3000", "--limit", "1000", "--json"] + layout)
        let first = try photostream.run(["rect", "--rect", "0,500,600,3000", "--limit", "5", "--json"] + layout).json
        #expect(first["truncated"] as? Bool == true)
        let cursor = try #require(first["nextCursor"] as? String)
        let rest = try photostream("rect", "--stream", "demo", "--cursor", cursor, "--limit", "1000", "--json").json
        #expect(try canonical(items(first) + items(rest)) == canonical(items(whole.json)))
    }

    @Test func `packed from the end, the last photo is at the end and pages continue`() throws {
        let options = layout + ["--anchor", "end"]
        let whole = try photostream.run(["layout", "--json"] + options).json
        #expect((whole["layoutKey"] as? String)?.hasSuffix(",anchor=end") == true)
        let first = try photostream.run(["page", "--json", "--limit", "50"] + options).json
        let cursor = try #require(first["nextCursor"] as? String)
        let next = try photostream("page", "--stream", "demo", "--cursor", cursor, "--json").json
        #expect(try items(next).first?["index"] as? Int == 50)
        let all = try photostream.run(["rect", "--rect", "0,0,9000,900000", "--limit", "1000", "--json"] + options).json
        let ends = try items(all).map { item in
            let frame = try #require(item["frame"] as? [String: Double])
            return try #require(frame["y"]) + (try #require(frame["height"]))
        }
        #expect(ends == ends.sorted())
    }

    @Test func `a cursor contains the layout, and a layout key replaces the options`() throws {
        let first = try photostream.run(["page", "--json", "--limit", "50"] + layout).json
        let cursor = try #require(first["nextCursor"] as? String)
        let key = try #require(first["layoutKey"] as? String)
        let outcomes = [
            try photostream("page", "--stream", "demo", "--cursor", cursor, "--json"),
            try photostream("page", "--stream", "demo", "--cursor", cursor, "--layout-key", key, "--json"),
            try photostream.run(["page", "--cursor", cursor, "--json"] + layout),
        ]
        for outcome in outcomes { #expect(outcome.output == outcomes[0].output) }
        #expect(try items(outcomes[0].json).first?["index"] as? Int == 50)
        let byKey = try photostream("page", "--stream", "demo", "--layout-key", key, "--limit", "50", "--json").json
        #expect(try canonical(items(byKey)) == canonical(items(first)))
    }

    @Test func `an altered or foreign cursor is rejected`() throws {
        try photostream.importSamples(into: "other")
        let page = try photostream.run(["page", "--json", "--limit", "50"] + layout).json
        let cursor = try #require(page["nextCursor"] as? String)
        let rect = try photostream.run(["rect", "--rect", "0,0,1000,9000", "--limit", "1", "--json"] + layout).json
        let rectCursor = try #require(rect["nextCursor"] as? String)
        let altered = cursor.dropLast(6) + (cursor.hasSuffix("AAAAAA") ? "BBBBBB" : "AAAAAA")
        let bad: [(arguments: [String], message: String)] = [
            (["--stream", "demo", "--cursor", String(altered)], "it was altered"),
            (["--stream", "demo", "--cursor", "nonsense"], "it was altered"),
            (["--stream", "other", "--cursor", cursor], "it belongs to another stream"),
            (["--stream", "demo", "--cursor", rectCursor], "it goes on with a rectangle"),
            (["--stream", "demo", "--cursor", cursor, "--width", "999"], "not those that it was made with"),
        ]
        for (arguments, message) in bad {
            let outcome = try photostream.run(["page"] + arguments)
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("photostream: the cursor is refused: "), "\(outcome.errors)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test func `a chain continues without shifts when photos are added at its start`() throws {
        let whole = try photostream.run(["page", "--all", "--json", "--limit", "1000"] + layout).jsonLines
        let first = try photostream.run(["page", "--json", "--limit", "50"] + layout).json
        try photostream.write("new.jsonl", "{\"id\":\"new\",\"width\":3,\"height\":2,\"takenAt\":\"2099-01-01\"}\n")
        try photostream("import", "--stream", "demo", "new.jsonl")
        let cursor = try #require(first["nextCursor"] as? String)
        let second = try photostream("page", "--stream", "demo", "--cursor", cursor, "--json").json
        #expect(second["inPlace"] as? Bool == false)
        #expect(second["chainRevision"] as? Int == first["revision"] as? Int)
        #expect(try canonical(items(first) + items(second)) == canonical(try items(whole[0])))
    }

    @Test func `a query of a stored layout folds nothing`() throws {
        try photostream.run(["cache", "warm"] + layout)
        let before = try photostream("cache", "status", "--json").json
        #expect(Set(before.keys) == ["layouts", "bytes", "budget"])
        let layouts = try #require(before["layouts"] as? [[String: Any]])
        #expect(layouts.count == 1)
        #expect(
            Set(layouts[0].keys) == ["stream", "layoutKey", "checkpoints", "frames", "bytes", "lastUsed"])
        let whole = try photostream.run(["layout", "--verbose"] + layout)
        #expect(whole.errors.contains("folded=0"), "\(whole.errors)")
        // A page needs no layout.
        let page = try photostream.run(["page", "--verbose"] + layout)
        #expect(page.status == 0 && !page.errors.contains("folded="), "\(page.errors)")
    }

    @Test func `a point returns its photo, and the position of one that is dragged there`() throws {
        let page = try photostream.run(["page", "--json", "--limit", "40"] + layout).json
        for item in try items(page) {
            let frame = try #require(item["frame"] as? [String: Double])
            let point = "\(frame["x"]! + 1),\(frame["y"]! + frame["height"]! - 0.5)"
            let answer = try photostream.run(["item", "--at", point, "--json"] + layout).json
            #expect(
                Set(answer.keys) == ["stream", "revision", "state", "layoutKey", "contentSize", "item", "insertion"])
            #expect(try canonical([try #require(answer["item"] as? [String: Any])]) == canonical([item]))
            let insertion = try #require(answer["insertion"] as? [String: Any])
            // In the cell's lower half: the place is after the photo.
            #expect(insertion["index"] as? Int == (item["index"] as? Int).map { $0 + 1 })
            #expect(insertion["after"] as? String == item["photo"] as? String)
        }
        let text = try photostream.run(["item", "--at", "25,15"] + layout).output
        #expect(text.contains("photo           orientation-8\n"))
        #expect(text.contains("index path      section 0, item 0\n"))
        #expect(text.contains("would go to     section 0, item 0, index 0\nbefore          orientation-8\n"))
        let outside = try photostream.run(["item", "--at", "-1,1e9"] + layout)
        #expect(outside.status == 0)
        #expect(outside.output.hasPrefix("photo         none at this point\nwould go to   section 0, item "))
        let json = try photostream.run(["item", "--at", "-1,1e9", "--json"] + layout).json
        #expect(json["item"] is NSNull)
        let near = try photostream.run(["item", "--at", "-1,1e9", "--nearest", "--json"] + layout).json
        let nearest = try #require(near["item"] as? [String: Any])
        #expect(nearest["photo"] is String)
        let misused = try photostream.run(["item", "--index", "1", "--nearest"] + layout)
        #expect(misused.status == 64 && misused.errors.contains("--nearest requires --at"))
    }

    @Test func `a rectangle's table of other elements matches its JSON`() throws {
        let arguments = [
            "rect", "--stream", "demo", "--width", "600", "--algorithm", "flow", "--item-size", "100,80",
            "--section-by", "year", "--header-size", "30", "--footer-size", "10", "--section-background",
            "--separator-thickness", "1", "--line-spacing", "8", "--badge-size", "20,20", "--rect", "0,0,600,900",
        ]
        let object = try photostream.run(arguments + ["--json"]).json
        let elements = try #require(object["elements"] as? [[String: Any]])
        let expected = try elements.map { element in
            let frame = try #require(element["frame"] as? [String: Int])
            let path = ["section", "item"].compactMap { element[$0] as? Int }
            let numbers = path + ["x", "y", "width", "height"].compactMap { frame[$0] }
            return [try #require(element["kind"] as? String)]
                + (numbers + [try #require(element["zIndex"] as? Int)]).map(String.init)
        }
        let parts = try photostream.run(arguments).output.components(separatedBy: "\n\n")
        try #require(parts.count == 3)
        let rows = parts[1].split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows[0] == ["element", "section", "item", "x", "y", "width", "height", "zIndex"])
        #expect(Array(rows.dropFirst()) == expected)
        #expect(Set(elements.compactMap { $0["kind"] as? String }).count == 5)
        // If there are none, there is no table.
        let plain = ["rect", "--stream", "demo", "--width", "600", "--rect", "0,0,600,900"]
        #expect(try photostream.run(plain).output.components(separatedBy: "\n\n").count == 2)
    }

    @Test func `unknown streams and photos are errors`() throws {
        let bad: [(arguments: [String], message: String)] = [
            (["layout", "--stream", "missing", "--width", "9"], "there is no stream \"missing\""),
            (["item", "--stream", "demo", "--width", "9", "--photo", "no"], "stream \"demo\" has no photo \"no\""),
            (["item", "--stream", "demo", "--width", "9", "--index", "120"], "index 120 is outside the stream"),
            (["layout", "--database", "no.sqlite", "--stream", "demo", "--width", "9"], "no.sqlite does not exist"),
        ]
        for (arguments, message) in bad {
            let outcome = try photostream.run(arguments)
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("photostream: " + message), "\(outcome.errors)")
        }
        #expect(try !photostream.files.contains("no.sqlite"))
    }
}
