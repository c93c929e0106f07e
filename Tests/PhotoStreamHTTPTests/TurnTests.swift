import Foundation
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamHTTP

/// Connections take turns, so that one request passes hundreds that other clients keep waiting.
@Suite struct TurnTests {
    private typealias Request = Turns<Int>.Request

    /// The names of requests in the order in which they ran.
    private final class Log: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private final class Connection: Sendable {}

    /// Returns the positions of requests in the order in which they run, if all have come while another one ran.
    private func order(_ requests: [(Connection?, Double)]) -> [Int] {
        let requests = requests.map { Request(connection: $0.map(ObjectIdentifier.init), cost: $1) }
        var turns = Turns<Int>(limit: 1, scanLimit: 1)
        let first = turns.arrival()
        guard turns.begin(Request(), as: first, waiter: -1) else { return [] }
        for (position, request) in requests.enumerated() {
            let arrival = turns.arrival()
            guard !turns.begin(request, as: arrival, waiter: position) else { return [] }
        }
        var (order, running) = ([Int](), Request())
        while let next = turns.end(running) {
            order.append(next)
            running = requests[next]
        }
        return order
    }

    @Test func `a request overtakes those of connections with many`() throws {
        let (many, one) = (Connection(), Connection())
        let flood = (0..<200).map { _ in (many as Connection?, 20.0) }
        let order = order(flood + [(one, 3)])
        let place = try #require(order.firstIndex(of: 200))
        #expect(place <= 1, "\(order.prefix(5))")
        // The others keep their order.
        #expect(order.filter { $0 != 200 } == Array(0..<200))
    }

    @Test func `a short request overtakes the long ones of hundreds of connections`() {
        let flood = (0..<400).map { _ in (Connection() as Connection?, 21.0) }
        let order = order(flood + [(Connection(), 3)])
        #expect(order.first == 400 && order.count == 401)
    }

    @Test func `a long request does not wait forever for short ones`() throws {
        let busy = (0..<4).map { _ in Connection() }
        let short = (0..<100).map { (busy[$0 % 4] as Connection?, 1.0) }
        let order = order([(Connection(), 21)] + short)
        let place = try #require(order.firstIndex(of: 0))
        // Each of the four has used as much as the long one costs.
        #expect((70...90).contains(place), "\(place)")
    }

    @Test func `requests that were abandoned are not begun`() {
        var turns = Turns<Int>(limit: 1, scanLimit: 1)
        let arrivals = (0..<4).map { _ in turns.arrival() }
        let begun = arrivals.map { turns.begin(Request(), as: $0, waiter: $0) }
        #expect(begun == [true, false, false, false])
        let left = [turns.leave(arrivals[2]), turns.leave(arrivals[2]), turns.leave(arrivals[0])]
        #expect(left == [arrivals[2], nil, nil] && turns.waitingCount == 2)
        let next = (0..<3).map { _ in turns.end(Request()) }
        #expect(next == [arrivals[1], arrivals[3], nil] && turns.waitingCount == 0)
        // The lane is free again.
        let later = turns.arrival()
        let isFree = turns.begin(Request(), as: later, waiter: later)
        #expect(isFree)
    }

    @Test func `scans leave threads to other requests`() {
        var turns = Turns<Int>(limit: 2, scanLimit: 1)
        func begin(isScan: Bool) -> (arrival: Int, isRunning: Bool) {
            let arrival = turns.arrival()
            return (arrival, turns.begin(Request(isScan: isScan), as: arrival, waiter: arrival))
        }
        let (first, second) = (begin(isScan: true), begin(isScan: true))
        #expect(first.isRunning && !second.isRunning)
        // A fold that comes later takes the free thread, and another one has to wait.
        let (fold, late) = (begin(isScan: false), begin(isScan: false))
        #expect(fold.isRunning && !late.isRunning)
        let afterFold = turns.end(Request())
        #expect(afterFold == late.arrival)
        let afterLate = turns.end(Request())
        #expect(afterLate == nil && turns.waitingCount == 1)
        let afterScan = turns.end(Request(isScan: true))
        #expect(afterScan == second.arrival && turns.waitingCount == 0)
    }

    /// Occupies the only thread of a lane until the result is called.
    private static func hold(_ lane: WorkerPool) async throws -> (task: Task<Void, any Error>, gate: DispatchSemaphore)
    {
        let (began, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let task = Task {
            try await lane.run(watch: nil) {
                began.signal()
                gate.wait()
            }
        }
        try await onThread { began.wait() }
        return (task, gate)
    }

    @Test func `a lane shares its threads fairly`() async throws {
        let (lane, log) = (WorkerPool(name: "turns", threadCount: 1, limit: 1_000), Log())
        defer { lane.stop() }
        let held = try await Self.hold(lane)
        let (many, one) = (Connection(), Connection())
        var tasks = [held.task]
        for number in 0..<100 {
            let isLast = number == 99
            let client = BoundedClient(address: nil, connection: ObjectIdentifier(isLast ? one : many))
            tasks.append(
                Task {
                    try await lane.run(watch: nil, for: client, cost: isLast ? 3 : 21) {
                        log.add(isLast ? "rectangle" : "page")
                    }
                })
            while lane.requestCount < number + 2 { await Task.yield() }
        }
        // They wait for their turns, not for the thread.
        #expect(try await onThread { eventually { lane.waitingCount == 100 } })
        held.gate.signal()
        for task in tasks { try await task.value }
        #expect(log.all.first == "rectangle" && log.all.count == 100, "\(log.all.prefix(3))")
        #expect(lane.requestCount == 0)
        withExtendedLifetime((many, one)) {}
    }

    @Test func `abandoned requests take no turn, and look-ups do not wait for theirs`() async throws {
        let (lane, log) = (WorkerPool(name: "turns", threadCount: 1, limit: 202), Log())
        defer { lane.stop() }
        let held = try await Self.hold(lane)
        let waiting = (0..<200).map { _ in
            Task {
                try await lane.run(watch: nil) {
                    log.add("request")
                    usleep(1_000)
                }
            }
        }
        let abandoned = Task { try await lane.run(watch: nil) { log.add("abandoned") } }
        #expect(try await onThread { eventually { lane.waitingCount == 201 } })
        // The lane is full, but not for look-ups.
        await #expect(throws: Problem.self) { try await lane.run(watch: nil) {} }
        let lookUp = Task { try await lane.runAdmitted { log.add("look-up") } }
        abandoned.cancel()
        await #expect(throws: CancellationError.self) { try await abandoned.value }
        #expect(lane.waitingCount == 200 && lane.requestCount == 201)
        try await Task.sleep(for: .milliseconds(50))
        held.gate.signal()
        for task in waiting + [held.task, lookUp] { try await task.value }
        let place = try #require(log.all.firstIndex(of: "look-up"))
        #expect(place < 100 && log.all.count == 201, "\(place)")
        #expect(lane.waitingCount == 0 && lane.requestCount == 0)
    }
}
