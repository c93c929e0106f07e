/// The row ids for the new photos of a transaction, which the primary gives.
final class NewRowIDs {
    private let reserve: (Int) throws -> ClosedRange<Int64>
    private var free: Range<Int64> = 0..<0
    private var expectedCount = 1

    /// Creates ids that are reserved when they are needed.
    init(reserve: @escaping (Int) throws -> ClosedRange<Int64>) {
        self.reserve = reserve
    }

    /// Prepares for up to a number of new photos with consecutive ids.
    func expect(_ count: Int) {
        expectedCount = max(1, count)
        if free.count < expectedCount { free = 0..<0 }
    }

    /// Takes the next id.
    func next() throws -> Int64 {
        if free.isEmpty { free = Range(try reserve(expectedCount)) }
        defer { free = free.dropFirst() }
        return free.lowerBound
    }

    /// Makes the id that was taken last the next one again.
    func takeBackLast() { free = free.lowerBound - 1..<free.upperBound }
}
