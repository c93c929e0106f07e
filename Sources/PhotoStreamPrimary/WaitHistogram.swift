/// Counts times up to some bounds, with their sum.
package struct WaitHistogram: Sendable {
    /// The bounds, in seconds.
    package static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

    /// The number of times up to each of the bounds.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count)
    /// The number of all times.
    package private(set) var count = 0
    /// Their sum, in seconds.
    package private(set) var sum = 0.0

    /// Adds a time.
    mutating func add(_ time: Duration) {
        let seconds = time / .seconds(1)
        for (index, bound) in Self.bounds.enumerated() where seconds <= bound { counts[index] += 1 }
        count += 1
        sum += seconds
    }
}
