/// The median of some durations in nanoseconds.
func median(_ durations: [Duration]) -> Double {
    let sorted = durations.sorted()
    return sorted[sorted.count / 2].nanoseconds
}

extension Duration {
    /// The duration as a number.
    var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
}

/// Runs several pieces of work in turn, so that a slow phase of the machine hits all alike.
///
/// - Returns: The median of each, in nanoseconds.
func medians(runs: Int, _ work: [() throws -> Void]) throws -> [Double] {
    let clock = ContinuousClock()
    var durations = [[Duration]](repeating: [], count: work.count)
    for _ in 0..<runs {
        for (index, body) in work.enumerated() { durations[index].append(try clock.measure(body)) }
    }
    return durations.map(median)
}

/// A number with a given count of places, right-aligned.
func cell(_ number: Double, places: Int = 2, width: Int = 10) -> String {
    var unit = 1.0
    for _ in 0..<places { unit *= 10 }
    let scaled = Int64((abs(number) * unit).rounded())
    let fraction = String(scaled % Int64(unit))
    let text =
        (number < 0 ? "-" : "") + String(scaled / Int64(unit))
        + (places > 0 ? "." + String(repeating: "0", count: places - fraction.count) + fraction : "")
    return String(repeating: " ", count: max(0, width - text.count)) + text
}

/// A linear congruential generator; seeded, the same everywhere.
struct Generator {
    private var state: UInt32

    init(seed: UInt32 = 12_345) {
        state = seed
    }

    /// A number from 0 up to `bound`, which is at most 2^24.
    mutating func next(_ bound: Int) -> Int {
        // Constants: Numerical Recipes, 3rd edition, section 7.1; the low bits are weak and are dropped.
        state = state &* 1_664_525 &+ 1_013_904_223
        return (Int(state >> 8) * bound) >> 24
    }

    /// A picture's size as cameras make them: 40 % 3:2, 25 % 4:3, 10 % square, 17 % 2:3, 8 % 16:9, with some jitter.
    mutating func size() -> (width: Int, height: Int) {
        let (width, height) =
            switch next(100) {
            case ..<40: (3_000, 2_000)
            case ..<65: (4_000, 3_000)
            case ..<75: (2_000, 2_000)
            case ..<92: (2_000, 3_000)
            default: (1_920, 1_080)
            }
        return (width + next(width / 25) - width / 50, height)
    }
}
