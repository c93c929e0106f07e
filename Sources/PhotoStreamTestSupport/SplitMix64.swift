/// A small random number generator that gives the same numbers for the same seed, everywhere and for ever.
///
/// Source: Guy Steele, Doug Lea and Christine Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014;
/// the constants are those of Sebastiano Vigna's reference implementation.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A whole number of a range, each alike likely but for a bias that no test notices.
    ///
    /// The standard library may change how it draws from a generator; this does not, so seeds keep their meaning.
    package mutating func int(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// One element of a list.
    ///
    /// - Precondition: The list is not empty.
    package mutating func element<Element>(of list: [Element]) -> Element {
        list[int(in: 0...list.count - 1)]
    }

    /// Whether a chance of one in `count` comes true.
    package mutating func oneIn(_ count: Int) -> Bool {
        int(in: 1...count) == 1
    }
}
