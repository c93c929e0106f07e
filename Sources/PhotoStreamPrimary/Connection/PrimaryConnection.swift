import CPostgres
import Glibc

/// A connection to a PostgreSQL database, used by one thread at a time.
///
/// Statements are sent and answered in batches, so that a transaction takes few round trips:
///
///     let connection = try PrimaryConnection(address, within: .seconds(1))
///     let results = try connection.run(["BEGIN", "SELECT 1"], within: .seconds(1))
///
/// Every wait has a deadline. A connection that missed one is broken: all later calls fail.
@safe final class PrimaryConnection: @unchecked Sendable {
    // Sendable: the thread that takes a connection out of the mutex of ``PostgresPrimary`` is the only one that has it.
    let pointer: OpaquePointer
    private let address: PrimaryAddress
    private var prepared: [String: String] = [:]
    /// Whether the connection can no longer be used.
    var isBroken = false
    /// The work to do while waiting for an answer.
    var meanwhile: Meanwhile?
    private var nextWork: ContinuousClock.Instant?
    /// Whether a pooler is in between, which invents the session's process number.
    private(set) var isPooled = false

    /// Work on the thread that waits for an answer.
    struct Meanwhile {
        /// The delay before the first run.
        let delay: Duration
        /// The pause between two runs.
        let pause: Duration
        let work: () -> Void
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - limit: The time to wait, apart from the look-up of the hosts' names.
    ///   - settings: The first statements of the session.
    /// - Throws: ``PrimaryError`` with kind `unavailable`.
    init(_ address: PrimaryAddress, within limit: Duration, settings: [PrimaryStatement] = []) throws(PrimaryError) {
        self.address = address
        let deadline = ContinuousClock.now.advanced(by: limit)
        unsafe pointer = try Self.connect(to: address, deadline: deadline)
        unsafe PQsetnonblocking(pointer, 1)
        // Notices would be written to standard error.
        unsafe PQsetNoticeProcessor(pointer, { _, _ in }, nil)
        unsafe PQenterPipelineMode(pointer)
        let results = try run(
            Self.settings + settings + ["SELECT pg_backend_pid()"], within: ContinuousClock.now.duration(to: deadline))
        if let last = results.last {
            isPooled = unsafe Int64(PQbackendPID(pointer)) != (try last.integer(0, column: 0))
        }
    }

    deinit { unsafe PQfinish(pointer) }

    /// The settings that the role, the database or the server may have changed for other programs.
    private static let settings: [PrimaryStatement] = [
        "SET statement_timeout = 0", "SET search_path = photostream", "SET plan_cache_mode = force_custom_plan",
        "SET jit = off",
        "SET default_transaction_isolation = 'read committed'", "SET lock_timeout = 0",
        // Acknowledged writes are on the disk. A synchronous standby is the operator's choice.
        """
        SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') IN ('off', 'local')
        """,
        // While it works for a client, the server notices if the client is gone or no longer reads.
        "SET client_connection_check_interval = '1s'", "SET tcp_user_timeout = '5s'",
    ]

    /// Connects to the first server of an address that can be used.
    ///
    /// A server that does not answer gets only its share of the time, because a machine that is off must not hide the
    /// one that has taken over. PostgreSQL's library would wait for it until the end, because it leaves deadlines to
    /// its callers.
    private static func connect(
        to address: PrimaryAddress, deadline: ContinuousClock.Instant
    ) throws(PrimaryError) -> OpaquePointer {
        var reasons: [String] = []
        for (offset, server) in address.servers.enumerated() {
            let left = ContinuousClock.now.duration(to: deadline)
            let ownDeadline = ContinuousClock.now.advanced(by: left / (address.servers.count - offset))
            do throws(PrimaryError) {
                return try unsafe open(server, of: address, deadline: ownDeadline)
            } catch {
                reasons.append(error.message)
            }
        }
        throw PrimaryError(.unavailable, message: reasons.joined(separator: "; "))
    }

