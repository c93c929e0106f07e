import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPictures

@Suite struct NaturalOrderTests {
    @Test(arguments: [
        ["IMG_8", "IMG_9", "IMG_10", "IMG_11"], ["1", "2", "10", "11"], ["a", "B", "c"], ["img_1", "IMG_2", "img_3"],
        ["A", "a"], ["01", "1"], ["0", "00"], ["a01b2", "a1b10"], ["a", "a1", "ab"], ["1.jpg", "1a.jpg", "2.jpg"],
        ["a-1.jpg", "a1.jpg", "aa.jpg"], ["Z", "É", "é", "ü"], ["", "0"], ["é9", "É10"],
        ["9", "18446744073709551615", "18446744073709551616", "99999999999999999999999999999999999999999999"],
    ])
    func `names are in the order of their numbers, then of their letters`(names: [String]) {
        #expect(names.reversed().sorted { NaturalOrder($0) < NaturalOrder($1) } == names)
    }

    /// A plain reference: numbers are filled up with zeros, so that texts compare like them.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        func filled(_ name: String) -> [UInt32] {
            name.lowercased().replacing(#/[0-9]+/#.matchingSemantics(.unicodeScalar)) { match in
                String(repeating: "0", count: 100 - match.output.count) + match.output
            }.unicodeScalars.map(\.value)
        }
        let (first, second) = (filled(left), filled(right))
        return first == second
            ? left.utf8.lexicographicallyPrecedes(right.utf8) : first.lexicographicallyPrecedes(second)
    }

    private static func name(_ random: inout SplitMix64) -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            ["0", "1", "9", "10", "00", "a", "A", "b", "-", "_", ".", ":", "é", "É", "\u{301}", "/", "😀"]
                .randomElement(using: &random) ?? ""
        }.joined()
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `it is a total order that equals the reference`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let names = (0..<60).map { _ in Self.name(&random) }
        let places = names.map { NaturalOrder($0) }
        for (left, first) in zip(names, places) {
            for (right, second) in zip(names, places) {
                let isSame = Array(left.utf8) == Array(right.utf8)
                #expect([first < second, second < first, isSame].count { $0 } == 1, "\(left) \(right)")
                #expect((first == second) == isSame)
                #expect((first < second) == Self.precedes(left, right), "\(left) \(right)")
                for third in places where first < second && second < third {
                    #expect(first < third, "\(left) \(right) \(third.name)")
                }
            }
        }
    }
}
