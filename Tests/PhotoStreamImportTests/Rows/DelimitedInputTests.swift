import PhotoStreamModel
import Testing

@testable import PhotoStreamImport

@Suite struct DelimitedInputTests {
    private func captions(_ outcome: ImportOutcome) -> [FieldChange<String>] {
        outcome.records.map(\.caption)
    }

    @Test(arguments: [
        ("id;width;height;caption\r\na;40;30;Gr\u{FC}\u{DF}e\r\n", "Gr\u{FC}\u{DF}e"),
        ("\u{FEFF}id;width;height;caption\r\na;40;30;\"a;b,c\"\r\n", "a;b,c"),
        ("\"id\";\"width\";\"height\";\"caption\"\na;40;30;x\n", "x"),
        ("id,width,height,caption,\"a;b;c;d;e\"\na,40,30,\"x;y\",1\n", "x;y"),
    ])
    func `semicolons separate cells if the header has more of them than commas`(
        text: String, caption: String
    ) async throws {
        let outcome = try await ImportOutcome.reading(text, name: "a.csv")
        #expect(outcome.rejects.isEmpty)
        #expect(outcome.records.first?.id.rawValue == "a")
        #expect(outcome.records.first?.caption == .set(caption))
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `quoted cells may contain separators, quotes and line ends`(end: String) async throws {
        let text = [
            "\u{FEFF}\"id\", width ,height,caption",
            "a,1,2,\"x, \"\"y\"\"\(end)z\"",
            "",
            "\"b\",\"3\",4,\"\"",
            "c,,,plain \"quotes\" inside",
        ].joined(separator: end)
        let outcome = try await ImportOutcome.reading(text, name: "a.csv")
        #expect(outcome.rejects.isEmpty)
        #expect(outcome.ids == ["a", "b", "c"])
        #expect(captions(outcome) == [.set("x, \"y\"\(end)z"), .clear, .set("plain \"quotes\" inside")])
        #expect(outcome.records[2].size == .clear)
        #expect(outcome.records[0].alt == .keep)
    }

    @Test(
        arguments: [
            ("id,width,height\na,1\nb,1,2\n", ["b"], ["2:1: the row has 2 cells, but the header has 3 columns"]),
            ("id,width,height\na,1,2,3\nb,1,2", ["b"], ["2:1: the row has 4 cells, but the header has 3 columns"]),
            (
                "id,caption\na,\"x\"y\nb,c", ["b"],
                [
                    "2:6: text follows the closing quote of cell 2; if quotes are plain characters here, "
                        + "import with --no-quoting"
                ]
            ),
            (
                "id,caption\nb,c\na,\"x\n", ["b"],
                [
                    "3:1: a quote that opens in this row is never closed; if quotes are plain characters here, "
                        + "import with --no-quoting"
                ]
            ),
            ("id,caption\n,x\nb,c", ["b"], ["2:1: the id is missing"]),
            ("id,caption\na,\"x\ny\"\n\n,z\nb,c", ["a", "b"], ["5:1: the id is missing"]),
            ("id,width,height\na,3000,0\nb,,", ["b"], ["2:8: height 0 is not positive"]),
        ] as [(String, [String], [String])])
    func `a malformed row is rejected with its position`(text: String, ids: [String], reasons: [String]) async throws {
        let outcome = try await ImportOutcome.reading(text, name: "a.csv")
        #expect(outcome.ids == ids)
        #expect(outcome.placedReasons == reasons)
    }

    @Test func `without quoting, quotes are characters`() async throws {
        let text = "id,caption\r\na,\"x\r\nb,y\"z\"\r\n"
        let outcome = try await ImportOutcome.reading(text, name: "a.csv", quoting: false)
        #expect(captions(outcome) == [.set("\"x"), .set("y\"z\"")])
    }

    @Test func `quotes in TSV are characters unless quoting is enabled`() async throws {
        let plain = try await ImportOutcome.reading("id\tcaption\na\t\"x\nb\t\"y\"\n", name: "a.tsv")
        #expect(captions(plain) == [.set("\"x"), .set("\"y\"")])
        let quoted = try await ImportOutcome.reading(
            "id\tcaption\na\t\"x\ty\"\nb\t\"\"\"z\"\n", name: "a.tsv", quoting: true)
        #expect(captions(quoted) == [.set("x\ty"), .set("\"z")])
    }

    @Test func `a row of tabs is a record without an id, not a blank line`() async throws {
        let outcome = try await ImportOutcome.reading("id\tcaption\n\t\n \n", name: "a.tsv")
        #expect(outcome.placedReasons == ["2:1: the id is missing"])
    }

    @Test func `a missing id is reported with its column`() async throws {
        let outcome = try await ImportOutcome.reading("key,caption\n,x\n", name: "a.csv", map: "id=key")
        #expect(outcome.reasons == ["the id is missing (it is read from \"key\")"])
    }
}
