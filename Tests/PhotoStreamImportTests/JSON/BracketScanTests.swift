import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamImport

@Suite struct BracketScanTests {
    /// The end of a value, by a stack that is searched from its top; no strings.
    private func reference(_ bytes: [UInt8], isInArray: Bool) -> Int? {
        var open: [UInt8] = []
        let closing: [UInt8: UInt8] = [UInt8(ascii: "}"): UInt8(ascii: "{"), UInt8(ascii: "]"): UInt8(ascii: "[")]
        let beginsWithBracket = bytes.first.map { closing.values.contains($0) } ?? false
        for (offset, byte) in bytes.enumerated() {
            if closing.values.contains(byte) {
                open.append(byte)
            } else if let opening = closing[byte] {
                if let level = open.lastIndex(of: opening) {
                    open.removeSubrange(level...)
                    if open.isEmpty, beginsWithBracket { return offset + 1 }
                } else if isInArray, byte == UInt8(ascii: "]") {
                    return offset
                }
            } else if byte == UInt8(ascii: ","), open.isEmpty, isInArray {
                return offset
            }
        }
        return nil
    }

    @Test(arguments: [1, 2, 3])
    func `all kinds of brackets end where a simple scan finds the end`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var scan = BracketScan()
        for _ in 0..<2_000 {
            let bytes = (0..<random.int(in: 0...30)).map { _ in Array("[]{},x".utf8)[random.int(in: 0...5)] }
            let isInArray = random.int(in: 0...1) == 1
            scan.restart()
            let end = bytes.withBytes { scan.end(in: $0, isInArray: isInArray) }
            #expect(end == reference(bytes, isInArray: isInArray), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test func `an unmatched bracket costs the same, however many are open`() {
        let clock = ContinuousClock()
        /// Returns the least of three times for brackets after a number that stay open.
        func time(after depth: Int) -> Duration {
            let bytes =
                [UInt8](repeating: UInt8(ascii: "["), count: depth)
                + [UInt8](repeating: UInt8(ascii: "}"), count: 20_000)
            return (0..<3).map { _ in
                var scan = BracketScan()
                return clock.measure { #expect(bytes.withBytes { scan.end(in: $0, isInArray: false) } == nil) }
            }.min() ?? .zero
        }
        let (shallow, deep) = (time(after: 1), time(after: 900))
        // A search through the open ones would take some hundred times as long.
        #expect(deep < shallow * 20, "\(shallow), \(deep)")
    }

    // Quadratic work would take many minutes.
    @Test(.timeLimit(.minutes(2)))
    func `unmatched brackets take time linear in their number`() async throws {
        let half = 1 << 20
        let text = String(repeating: "[", count: 900) + String(repeating: "}", count: 2 * half)
        let outcome = try await ImportOutcome.reading(text, name: "p.json")
        #expect(outcome.rejects.count == 1 && outcome.records.isEmpty)
    }
}
