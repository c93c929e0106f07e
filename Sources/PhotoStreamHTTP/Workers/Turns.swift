/// The order in which the requests of a lane get its threads: connections take turns, and a short request of a
/// connection that has had few precedes the long requests of connections that have had many.
///
/// Each request gets a number when it arrives: the virtual time, or the number of its connection's last request if that
/// is greater, plus its own cost; the smallest number is next. The virtual time is the number, without its cost, of the
/// last request that got a thread. So a client with one request overtakes hundreds of connections that always have
/// another one waiting.
///
/// Source: S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications", INFOCOM 1994.
struct Turns<Waiter> {
    /// A request, as its lane orders it.
    struct Request {
        /// Its connection; `nil` for one that has had no requests yet.
        var connection: ObjectIdentifier?
        /// The cost in any unit, greater than 0.
        var cost = 1.0
        /// Whether it reads much of a stream.
        var isScan = false
    }

    private struct Waiting {
        /// The number, which determines its turn.
        let tag: Double
        let request: Request
        /// The order of arrival among waiters with the same number.
        let arrival: Int
        let waiter: Waiter
    }

    /// The number of connections above which those with numbers in the past are forgotten.
    private static var rememberedCount: Int { 1_024 }

    private let limit: Int
    private let scanLimit: Int
    private var runningCount = 0
    private var runningScanCount = 0
    /// The waiting requests, the next one last.
    private var waiting: [Waiting] = []
    private var time = 0.0
    /// The number of the last request of each connection, while it is greater than the virtual time.
    private var last: [ObjectIdentifier: Double] = [:]
    private var arrivalCount = 0

    /// Creates the turns of a lane.
    ///
    /// - Parameters:
    ///   - limit: The number of requests that may run at once.
    ///   - scanLimit: The number of scans among them.
    init(limit: Int, scanLimit: Int) {
        (self.limit, self.scanLimit) = (limit, scanLimit)
    }

    /// The number of requests that wait for their turns.
    var waitingCount: Int { waiting.count }

    /// Returns a new number for ``begin(_:as:waiter:)``.
    mutating func arrival() -> Int {
        arrivalCount += 1
        return arrivalCount
    }

    /// Begins a request, or lets it wait.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - arrival: Its number.
    ///   - waiter: Returned by ``end(_:)`` when it is the request's turn.
    /// - Returns: Whether the request runs now.
    mutating func begin(_ request: Request, as arrival: Int, waiter: Waiter) -> Bool {
        if runningCount == 0 { (time, last) = (0, [:]) }
        let tag = max(time, request.connection.flatMap { last[$0] } ?? 0) + request.cost
        if let connection = request.connection {
            if last.count >= Self.rememberedCount { last = last.filter { $0.value > time } }
            last[connection] = tag
        }
        let new = Waiting(tag: tag, request: request, arrival: arrival, waiter: waiter)
        if mayRun(request) {
            run(new)
            return true
        }
        let place = waiting.firstIndex { ($0.tag, $0.arrival) < (tag, arrival) }
        waiting.insert(new, at: place ?? waiting.endIndex)
        return false
    }

    /// Ends a request, and begins the next one.
    ///
    /// - Returns: The next one; `nil` if none may run.
    mutating func end(_ request: Request) -> Waiter? {
        runningCount -= 1
        if request.isScan { runningScanCount -= 1 }
        guard let next = waiting.lastIndex(where: { mayRun($0.request) }) else { return nil }
        let waiting = waiting.remove(at: next)
        run(waiting)
        return waiting.waiter
    }

    /// Removes a request that was cancelled; returns `nil` if it does not wait.
    mutating func leave(_ arrival: Int) -> Waiter? {
        waiting.firstIndex { $0.arrival == arrival }.map { waiting.remove(at: $0).waiter }
    }

    private func mayRun(_ request: Request) -> Bool {
        runningCount < limit && (!request.isScan || runningScanCount < scanLimit)
    }

    private mutating func run(_ new: Waiting) {
        runningCount += 1
        if new.request.isScan { runningScanCount += 1 }
        time = max(time, new.tag - new.request.cost)
    }
}
