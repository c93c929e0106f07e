import ArgumentParser
import Foundation

/// The server next to a route that answers the same bytes from memory, and next to nginx, which answers them from
/// files.
struct HTTPBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http",
        abstract: "Requests a second, latency and processor time over HTTP, next to memory and nginx.",
        discussion: """
            wrk, with one thread, asks three servers in turn: ours, a Hummingbird route that answers the same bytes from \
            memory, and nginx with two workers that answers them from files. It draws from the same addresses at each, \
            spread over the whole stream; all share the machine. Needs wrk and nginx: `apt-get install wrk nginx-light`.
            """)

    @Option(help: "The number of photos.")
    var count = 1_000_000

    @Option(help: "The seconds of each load.")
    var seconds = 2

    @Option(help: "The number of measurements of each, at least 3, in turn with the others.")
    var runs = 3

    @Option(help: "The numbers of connections, one after the other.")
    var connections: [Int] = [64, 8]

    @Option(help: "The questions: \(HTTPQuestion.layouts.map(\.folder).joined(separator: ", ")). (default: all)")
    var questions: [String] = []

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func validate() throws {
        guard runs >= 3 else { throw ValidationError("a median needs at least 3 loads") }
    }

    func run() throws {
        let command = try Tool.photostream(photostream)
        let questions = try chosen()
        try Tool.withFolder { folder in
            let load = try HTTPLoad(folder)
            let subject = try HTTPSubject(command, count: count, in: folder)
            defer { subject.server.stop() }
            try subject.record()
            let memory = try ServedProcess(
                CommandLine.arguments[0], arguments: ["memory-server", folder.path(percentEncoded: false)])
            defer { memory.stop() }
            let nginx = try NginxServer.start(folder)
            defer { nginx.stop() }
            let servers = [subject.server, memory, nginx]
            print("\(count) photos; medians of \(runs) loads of \(seconds) s; p50 and p99 in ms, CPU in us a request")
            for connections in connections {
                print(Self.head(connections))
                for question in questions {
                    try check(question, at: servers, in: folder)
                    print(try row(question, connections: connections, of: servers, load: load, in: folder))
                    // The row should be visible even if a later one fails.
                    fflush(nil)
                }
            }
            print("memory of our server: \(try subject.server.peakMemory()) MB at most")
        }
    }

    private func chosen() throws -> [HTTPQuestion] {
        guard !questions.isEmpty else { return HTTPQuestion.layouts }
        return try questions.map { name in
            guard let question = HTTPQuestion.layouts.first(where: { $0.folder == name }) else {
                throw ValidationError("there is no question \"\(name)\"")
            }
            return question
        }
    }

    /// Sends each server a few of the requests, because a fast wrong answer does not count.
    private func check(_ question: HTTPQuestion, at servers: [ServedProcess], in folder: URL) throws {
        let recorded = RecordedAnswers(in: folder, to: question)
        let isUnchanged = question == .unchanged
        let lines = try recorded.lines()
        let files = try String(contentsOf: recorded.fileAddresses, encoding: .utf8).split(separator: "\n")
        for (number, server) in servers.enumerated() {
            let client = try SocketClient(port: server.port)
            for position in stride(from: 0, to: lines.count, by: max(1, lines.count / 20)) {
                let file = files[position].split(separator: "\t").map(String.init)
                let (target, tag) = number < 2 ? lines[position] : (file[0], isUnchanged ? file[1] : "")
                let answer = try client.get(target, accept: question.accept, tag: isUnchanged ? tag : nil)
                let body = isUnchanged ? Data() : try recorded.body(position)
                guard answer.status == question.status, Data(answer.body) == body else {
                    throw Tool.Failure(
                        description: "server \(number) gives a wrong answer to \(target): \(answer.status)")
                }
            }
        }
    }

    private func row(
        _ question: HTTPQuestion, connections: Int, of servers: [ServedProcess], load: HTTPLoad, in folder: URL
    ) throws -> String {
        let recorded = RecordedAnswers(in: folder, to: question)
        var results = [[HTTPLoad.Result]](repeating: [], count: servers.count)
        for _ in 0..<runs {
            for (number, server) in servers.enumerated() {
                results[number].append(
                    try load.run(
                        server, addresses: number < 2 ? recorded.addresses : recorded.fileAddresses,
                        accept: question.accept, connections: connections, seconds: seconds))
            }
        }
        func figure(of number: Int, value: (HTTPLoad.Result) -> Double) -> Double {
            let sorted = results[number].map(value).sorted()
            return (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2
        }
        let ratio = figure(of: 0, value: \.perSecond) / figure(of: 1, value: \.perSecond)
        let cells = servers.indices.map { number in
            cell(figure(of: number, value: \.perSecond), places: 0, width: 8)
                + cell(figure(of: number, value: \.median), width: 7)
                + cell(figure(of: number, value: \.slowest), width: 7)
                + cell(figure(of: number, value: \.processorTime), places: 0, width: 5)
        }
        return question.rawValue.padding(toLength: 21, withPad: " ", startingAt: 0) + "|"
            + cells.joined(separator: " |")
            + " |" + cell(ratio, width: 6) + "  "
            + verdict(question, connections: connections, ratio: ratio, slowest: figure(of: 0, value: \.slowest))
    }

    private func verdict(_ question: HTTPQuestion, connections: Int, ratio: Double, slowest: Double) -> String {
        if connections >= 64, let target = question.ratioTarget {
            return "target \(target)" + (ratio < target ? ": missed" : "")
        }
        if connections == 8, let target = question.slowestTarget {
            return "target p99 \(Int(target)) ms" + (slowest > target ? ": missed" : "")
        }
        return ""
    }

    private static func head(_ connections: Int) -> String {
        let columns = "   req/s    p50    p99  CPU"
        return """

            \("\(connections) connections".padding(toLength: 21, withPad: " ", startingAt: 0))|\(columns) |\(columns) \
            |\(columns) | ratio
            \("".padding(toLength: 21, withPad: " ", startingAt: 0))|                       ours \
            |                     memory |                      nginx | ours/memory
            """
    }
}
