import ArgumentParser
import Foundation

/// The server beside a route that answers the same bytes from memory and nginx that answers them from files.
struct HTTPBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http",
        abstract: "Requests a second, latency and processor time over HTTP, beside memory and nginx.",
        discussion: """
            wrk, with one thread, asks three servers in turn: ours, a Hummingbird route that answers the same bytes from \
            memory, and nginx with two workers that answers them from files. It draws from the same addresses at each, \
            spread over the whole stream; all share the machine. Needs wrk and nginx: `apt-get install wrk nginx-light`.
            """)

    @Option(help: "How many photos.")
    var count = 1_000_000

    @Option(help: "How many seconds each load lasts.")
    var seconds = 2

    @Option(help: "How often each is measured, at least 3 times, in turn with the others.")
    var runs = 3

    @Option(help: "How many connections, one after the other.")
    var connections: [Int] = [64, 8]

    @Option(help: "Which questions: \(HTTPQuestion.allCases.map(\.folder).joined(separator: ", ")). (default: all)")
    var questions: [String] = []

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func validate() throws {
        guard runs >= 3 else { throw ValidationError("of fewer than 3 loads there is no median") }
    }

    func run() throws {
        let command = try Tool.photostream(photostream)
        let questions = try chosen()
        try Tool.withFolder { folder in
            let load = try HTTPLoad(folder)
            let subject = try HTTPSubject(command, count: count, folder)
            defer { subject.server.stop() }
            try subject.record()
            let memory = try ServedProcess(
                CommandLine.arguments[0], ["memory-server", folder.path(percentEncoded: false)])
            defer { memory.stop() }
            let nginx = try NginxServer.start(folder)
            defer { nginx.stop() }
            let servers = [subject.server, memory, nginx]
            print("\(count) photos; medians of \(runs) loads of \(seconds) s; p50 and p99 in ms, CPU in us a request")
            for connections in connections {
                print(Self.head(connections))
                for question in questions {
                    try check(question, servers, folder)
                    print(try row(question, connections, servers, load, folder))
                    // It is to be seen although something fails later.
                    fflush(nil)
                }
            }
            print("memory of our server: \(try subject.server.peakMemory()) MB at most")
        }
    }

    private func chosen() throws -> [HTTPQuestion] {
        guard !questions.isEmpty else { return HTTPQuestion.allCases }
        return try questions.map { name in
            guard let question = HTTPQuestion.allCases.first(where: { $0.folder == name }) else {
                throw ValidationError("there is no question \"\(name)\"")
            }
            return question
        }
    }

    /// Asks each server a few of the questions: a fast wrong answer is none.
    private func check(_ question: HTTPQuestion, _ servers: [ServedProcess], _ folder: URL) throws {
        let recorded = RecordedAnswers(folder, question)
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
                    throw Tool.Failure(description: "server \(number) answers \(target) wrongly: \(answer.status)")
                }
            }
        }
    }

    private func row(
        _ question: HTTPQuestion, _ connections: Int, _ servers: [ServedProcess], _ load: HTTPLoad, _ folder: URL
    ) throws -> String {
        let recorded = RecordedAnswers(folder, question)
        var results = [[HTTPLoad.Result]](repeating: [], count: servers.count)
        for _ in 0..<runs {
            for (number, server) in servers.enumerated() {
                results[number].append(
                    try load.run(
                        server, addresses: number < 2 ? recorded.addresses : recorded.fileAddresses,
                        accept: question.accept, connections: connections, seconds: seconds))
            }
        }
        func figure(_ number: Int, _ value: (HTTPLoad.Result) -> Double) -> Double {
            let sorted = results[number].map(value).sorted()
            return (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2
        }
        let ratio = figure(0, \.perSecond) / figure(1, \.perSecond)
        let cells = servers.indices.map { number in
            cell(figure(number, \.perSecond), places: 0, width: 8) + cell(figure(number, \.median), width: 7)
                + cell(figure(number, \.slowest), width: 7) + cell(figure(number, \.processorTime), places: 0, width: 5)
        }
        return question.rawValue.padding(toLength: 21, withPad: " ", startingAt: 0) + "|"
            + cells.joined(separator: " |")
            + " |" + cell(ratio, width: 6) + "  "
            + verdict(question, connections, ratio: ratio, slowest: figure(0, \.slowest))
    }

    private func verdict(_ question: HTTPQuestion, _ connections: Int, ratio: Double, slowest: Double) -> String {
        if connections >= 64, let bar = question.bar { return "bar \(bar)" + (ratio < bar ? ": missed" : "") }
        if connections == 8, let bar = question.slowestBar {
            return "bar p99 \(Int(bar)) ms" + (slowest > bar ? ": missed" : "")
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
