import Synchronization

/// A bound on memory that many requests share: it is taken before a byte is kept.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    /// Creates a budget of `limit` bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that are taken now.
    var byteCount: Int { taken.withLock { $0 } }

    /// A part of the budget, empty at first, which is given back with the last reference to it.
    func share() -> Share { Share(self) }

    private func take(_ byteCount: Int) -> Bool {
        taken.withLock { taken in
            guard byteCount <= limit - taken else { return false }
            taken += byteCount
            return true
        }
    }

    private func giveBack(_ byteCount: Int) {
        taken.withLock { $0 -= byteCount }
    }

    /// What one request has of a budget.
    final class Share: Sendable {
        private let budget: MemoryBudget
        private let held = Mutex(0)

        fileprivate init(_ budget: MemoryBudget) {
            self.budget = budget
        }

        deinit {
            budget.giveBack(held.withLock { $0 })
        }

        /// Takes more of the budget.
        ///
        /// - Throws: ``Problem`` where so much is not left: the request is to be made again later.
        func grow(by byteCount: Int) throws(Problem) {
            guard budget.take(byteCount) else {
                throw Problem(.overloaded, "requests and answers fill the memory that the server has for them")
            }
            held.withLock { $0 += byteCount }
        }
    }
}
