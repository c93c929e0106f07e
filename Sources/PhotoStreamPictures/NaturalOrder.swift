/// The place of a name among others as people order them: numbers by value, so that `IMG_9` precedes `IMG_10`.
///
///     let names = ["IMG_10", "IMG_9"].sorted { NaturalOrder($0) < NaturalOrder($1) }  // IMG_9, IMG_10
///
/// Runs of the digits 0 to 9 compare by their values, of any length, and other characters by their code points in lower
/// case. In a tie the bytes of the names decide, so that only identical names are equal.
struct NaturalOrder: Comparable {
    /// The name.
    let name: String
    /// Bytes whose order is that of the names without the tie.
    ///
    /// They are the name's lower-case UTF-8, with each run of digits replaced by `0`, the number of its significant digits
    /// in eight bytes, and these digits. No other character begins with a byte from `0` to `9`, so a number and a
    /// character compare alike in all places.
    private let key: [UInt8]

    /// Finds the place of a name.
    ///
    /// - Complexity: O(length).
    init(_ name: String) {
        self.name = name
        var key: [UInt8] = []
        var rest = name.lowercased().utf8[...]
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        while let first = rest.first {
            guard digits.contains(first) else {
                key.append(first)
                rest.removeFirst()
                continue
            }
            let run = rest.prefix { digits.contains($0) }
            let significant = run.drop { $0 == UInt8(ascii: "0") }
            key.append(UInt8(ascii: "0"))
            let count = UInt64(significant.count)
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                key.append(UInt8(truncatingIfNeeded: count >> shift))
            }
            key += significant
            rest = rest[run.endIndex...]
        }
        self.key = key
    }

    /// Whether one name precedes another.
    static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
        left.key == right.key
            ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
            : left.key.lexicographicallyPrecedes(right.key)
    }

    /// Whether two names have the same bytes.
    static func == (left: NaturalOrder, right: NaturalOrder) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }
}
