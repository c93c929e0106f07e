import Synchronization

/// A bound on memory that many requests share.
///
/// Bytes are taken from it before they are kept.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    /// Creates a budget of `limit` bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that are taken at the moment.
    var byteCount: Int { taken.withLock { $0 } }

    /// Returns a part of the budget, empty at first, which is returned with the last reference to it.
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

    /// The part of a budget that one request has taken.
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
        /// - Throws: ``Problem`` if fewer bytes are left: the client should ask again later.
        func grow(by byteCount: Int) throws(Problem) {
            guard budget.take(byteCount) else {
                throw Problem(.overloaded, detail: "the memory for requests and answers is full; ask again later")
            }
            held.withLock { $0 += byteCount }
        }
    }
}