    private static func open(
        _ server: PrimaryAddress.Server, of address: PrimaryAddress, deadline: ContinuousClock.Instant
    ) throws(PrimaryError) -> OpaquePointer {
        // An option of the address comes later than these and wins; the server comes last.
        let options =
            [
                ("application_name", "photostream"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
                ("keepalives_count", "3"), ("tcp_user_timeout", "5000"), ("dbname", address.connectionString),
                ("client_encoding", "UTF8"),
            ] + server.options
        guard let pointer = unsafe start(options) else {
            throw PrimaryError(.unavailable, message: "there is no memory for a connection to \(server.description)")
        }
        do throws(PrimaryError) {
            try unsafe waitUntilConnected(pointer, to: server.description, deadline: deadline)
        } catch {
            unsafe PQfinish(pointer)
            throw error
        }
        return unsafe pointer
    }

    private static func start(_ options: [(String, String)]) -> OpaquePointer? {
        var keywords = unsafe options.map { unsafe UnsafePointer(strdup($0.0)) } + [nil]
        var values = unsafe options.map { unsafe UnsafePointer(strdup($0.1)) } + [nil]
        defer {
            unsafe (keywords + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
        }
        return unsafe PQconnectStartParams(&keywords, &values, 1)
    }

    private static func waitUntilConnected(
        _ pointer: OpaquePointer, to address: String, deadline: ContinuousClock.Instant
    ) throws(PrimaryError) {
        guard unsafe PQstatus(pointer) != CONNECTION_BAD else { throw unsafe failure(pointer, of: address) }
        var events = Int16(POLLOUT)
        while true {
            guard unsafe wait(PQsocket(pointer), for: events, until: deadline) else {
                throw PrimaryError(.unavailable, message: "\(address) does not answer")
            }
            switch unsafe PQconnectPoll(pointer) {
            case PGRES_POLLING_READING: events = Int16(POLLIN)
            case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
            case PGRES_POLLING_OK: return
            default: throw unsafe failure(pointer, of: address)
            }
        }
    }

    private static func failure(_ pointer: OpaquePointer, of address: String) -> PrimaryError {
        let reason = unsafe String(cString: PQerrorMessage(pointer)).split(separator: "\n").first ?? "no reason given"
        return PrimaryError(.unavailable, message: "\(address) cannot be used: \(reason)")
    }

    /// Waits until a socket is ready.
    ///
    /// - Returns: Whether it is, before the deadline.
    private static func wait(_ socket: Int32, for events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            var entry = pollfd(fd: socket, events: events, revents: 0)
            let count = unsafe poll(&entry, 1, Int32(clamping: left.milliseconds + 1))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// Marks the connection as broken and returns the error.
    func breaking(_ message: String? = nil) -> PrimaryError {
        isBroken = true
        return message.map { PrimaryError(.unavailable, message: $0) }
            ?? (unsafe Self.failure(pointer, of: address.description))
    }

    func waitForServer(alsoForRoom: Bool, until deadline: ContinuousClock.Instant) throws(PrimaryError) {
        let events = Int16(alsoForRoom ? POLLIN | POLLOUT : POLLIN)
        var deadline = deadline
        while let meanwhile, let next = nextWork, next < deadline {
            if unsafe Self.wait(PQsocket(pointer), for: events, until: next) { break }
            meanwhile.work()
            nextWork = .now.advanced(by: meanwhile.pause)
            // Data that arrived during the work is in time.
            deadline = max(deadline, .now.advanced(by: .milliseconds(20)))
        }
        guard unsafe Self.wait(PQsocket(pointer), for: events, until: deadline) else {
            throw breaking("\(address) did not answer in time")
        }
        guard unsafe PQconsumeInput(pointer) == 1 else { throw breaking() }
    }
}

// MARK: - Statements

extension PrimaryConnection {
    /// Runs statements one after the other, in one exchange.
    ///
    /// - Parameters:
    ///   - statements: The statements. If one fails, those after it are not run.
    ///   - limit: The time to wait for all answers.
    /// - Returns: A result for each statement.
    /// - Throws: ``PrimaryError``: with kind `refused` that of the first statement that failed, with kind `unavailable` if
    ///   it is not known whether they ran.
    @discardableResult
    func run(_ statements: [PrimaryStatement], within limit: Duration) throws(PrimaryError) -> [PrimaryResult] {
        guard !isBroken else { throw breaking("the connection to \(address) is broken") }
        let deadline = ContinuousClock.now.advanced(by: limit)
        nextWork = meanwhile.map { .now.advanced(by: $0.delay) }
        // The text of the preparation to which each coming result belongs, or `nil` if it belongs to a statement.
        var preparations: [String?] = []
        for statement in statements {
            let name: String
            if let known = prepared[statement.sql] {
                name = known
            } else {
                name = "s\(prepared.count)"
                try prepare(statement, as: name)
                prepared[statement.sql] = name
                preparations.append(statement.sql)
            }
            try send(statement, as: name)
            preparations.append(nil)
        }
        guard unsafe PQpipelineSync(pointer) == 1 else { throw breaking() }
        return try results(preparations, until: deadline)
    }

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - parameters: The values of `$1` and so on.
    ///   - limit: The time to wait for the answer.
    /// - Returns: Its result.
    /// - Throws: As ``run(_:within:)``.
    @discardableResult
    func run(
        _ sql: String, with parameters: [PrimaryStatement.Parameter] = [], within limit: Duration
    ) throws(PrimaryError) -> PrimaryResult {
        guard let result = try run([PrimaryStatement(sql: sql, parameters)], within: limit).first else {
            throw breaking()
        }
        return result
    }

    private func prepare(_ statement: PrimaryStatement, as name: String) throws(PrimaryError) {
        var types = statement.parameters.map(\.typeID)
        guard unsafe PQsendPrepare(pointer, name, statement.sql, Int32(types.count), &types) == 1 else {
            throw breaking()
        }
    }

    private func send(_ statement: PrimaryStatement, as name: String) throws(PrimaryError) {
        // All values in one buffer, so that they have addresses until they are sent.
        let values = statement.parameters.map(\.bytes)
        var lengths = values.map { Int32($0?.count ?? 0) }
        var formats = [Int32](repeating: 1, count: values.count)
        let joined = values.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
        let isSent = unsafe joined.withUnsafeBufferPointer { bytes in
            var offset = 0
            var addresses: [UnsafePointer<CChar>?] = unsafe []
            for value in values {
                let address = unsafe bytes.baseAddress.map { unsafe UnsafeRawPointer($0 + offset) }
                unsafe addresses.append(value == nil ? nil : address?.assumingMemoryBound(to: CChar.self))
                offset += value?.count ?? 0
            }
            return unsafe PQsendQueryPrepared(
                pointer, name, Int32(values.count), &addresses, &lengths, &formats, 1)
        }
        guard isSent == 1 else { throw breaking() }
    }

    private func results(
        _ preparations: [String?], until deadline: ContinuousClock.Instant
    ) throws(PrimaryError) -> [PrimaryResult] {
        var results: [PrimaryResult] = []
        var refusal: PrimaryError?
        var position = 0
        while true {
            guard let result = unsafe try nextResult(until: deadline) else { continue }
            let status = unsafe PQresultStatus(result)
            switch status {
            case PGRES_PIPELINE_SYNC:
                unsafe PQclear(result)
                if let refusal { throw refusal }
                return results
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                guard position < preparations.count else {
                    unsafe PQclear(result)
                    throw breaking("\(address) gave more answers than there were statements")
                }
                let wrapped = unsafe PrimaryResult(result)
                if preparations[position] == nil { results.append(wrapped) }
            default:
                if refusal == nil, status == PGRES_FATAL_ERROR { refusal = unsafe self.refusal(result) }
                unsafe PQclear(result)
                if position < preparations.count, let sql = preparations[position] { prepared[sql] = nil }
                if unsafe PQstatus(pointer) == CONNECTION_BAD { throw breaking() }
            }
            position += 1
        }
    }

    /// Returns the next result; `nil` between the results of two statements.
    func nextResult(until deadline: ContinuousClock.Instant) throws(PrimaryError) -> OpaquePointer? {
        while true {
            let flushed = unsafe PQflush(pointer)
            guard flushed >= 0 else { throw breaking() }
            if flushed == 0, unsafe PQisBusy(pointer) == 0 { return unsafe PQgetResult(pointer) }
            try waitForServer(alsoForRoom: flushed == 1, until: deadline)
        }
    }

    func refusal(_ result: OpaquePointer) -> PrimaryError {
        func field(_ code: Character) -> String? {
            unsafe PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { unsafe String(cString: $0) }
        }
        // PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY: macros that Swift does not import.
        let message = field("M") ?? "no reason given"
        let state = field("C")
        // A prepared statement of another session, or none in this session; or no table, without the session's search
        // path.
        if state == "42P05" || state == "26000" || (isPooled && state == "42P01") {
            return PrimaryError(
                .pooler,
                message: """
                    \(address) leads to a pooler that gives each transaction another session, such as PgBouncer with \
                    pool_mode = transaction; name PostgreSQL itself, or let the pool have pool_mode = session
                    """, state: state)
        }
        // The server is shutting down, starting, or ended this session.
        let isGone = state.map { $0.hasPrefix("57P") || $0.hasPrefix("08") || $0 == "25P03" } ?? true
        if isGone { isBroken = true }
        return PrimaryError(
            isGone ? .unavailable : .refused, message: "\(address) refused a statement: \(message)", state: state)
    }
}

// MARK: - Scripts

extension PrimaryConnection {
    /// Runs a script of several statements, in one transaction unless it begins its own.
    ///
    /// - Throws: ``PrimaryError``.
    func run(script: String, within limit: Duration) throws(PrimaryError) {
        try send(script: script)
        try endScript(within: limit)
    }

    /// Sends a script, outside of the mode for statements.
    func send(script: String) throws(PrimaryError) {
        guard !isBroken, unsafe PQexitPipelineMode(pointer) == 1, unsafe PQsendQuery(pointer, script) == 1 else {
            throw breaking()
        }
    }

    /// Reads the remaining results of a script, and begins the mode for statements again.
    func endScript(within limit: Duration) throws(PrimaryError) {
        let deadline = ContinuousClock.now.advanced(by: limit)
        var refusal: PrimaryError?
        while let result = unsafe try nextResult(until: deadline) {
            if unsafe PQresultStatus(result) == PGRES_FATAL_ERROR, refusal == nil {
                refusal = unsafe self.refusal(result)
            }
            unsafe PQclear(result)
        }
        unsafe PQenterPipelineMode(pointer)
        if let refusal { throw refusal }
    }
}
