import PhotoStreamService
import Synchronization

/// A bound on a resource that all clients share, such as bytes of memory or connections.
///
/// Each unit is reserved before it is used. One connection has at most a sixteenth, and one address a quarter. Guests,
/// who only have the link of a share, leave a quarter of the whole, and a quarter of their address's part, to other
/// callers.
final class SharedBudget: Sendable {
    /// A client, in one of the ways in which it is bounded.
    enum Holder: Hashable {
        /// A connection that may have several requests.
        case connection(ObjectIdentifier)
        /// A machine, or a network, that may have several connections.
        case address(ServerAddress)
        /// All guests.
        case guests
        /// The guests of one address.
        case guestsOf(ServerAddress)

        /// The maximum that it may have.
        fileprivate func limit(of all: Int) -> Int {
            switch self {
            case .connection: all / 16
            case .address: all / 4
            case .guests: all - all / 4
            case .guestsOf: all / 4 - all / 16
            }
        }

        fileprivate var words: String {
            switch self {
            case .connection: "of this connection"
            case .address: "of this address"
            case .guests: "of clients without a token"
            case .guestsOf: "of this address without a token"
            }
        }
    }

    /// The kind of the shared resource, for the sentences of refusals.
    enum Kind {
        /// Bytes of bodies and answers.
        case memory
        /// Clients that follow streams.
        case eventStreams
        /// Requests that are running or waiting.
        case requests
        /// Clients that wait for thumbnails; the total has another bound, since many may wait for the same one.
        case thumbnails
        /// Pictures that are sent from their files.
        case files
        /// Connections; the total has another limit.
        case connections
        /// Open requests of HTTP/2 connections.
        case http2Requests

        /// Whether the budget limits the total.
        fileprivate var boundsAll: Bool { self != .thumbnails && self != .connections }

        fileprivate func isFull(_ limit: Int) -> String {
            switch self {
            case .memory: "the memory for requests and answers is full; ask again later"
            case .eventStreams: "\(limit) clients follow streams already; ask again later"
            case .requests, .thumbnails, .connections: "\(limit) such requests are running or waiting; ask again later"
            case .files: "\(limit) pictures are being sent; ask again later"
            case .http2Requests: "\(limit) requests of HTTP/2 are open; ask again later"
            }
        }

        fileprivate func isFull(_ limit: Int, for holder: Holder) -> String {
            switch self {
            case .memory: "the answers \(holder.words) that have not been read are too large; read them first"
            case .eventStreams: "\(limit) event streams \(holder.words) are open; close one"
            case .requests: "\(limit) such requests \(holder.words) are running or waiting; ask again later"
            case .thumbnails: "\(limit) requests \(holder.words) wait for thumbnails; ask again later"
            case .files: "\(limit) pictures are being sent to clients \(holder.words); read them first"
            case .connections: "\(limit) connections \(holder.words) are open; close one"
            case .http2Requests: "\(limit) requests \(holder.words) are open; close one"
            }
        }
    }

    private struct Taken {
        var count = 0
        var holders: [Holder: Int] = [:]
    }

    private let limit: Int
    private let kind: Kind
    private let refusal: ProblemKind
    private let taken = Mutex(Taken())

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - limit: The bound for all clients together.
    ///   - kind: The kind of the shared resource.
    ///   - refusal: The problem of clients that request more.
    init(limit: Int, of kind: Kind, refusal: ProblemKind = .overloaded) {
        (self.limit, self.kind, self.refusal) = (limit, kind, refusal)
    }

    /// The amount that is in use.
    var count: Int { taken.withLock { $0.count } }

    /// Creates the budget of a server's connections, which bounds those of each address.
    static func connections(_ settings: ServerSettings) -> SharedBudget {
        // One address has a quarter.
        SharedBudget(limit: 4 * settings.connectionsPerAddress, of: .connections)
    }

    /// Opens a share of the budget, which is returned with the last reference to it.
    ///
    /// - Parameter holders: The client, in each way in which it is bounded. A first amount may exceed such a bound.
    /// - Returns: The share, empty at first.
    func share(of holders: [Holder] = []) -> Share { Share(of: self, for: holders) }

    /// Reserves one for a client; it is returned with the last reference to it.
    ///
    /// - Throws: ``Problem`` if none is left for the client, which should try again later.
    func place(for client: BoundedClient) throws(Problem) -> Share {
        let share = share(of: client.holders)
        try share.grow(by: 1)
        return share
    }

    private func take(_ amount: Int, for holders: [Holder]) throws(Problem) {
        try taken.withLock { taken throws(Problem) in
            guard amount <= limit - taken.count || !kind.boundsAll else {
                throw Problem(refusal, detail: kind.isFull(limit))
            }
            for holder in holders {
                let (own, most) = (taken.holders[holder, default: 0], holder.limit(of: limit))
                guard own == 0 || amount <= most - own else {
                    throw Problem(refusal, detail: kind.isFull(most, for: holder))
                }
            }
            for holder in holders { taken.holders[holder, default: 0] += amount }
            taken.count += amount
        }
    }

    private func giveBack(_ amount: Int, of holders: [Holder]) {
        taken.withLock { taken in
            taken.count -= amount
            for holder in holders {
                guard let own = taken.holders[holder] else { continue }
                taken.holders[holder] = own > amount ? own - amount : nil
            }
        }
    }

    /// The part of a budget that one request has reserved.
    final class Share: Sendable {
        private let budget: SharedBudget
        private let holders: [Holder]
        private let held = Atomic(0)

        fileprivate init(of budget: SharedBudget, for holders: [Holder]) {
            (self.budget, self.holders) = (budget, holders)
        }

        deinit {
            let held = held.load(ordering: .acquiring)
            if held > 0 { budget.giveBack(held, of: holders) }
        }

        /// Reserves more of the budget.
        ///
        /// - Throws: ``Problem`` if less is left; the client should try again later.
        func grow(by amount: Int) throws(Problem) {
            try budget.take(amount, for: holders)
            held.add(amount, ordering: .releasing)
        }
    }
}

/// A client, as the shared bounds count it.
struct BoundedClient: Sendable {
    /// Its address, or network; `nil` for this machine and for proxy servers, which have the requests of many clients.
    let address: ServerAddress?
    /// Whether it only has the link of a share.
    var isGuest = false
    /// Its connection, which takes turns with others.
    var connection: ObjectIdentifier?

    /// Work of the server itself.
    static let server = BoundedClient(address: nil)

    /// The ways in which it is bounded; connections with one request at a time are not.
    var holders: [SharedBudget.Holder] {
        var holders = address.map { [SharedBudget.Holder.address($0)] } ?? []
        if isGuest {
            holders.append(.guests)
            if let address { holders.append(.guestsOf(address)) }
        }
        return holders
    }
}
