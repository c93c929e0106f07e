import Testing

@testable import PhotoStreamImport

@Suite struct EncodingTests {
    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3], [0xE2, 0x82],
            [0xF0, 0x9F, 0x98], [0xC3, 0x28],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are rejected with their position`(bytes: [UInt8]) async throws {
        let line = Array("{\"id\":1,\"caption\":\"é".utf8) + bytes + Array("\"}\n{\"id\":2}\n".utf8)
        let jsonl = try await ImportOutcome.reading(line)
        #expect(jsonl.placedReasons == ["1:21: invalid UTF-8"])
        #expect(jsonl.ids == ["2"])
        let row = Array("id,caption\n1,é".utf8) + bytes + Array("\n2,x\n".utf8)
        let csv = try await ImportOutcome.reading(row, name: "a.csv")
        #expect(csv.placedReasons == ["2:4: invalid UTF-8"])
        #expect(csv.ids == ["2"])
    }

    @Test func `a record that ends within a character is truncated`() async throws {
        let outcome = try await ImportOutcome.reading(Array("{\"id\":\"".utf8) + [0xC3])
        #expect(outcome.placedReasons == ["1:1: the last record ends early"])
    }

    @Test func `validation agrees with the standard library for all short sequences`() {
        let interesting: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
            0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for first in interesting {
            for second in interesting {
                for third in interesting {
                    for fourth in [0x41, 0x80, 0xBF, 0xC2] as [UInt8] {
                        let bytes = [first, second, third, fourth]
                        let isValid = bytes.withBytes { $0.firstUTF8Fault == nil }
                        if isValid != (String(validating: bytes, as: UTF8.self) != nil) {
                            Issue.record("\(bytes) is valid: \(isValid)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<40)
    func `an invalid byte is found at every offset among ASCII`(offset: Int) {
        var bytes = [UInt8](repeating: 0x61, count: 40)
        bytes[offset] = 0xFF
        #expect(bytes.withBytes { $0.firstUTF8Fault } == UTF8Fault(offset: offset, isCut: false))
    }
}
