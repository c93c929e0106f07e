import Synchronization

/// A bound on memory that many requests share.
///
/// Bytes are taken from it before they are kept. One connection has at most a sixteenth of it, and one address a quarter.
final class MemoryBudget: Sendable {
    /// The client for which bytes are taken.
    enum Holder: Hashable {
        /// A connection that may have several requests.
        case connection(ObjectIdentifier)
        /// A machine that may have several connections.
        case address(ServerAddress)

        fileprivate func limit(of all: Int) -> Int {
            switch self {
            case .connection: all / 16
            case .address: all / 4
            }
        }

        fileprivate var word: String {
            switch self {
            case .connection: "connection"
            case .address: "address"
            }
        }
    }

    private struct Taken {
        var byteCount = 0
        var holders: [Holder: Int] = [:]
    }

    private let limit: Int
    private let taken = Mutex(Taken())

    /// Creates a budget.
    ///
    /// - Parameter limit: The bytes of all requests.
    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that are taken at the moment.
    var byteCount: Int { taken.withLock { $0.byteCount } }

    /// Opens a part of the budget, which is returned with the last reference to it.
    ///
    /// - Parameter holders: The client, in each way in which it is bounded. A first part may be larger than such a bound.
    /// - Returns: The part, empty at first.
    func share(of holders: [Holder] = []) -> Share { Share(of: self, for: holders) }

    private func take(_ byteCount: Int, for holders: [Holder]) throws(Problem) {
        let problem: String? = taken.withLock { taken in
            guard byteCount <= limit - taken.byteCount else {
                return "the memory for requests and answers is full; ask again later"
            }
            for holder in holders {
                let own = taken.holders[holder, default: 0]
                guard own == 0 || byteCount <= holder.limit(of: limit) - own else {
                    return "the answers of this \(holder.word) that have not been read are too large; read them first"
                }
            }
            for holder in holders { taken.holders[holder, default: 0] += byteCount }
            taken.byteCount += byteCount
            return nil
        }
        if let problem { throw Problem(.overloaded, detail: problem) }
    }

    private func giveBack(_ byteCount: Int, of holders: [Holder]) {
        taken.withLock { taken in
            taken.byteCount -= byteCount
            for holder in holders {
                guard let own = taken.holders[holder] else { continue }
                taken.holders[holder] = own > byteCount ? own - byteCount : nil
            }
        }
    }

    /// The part of a budget that one request has taken.
    final class Share: Sendable {
        private let budget: MemoryBudget
        private let holders: [Holder]
        private let held = Mutex(0)

        fileprivate init(of budget: MemoryBudget, for holders: [Holder]) {
            (self.budget, self.holders) = (budget, holders)
        }

        deinit {
            budget.giveBack(held.withLock { $0 }, of: holders)
        }

        /// Takes more of the budget.
        ///
        /// - Throws: ``Problem`` if fewer bytes are left: the client should ask again later.
        func grow(by byteCount: Int) throws(Problem) {
            try budget.take(byteCount, for: holders)
            held.withLock { $0 += byteCount }
        }
    }
}
