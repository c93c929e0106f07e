import Foundation
import PhotoStreamLayout
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

@Suite struct JSONWriterTests {
    @Test(arguments: [
        (Int64(0), 1.0, "0"), (585, 2, "292.5"), (1, 3, "0.333"), (2, 3, "0.667"), (-1, 3, "-0.333"), (1, 8, "0.125"),
        (30_000_000_000, 3, "10000000000"), (10_000_000_000, 3, "3333333333.333"), (7, 1.5, "4.667"), (3, 0.5, "6"),
        (-3, 2, "-1.5"), (5, 8, "0.625"), (1, 7.77, "0.1287"), (1, 7, "0.143"),
    ])
    func `lengths are the shortest decimal that rounds to the pixel`(pixels: Int64, scale: Double, text: String) throws
    {
        var writer = JSONWriter()
        writer.value(pixels: pixels, scale: try DisplayScale(scale))
        #expect(writer.text == text)
    }

    @Test(arguments: UInt64(0)..<20)
    func `every length is parsed to within a thousandth of a pixel, with at most four places`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let scale = try DisplayScale(0.5 + Double(random.int(in: 0...7_500)) / 1_000)
            let pixels = Int64(random.int(in: -1_000_000_000...1_000_000_000)) >> Int64(random.int(in: 0...20))
            var writer = JSONWriter()
            writer.value(pixels: pixels, scale: scale)
            let value = try #require(Double(writer.text))
            #expect(abs(value * scale.rawValue - Double(pixels)) <= 0.001 + 1e-6)
            #expect(writer.text.split(separator: ".").dropFirst().first.map { $0.count <= 4 && $0.last != "0" } ?? true)
        }
    }

    @Test func `strings survive a round trip through another parser`() throws {
        let text = "quote \" slash \\ / line\nfeed tab\t nul-ish \u{1} \u{1f} ünï 😀 \u{2028} עברית"
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("text")
            writer.value(text)
            writer.key("list")
            writer.array([1, 2, 3]) { $0.value($1) }
            writer.key("none")
            writer.null()
            writer.key("number")
            writer.value(0.1)
            writer.key("infinite")
            writer.value(Double.infinity)
        }
        let object = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
        #expect(object?["text"] as? String == text)
        #expect(object?["list"] as? [Int] == [1, 2, 3])
        #expect(object?["number"] as? Double == 0.1)
        #expect(object?["none"] is NSNull && object?["infinite"] is NSNull)
    }

    @Test func `a literal keeps the order of its members, and has null for nil`() {
        let none: String? = nil
        var object: JSONMembers = ["z": none, "a": ["list": [1, 2], "flag": true] as JSONMembers]
        object.add("left out", value: none)
        object.add("number", value: 0.5)
        var writer = JSONWriter()
        writer.value(object)
        #expect(writer.text == #"{"z":null,"a":{"list":[1,2],"flag":true},"number":0.5}"#)
    }
}
