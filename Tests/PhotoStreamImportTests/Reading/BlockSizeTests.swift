import Testing

@testable import PhotoStreamImport

@Suite struct BlockSizeTests {
    static let inputs: [(name: String, text: String)] = [
        (
            "lines.jsonl",
            "\u{FEFF} {\"id\":\"a\",\"width\":3,\"height\":2,\"caption\":\"h\\u00e9 é😀\"}\r\n\r\n{\"id\":,}\r\n"
                + "{\"id\":\"b\",\"tags\":[\"x\",\"y\"],\"takenAt\":\"?\"}\r\n{\"id\":\"c\",\"images\":[{\"url\":\"u\\\""
        ),
        ("returns.jsonl", "{\"id\":\"a\"}\r{\"id\":\"b\",\"width\":0,\"height\":1}\r\r{\"id\":\"c\"}\r"),
        (
            "array.json",
            "\n[ {\"id\":\"a\",\"caption\":\"]}\\\"é\"} ,\r\n{\"id\":[1},\n\n 12, {\"id\":\"b\"} {\"id\":\"c\"},]\n"
        ),
        ("objects.json", "{\n \"id\": \"a\"\n}\n{\"id\":\"b\"}{\"id\":\"c\"} x y z"),
        (
            "rows.csv",
            "\u{FEFF}id,caption,width,height\r\na,\"x\r\n\"\"é\"\"\",3,2\r\n\r\nb,y,1\r\nc,\"z\"z,1,1\r\nd,\"open\r\n,"
        ),
        ("returns.csv", "id,caption\ra,\"x\ry\"\rb,z\r"),
        ("rows.tsv", "id\tcaption\na\tx\n\t\nb\ty"),
        ("guessed", " \n id\tcaption\na\tx\n\t\nb\ty\r"),
        ("guessedObject", " \n{\"id\":\n\"a\"}"),
        ("long.jsonl", "{\"id\":\"a\"}\n{\"id\":\"\(String(repeating: "x", count: 90))\"}\r\n{\"id\":\"b\"}"),
        ("long.json", "[{\"id\":\"a\"},\n{\"id\":\"\(String(repeating: "{\\\"", count: 90))\"},{\"id\":\"b\"}]"),
        ("long.csv", "id,caption\na,\"\(String(repeating: "é\"\"\n", count: 90))\"\nb,c"),
    ]

    private func read(_ input: (name: String, text: String), blockSize: Int) async throws -> ImportOutcome {
        var limits = ReaderLimits()
        limits.blockSize = blockSize
        limits.maximumRecordByteCount = 80
        var outcome = try await ImportOutcome.reading(Array(input.text.utf8), name: input.name, limits: limits)
        // The mapping is native, and the end of the last batch is the same for all sizes.
        outcome.unusedPaths = []
        return outcome
    }

    @Test(arguments: inputs.indices)
    func `the result does not depend on the block size`(index: Int) async throws {
        let input = Self.inputs[index]
        let whole = try await read(input, blockSize: 1 << 20)
        #expect(whole.records.count + whole.rejects.count > 0)
        let unread = input.name == "objects.json" ? "x y z".utf8.count : 0
        #expect(whole.bytesConsumed == Int64(input.text.utf8.count - unread))
        for blockSize in Array(1...64) + [100, 127, 128, 1_000] {
            let outcome = try await read(input, blockSize: blockSize)
            #expect(outcome == whole, "block size \(blockSize)")
        }
    }

    @Test func `a record that is too long is rejected, and the next one is read`() async throws {
        for name in ["long.jsonl", "long.json", "long.csv"] {
            let input = try #require(Self.inputs.first { $0.name == name })
            let outcome = try await read(input, blockSize: 16)
            #expect(outcome.ids.last == "b")
            #expect(outcome.placedReasons == ["2:1: the record is longer than 80 bytes"])
        }
    }
}
