import Foundation
import PhotoStreamModel
import Testing

@testable import PhotoStreamImport

/// The parser against Foundation's, on random JSON and on JSON with a random byte wrong.
@Suite struct JSONDifferentialTests {
    @Test(arguments: UInt64(0)..<40)
    func `the parser accepts what Foundation accepts`(seed: UInt64) throws {
        var source = RandomJSON(seed: seed)
        for _ in 0..<50 {
            let text = source.object()
            let bytes = Array(text.utf8)
            let parsed = try #require(ParsedFields(bytes), "refused: \(text)")
            let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            #expect(parsed.texts[.id] == shown(object["id"]), "\(text)")
            #expect(parsed.texts[.text(.caption)] == shown(object["caption"]), "\(text)")
            let images = object["images"] as? [Any]
            let second = (images?.count ?? 0) > 1 ? images?[1] as? [String: Any] : nil
            #expect(parsed.texts[.text(.location)] == shown(second?["url"]), "\(text)")
            let members = try JSONObject(bytes).members
            #expect(Set(members.map(\.name)) == Set(object.keys) && members.count == object.count, "\(text)")
            for member in members { #expect(member.value == value(object[member.name]), "\(member.name) in \(text)") }
        }
    }

    @Test(arguments: UInt64(100)..<140)
    func `the parser rejects what Foundation rejects`(seed: UInt64) {
        var source = RandomJSON(seed: seed)
        for _ in 0..<100 {
            let bytes = source.damaged(Array(source.object().utf8))
            // Foundation also takes other encodings, which NUL bytes and byte order marks announce.
            guard !bytes.contains(0), bytes.first == UInt8(ascii: "{") else { continue }
            let isObject = (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any]
            let isRead = bytes.withBytes { $0.firstUTF8Fault == nil } && ParsedFields(bytes) != nil
            // Foundation allows a comma before a closing bracket; RFC 8259 does not.
            let text = String(decoding: bytes, as: UTF8.self)
            if !isRead, text.range(of: ",\\s*[}\\]]", options: .regularExpression) != nil { continue }
            #expect(isRead == isObject, "\(text.debugDescription)")
            do {
                _ = try JSONObject(bytes)
                #expect(isRead, "\(text.debugDescription)")
            } catch let error as JSONRefusal {
                // A damaged object may have a key twice.
                #expect(!isRead || error.reason.hasSuffix("is given more than once"), "\(text.debugDescription)")
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test(arguments: UInt64(200)..<220)
    func `the elements of an array are framed as Foundation counts them`(seed: UInt64) async throws {
        var source = RandomJSON(seed: seed)
        let elements = (0..<source.number(20)).map { _ in source.object() }
        let text = "[" + elements.joined(separator: source.blank() + "," + source.blank()) + "]"
        let objects = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])
        let outcome = try await ImportOutcome.reading(text, name: "a.json")
        #expect(outcome.records.count + outcome.rejects.count == objects.count)
    }

    /// The value that Foundation read.
    private func value(_ found: Any?) -> JSONValue? {
        switch found {
        case is NSNull: .null
        case let text as String: .text(text)
        case is [String: Any]: .object
        case let elements as [Any]: .array(elements.compactMap { value($0) })
        case let number as NSNumber:
            String(cString: number.objCType) == "c" ? .flag(number.boolValue) : .number(number.doubleValue)
        default: nil
        }
    }

    private func shown(_ value: Any?) -> String? {
        switch value {
        case let text as String: text
        default: nil
        }
    }
}

/// The texts of the fields of one object, or `nil` if it is not JSON.
private struct ParsedFields {
    var texts: [ImportField: String] = [:]

    init?(_ bytes: [UInt8]) {
        guard let mapping = try? FieldMapping(parsing: "location=images.1.url") else { return nil }
        var parser = JSONRecordParser(mapping)
        var fields = RecordFields()
        let found: [ImportField: String]? = bytes.withBytes { buffer in
            guard (try? parser.parse(buffer, into: &fields)) != nil else { return nil }
            var texts: [ImportField: String] = [:]
            for field in ImportField.allCases {
                let value = fields[field]
                if value.kind == .text || value.kind == .escapedText { texts[field] = fields.text(of: value) }
            }
            return texts
        }
        guard let found else { return nil }
        texts = found
    }
}

/// Random JSON objects with the keys that the mapping wants among others, from a seed.
private struct RandomJSON {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func pick(_ choices: [String]) -> String { choices[number(choices.count)] }

    mutating func blank() -> String { pick(["", "", "", " ", "\n", "\t \r\n"]) }

    mutating func object(depth: Int = 0) -> String {
        var members: [String] = []
        var used: Set<String> = []
        for _ in 0..<number(7) {
            // Foundation's choice among doubled keys is its own, so there are none.
            let key = pick(["id", "caption", "images", "url", "width", "x", "kéy", "long key without a meaning"])
            guard used.insert(key).inserted else { continue }
            let written = number(6) == 0 ? key.replacingOccurrences(of: "i", with: "\\u0069") : key
            members.append("\(blank())\"\(written)\"\(blank()):\(value(depth: depth + 1))")
        }
        return "{\(members.joined(separator: ","))\(blank())}"
    }

    private mutating func value(depth: Int) -> String {
        let simple = number(depth > 4 ? 6 : 10)
        let text: String
        switch simple {
        case 0...2: text = string()
        case 3: text = pick(["0", "-0", "12", "-3.25", "1e5", "2E-3", "0.1", "123456789012"])
        case 4: text = pick(["true", "false", "null"])
        case 5: text = pick(["{}", "[]", "[ ]", "{ }"])
        case 6, 7: text = object(depth: depth)
        default: text = "[\((0..<number(5)).map { _ in value(depth: depth + 1) }.joined(separator: ","))]"
        }
        return blank() + text + blank()
    }

    private mutating func string() -> String {
        let parts = [
            "a", "photo ", "é", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\uD83D\\ude00", "{", "],", "漢",
        ]
        return "\"" + (0..<number(12)).map { _ in pick(parts) }.joined() + "\""
    }

    /// The bytes with one of them changed, removed, or doubled, or the end cut off.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let place = number(bytes.count)
        switch number(4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(Array("{}[]\",:\\0-.eu\n".utf8)[number(14)], at: place)
        default: bytes.removeSubrange(place...)
        }
        return bytes
    }
}
