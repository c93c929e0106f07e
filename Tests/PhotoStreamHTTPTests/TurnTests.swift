import Foundation
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamHTTP

/// Connections take turns, so that one request passes hundreds that other clients keep waiting.
@Suite struct TurnTests {
    /// A gate at which the only running request waits.
    private final class Gate: Sendable {
        let stream: AsyncStream<Void>
        let continuation: AsyncStream<Void>.Continuation

        init() {
            (stream, continuation) = AsyncStream<Void>.makeStream()
        }

        func wait() async {
            for await _ in stream { return }
        }
    }

    /// The names of requests in the order in which they ran.
    private final class Log: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private final class Connection: Sendable {}

    /// Begins a request that waits until the gate lets it continue.
    private static func held(_ turns: Turns, at gate: Gate) async -> Task<Void, any Error> {
        let (began, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await turns.take(of: nil, cost: 1) {
                continuation.yield()
                await gate.wait()
            }
        }
        for await _ in began { break }
        return task
    }

    /// Returns the order in which requests run that have come while another one ran.
    private func order(_ requests: [(Connection?, Double, String)]) async throws -> [String] {
        let (turns, gate, log) = (Turns(limit: 1), Gate(), Log())
        let held = await Self.held(turns, at: gate)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (position, (connection, cost, name)) in requests.enumerated() {
                let id = connection.map(ObjectIdentifier.init)
                group.addTask { try await turns.take(of: id, cost: cost) { log.add(name) } }
                // In the order of the list.
                while turns.waitingCount <= position { await Task.yield() }
            }
            gate.continuation.yield()
            try await group.waitForAll()
        }
        try await held.value
        return log.all
    }

    @Test func `a request overtakes those of connections with many`() async throws {
        let (many, one) = (Connection(), Connection())
        let flood = (0..<200).map { (many as Connection?, 20.0, "page \($0)") }
        let order = try await order(flood + [(one, 3, "rectangle")])
        let place = try #require(order.firstIndex(of: "rectangle"))
        #expect(place <= 1, "\(order.prefix(5))")
        // The others keep their order.
        #expect(order.filter { $0 != "rectangle" } == flood.map(\.2))
    }

    @Test func `a short request overtakes the long ones of hundreds of connections`() async throws {
        let connections = (0..<400).map { _ in Connection() }
        let order = try await order(connections.map { ($0, 21, "page") } + [(Connection(), 3, "rectangle")])
        #expect(order.first == "rectangle")
        #expect(order.count == 401)
    }

    @Test func `a long request does not wait forever for short ones`() async throws {
        let busy = (0..<4).map { _ in Connection() }
        let short = (0..<100).map { (busy[$0 % 4] as Connection?, 1.0, "short") }
        let order = try await order([(Connection(), 21, "long")] + short)
        let place = try #require(order.firstIndex(of: "long"))
        // Each of the four has used as much as the long one costs.
        #expect((70...90).contains(place), "\(place)")
    }

    @Test func `a lane shares its threads fairly`() async throws {
        let (pool, log) = (WorkerPool(name: "turns", threadCount: 1, limit: 1_000), Log())
        defer { pool.stop() }
        let (began, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let held = Task {
            try await pool.run(watch: nil) {
                began.signal()
                gate.wait()
            }
        }
        try await onThread { began.wait() }
        let (many, one) = (Connection(), Connection())
        var tasks = [held]
        for number in 0..<100 {
            let isLast = number == 99
            let client = BoundedClient(address: nil, isGuest: false, connection: ObjectIdentifier(isLast ? one : many))
            tasks.append(
                Task {
                    try await pool.run(watch: nil, for: client, cost: isLast ? 3 : 21) {
                        log.add(isLast ? "rectangle" : "page")
                    }
                })
            while pool.requestCount < number + 2 { await Task.yield() }
        }
        // They wait for their turns, not for the thread.
        #expect(try await onThread { eventually { pool.waitingCount == 100 } })
        gate.signal()
        for task in tasks { try await task.value }
        #expect(log.all.first == "rectangle" && log.all.count == 100, "\(log.all.prefix(3))")
        withExtendedLifetime((many, one)) {}
    }

    @Test func `abandoned requests take no turn`() async throws {
        let (turns, gate, log) = (Turns(limit: 1), Gate(), Log())
        let held = await Self.held(turns, at: gate)
        let tasks = ["first", "given up", "last"].map { name in
            Task { try await turns.take(of: nil, cost: 1) { log.add(name) } }
        }
        while turns.waitingCount < 3 { await Task.yield() }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        #expect(turns.waitingCount == 2)
        gate.continuation.yield()
        for task in [held, tasks[0], tasks[2]] { try await task.value }
        #expect(Set(log.all) == ["first", "last"] && turns.waitingCount == 0)
        // The lane is free again.
        try await turns.take(of: nil, cost: 1) { log.add("later") }
        #expect(log.all.last == "later")
    }
}
