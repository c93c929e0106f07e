import ArgumentParser
import Foundation
import Synchronization

/// Short questions over HTTP while many clients ask long ones.
struct HTTPLanesBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http-lanes",
        abstract: "Latency of short questions over HTTP while clients ask for folds and scans.",
        discussion: """
            Some clients ask for layouts of new widths, for layouts of new widths with optimal breaks, or for the stream's \
            statistics, each as soon as it has its answer. At the same time, one connection asks for a photo, for a rectangle of \
            a known layout, and whether the server is ready, in turn. All share the machine; the processor time \
            is that of the server for all of them, so it shows how heavy the load was.
            """)

    /// The queries of the clients.
    private enum Load: String, CaseIterable {
        case nothing = "nothing"
        case widths = "new widths"
        case breaks = "optimal breaks"
        case stats = "stats"

        /// The address of a request; no other request of a run has the same `number`.
        func target(_ number: Int) -> String? {
            let width = 900 + Double(number) / 8
            return switch self {
            case .nothing: nil
            case .widths: "/v1/streams/bench/layout?width=\(width)&limit=1"
            case .breaks: "/v1/streams/bench/layout?algorithm=justified&breaks=optimal&width=\(width)&limit=1"
            case .stats: "/v1/streams/bench/stats"
            }
        }
    }

    /// A short question with the milliseconds that its answers took.
    private struct Probe {
        let name: String
        let target: String
        let bar: Double
        var times: [Double] = []

        var slowest: Double {
            let sorted = times.sorted()
            return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        }
    }

    @Option(help: "The number of photos.")
    var count = 1_000_000

    @Option(help: "The number of clients that ask long questions.")
    var clients = 16

    @Option(help: "The seconds of each load.")
    var seconds = 10

    @Option(help: "The number of measurements of each; the best run counts.")
    var runs = 3

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func run() throws {
        let command = try Tool.photostream(photostream)
        try Tool.withFolder { folder in
            let subject = try HTTPSubject(command, count: count, in: folder)
            defer { subject.server.stop() }
            let probes = try probes(subject.server.port)
            print(
                "\(count) photos, \(clients) clients, best p99 of \(runs) runs of \(seconds) s, in ms; the load's figures"
            )
            let names = probes.map { $0.name.padding(toLength: 14, withPad: " ", startingAt: 0) }.joined()
            print("load".padding(toLength: 16, withPad: " ", startingAt: 0), names, "answers  processor s")
            let number = Count()
            for load in Load.allCases {
                var best = [Double](repeating: .infinity, count: probes.count)
                var (answers, processorTime) = (0, 0.0)
                for _ in 0..<runs {
                    let before = try subject.server.processorTime()
                    let (found, count) = try measure(load, probes: probes, port: subject.server.port, number: number)
                    processorTime += try subject.server.processorTime() - before
                    answers += count
                    best = zip(best, found).map { min($0, $1.slowest) }
                }
                let cells = zip(best, probes).map { slowest, probe in
                    (cell(slowest, width: 8) + (slowest > probe.bar ? " missed" : ""))
                        .padding(toLength: 14, withPad: " ", startingAt: 0)
                }
                print(
                    load.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0), cells.joined(), answers,
                    cell(processorTime, places: 1, width: 8))
                fflush(nil)
            }
        }
    }

    /// The short queries, each run once, so that their layout is known.
    private func probes(_ port: Int) throws -> [Probe] {
        let client = try SocketClient(port: port)
        let list = String(
            decoding: try client.get("/v1/streams/bench/photos?limit=1", accept: "application/json").body, as: UTF8.self
        )
        guard let id = list.split(separator: "\"id\":\"").dropFirst().first?.prefix(while: { $0 != "\"" }) else {
            throw Tool.Failure(description: "the stream has no photo: \(list.prefix(200))")
        }
        let probes = [
            Probe(name: "photo", target: "/v1/streams/bench/photos/\(id)", bar: 50),
            Probe(name: "rect", target: "/v1/streams/bench/layout/rect?width=1200&rect=0,4000,1200,900", bar: 50),
            Probe(name: "readyz", target: "/readyz", bar: 20),
        ]
        for probe in probes { _ = try client.get(probe.target, accept: "application/json") }
        return probes
    }

    /// Asks the short questions in turn while the load runs.
    ///
    /// - Returns: The questions with their times, and the number of answers to the load.
    private func measure(
        _ load: Load, probes: [Probe], port: Int, number: Count
    ) throws -> ([Probe], Int) {
        let (isOver, answers) = (Flag(), Count())
        let group = DispatchGroup()
        if load != .nothing {
            for _ in 0..<clients {
                group.enter()
                Thread.detachNewThread {
                    defer { group.leave() }
                    while !isOver.isSet, let client = try? SocketClient(port: port) {
                        // A client whose timeout ends begins again on another connection.
                        while !isOver.isSet, let target = load.target(number.increment()),
                            let answer = try? client.get(target, accept: "application/json")
                        {
                            if answer.status == 200 { answers.increment() }
                        }
                    }
                }
            }
        }
        defer {
            isOver.set()
            group.wait()
        }
        var probes = probes
        let client = try SocketClient(port: port)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while clock.now < end {
            for index in probes.indices {
                let duration = try clock.measure {
                    let answer = try client.get(probes[index].target, accept: "application/json")
                    guard answer.status == 200 else {
                        throw Tool.Failure(description: "\(probes[index].target) got \(answer.status)")
                    }
                }
                probes[index].times.append(duration.nanoseconds / 1e6)
            }
            Thread.sleep(forTimeInterval: 0.005)
        }
        return (probes, answers.value)
    }
}

/// Set once, by any thread.
private final class Flag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
}

/// A count of several threads.
private final class Count: Sendable {
    private let state = Atomic(0)
    var value: Int { state.load(ordering: .relaxed) }
    @discardableResult func increment() -> Int { state.wrappingAdd(1, ordering: .relaxed).newValue }
}
