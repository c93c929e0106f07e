/// The row ids for the new photos of a transaction, which the primary assigns.
final class NewRowIDs {
    private let reserve: (Int) throws -> [Int64]
    private var ids: [Int64] = []
    private var usedCount = 0
    private var expectedCount = 1

    /// Creates ids that are reserved when they are needed.
    ///
    /// - Parameter reserve: Reserves a number of ids, each greater than all before it.
    init(reserve: @escaping (Int) throws -> [Int64]) {
        self.reserve = reserve
    }

    /// Prepares for up to a number of new photos.
    func expect(_ count: Int) { expectedCount = max(1, count) }

    /// Takes the next id, which is greater than all before it.
    func next() throws -> Int64 {
        if usedCount == ids.count { (ids, usedCount) = (try reserve(expectedCount), 0) }
        defer { usedCount += 1 }
        return ids[usedCount]
    }

    /// Returns the id that was taken last, so that it is the next one again.
    func takeBackLast() { usedCount -= 1 }
}
