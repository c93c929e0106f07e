import Synchronization

/// A bound on memory that many requests share.
///
/// Bytes are taken from it before they are kept.
final class MemoryBudget: Sendable {
    private struct Taken {
        var byteCount = 0
        /// The bytes of each connection that has several requests.
        var connections: [ObjectIdentifier: Int] = [:]
    }

    private let limit: Int
    private let connectionLimit: Int
    private let taken = Mutex(Taken())

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - limit: The bytes of all requests.
    ///   - connectionLimit: The bytes of the requests of one connection. A first request may take more.
    init(limit: Int, connectionLimit: Int = .max) {
        (self.limit, self.connectionLimit) = (limit, connectionLimit)
    }

    /// The bytes that are taken at the moment.
    var byteCount: Int { taken.withLock { $0.byteCount } }

    /// Opens a part of the budget, which is returned with the last reference to it.
    ///
    /// - Parameter connection: The connection, if it may have several requests.
    /// - Returns: The part, empty at first.
    func share(of connection: ObjectIdentifier? = nil) -> Share { Share(of: self, for: connection) }

    private func take(_ byteCount: Int, for connection: ObjectIdentifier?) throws(Problem) {
        let problem: String? = taken.withLock { taken in
            guard byteCount <= limit - taken.byteCount else {
                return "the memory for requests and answers is full; ask again later"
            }
            if let connection {
                let own = taken.connections[connection, default: 0]
                guard own == 0 || byteCount <= connectionLimit - own else {
                    return "the answers of this connection that have not been read are too large; read them first"
                }
                taken.connections[connection] = own + byteCount
            }
            taken.byteCount += byteCount
            return nil
        }
        if let problem { throw Problem(.overloaded, detail: problem) }
    }

    private func giveBack(_ byteCount: Int, of connection: ObjectIdentifier?) {
        taken.withLock { taken in
            taken.byteCount -= byteCount
            guard let connection, let own = taken.connections[connection] else { return }
            taken.connections[connection] = own > byteCount ? own - byteCount : nil
        }
    }

    /// The part of a budget that one request has taken.
    final class Share: Sendable {
        private let budget: MemoryBudget
        private let connection: ObjectIdentifier?
        private let held = Mutex(0)

        fileprivate init(of budget: MemoryBudget, for connection: ObjectIdentifier?) {
            (self.budget, self.connection) = (budget, connection)
        }

        deinit {
            budget.giveBack(held.withLock { $0 }, of: connection)
        }

        /// Takes more of the budget.
        ///
        /// - Throws: ``Problem`` if fewer bytes are left: the client should ask again later.
        func grow(by byteCount: Int) throws(Problem) {
            try budget.take(byteCount, for: connection)
            held.withLock { $0 += byteCount }
        }
    }
}
