import Foundation
import Testing

/// An interrupted command leaves no partial file, at the latest after it is run again.
@Suite struct PartialFilesTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    /// An import that has begun its report and waits for more input, until it is stopped.
    private final class WaitingImport {
        let process = Process()
        private let input = Pipe()

        /// Starts it with the dispositions of signals that it needs, regardless of those of the tests: in a shell's
        /// background job, SIGINT is ignored.
        init(in photostream: Command, ignoring signal: String? = nil) throws {
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments =
                ["--default-signal=HUP,INT,TERM"] + (signal.map { ["--ignore-signal=\($0)"] } ?? []) + [
                    try Command.binary().path, "import", "--stream", "s", "--report", "report.json", "--format",
                    "jsonl", "-",
                ]
            process.currentDirectoryURL = photostream.folder
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            try photostream.write("errors", "")
            process.standardError = try FileHandle(forWritingTo: photostream.url("errors"))
            try photostream.write("report.json", "old")
            try process.run()
            try write(#"{"id":"a"}"# + "\n")
            // It begins its report, and takes an old one away, before it reads anything.
            let deadline = ContinuousClock.now + .seconds(60)
            while try !photostream.files.contains(name) || photostream.files.contains("report.json") {
                try #require(process.isRunning && ContinuousClock.now < deadline)
                Thread.sleep(forTimeInterval: 0.01)
            }
        }

        var name: String { ".report.json.\(process.processIdentifier).partial" }

        func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

        func end() throws {
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        func stop(_ signal: Int32) {
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
        }
    }

    private func partials() throws -> Set<String> { try photostream.files.filter { $0.hasSuffix(".partial") } }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal deletes partial files`(signal: Int32) throws {
        let waiting = try WaitingImport(in: photostream)
        waiting.stop(signal)
        #expect(waiting.process.terminationReason == .uncaughtSignal)
        #expect(waiting.process.terminationStatus == signal)
        #expect(try partials().isEmpty)
        // Not even that of an earlier import.
        #expect(try !photostream.files.contains("report.json"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends an import with a summary`(signal: Int32) throws {
        try photostream("streams", "create", "other")
        let waiting = try WaitingImport(in: photostream)
        waiting.stop(signal)
        let errors = try photostream.text("errors")
        #expect(errors.contains("ended after 0 records; stream \"s\" is unchanged\n"), "\(errors)")
        #expect(errors.hasSuffix("photostream: the import was interrupted\n"), "\(errors)")
        // No record was written, so there is no stream either.
        let streams = try photostream("streams", "--json").json["streams"] as? [[String: Any]]
        #expect(streams?.compactMap { $0["stream"] as? String } == ["other"])
    }

    @Test func `an ignored signal remains ignored`() throws {
        let waiting = try WaitingImport(in: photostream, ignoring: "INT")
        kill(waiting.process.processIdentifier, SIGINT)
        try waiting.write(#"{"id":"b"}"# + "\n")
        try waiting.end()
        #expect(waiting.process.terminationReason == .exit && waiting.process.terminationStatus == 0)
        #expect(try Command.Outcome.object(photostream.text("report.json"))["inserted"] as? Int == 2)
        #expect(try partials().isEmpty)
    }

    @Test func `the next run deletes files of killed processes, but not those of running ones`() throws {
        let killed = try WaitingImport(in: photostream)
        killed.stop(SIGKILL)
        #expect(try partials() == [killed.name])
        let running = try WaitingImport(in: photostream)
        #expect(try partials() == [running.name])
        // Files of another name, of no process, and of a process that is invisible here but locks its file.
        let others: Set<String> = [".other.json.\(killed.process.processIdentifier).partial", ".report.json.x.partial"]
        for name in others.union([killed.name]) { try photostream.write(name, "") }
        let held = try FileHandle(forReadingFrom: photostream.url(killed.name))
        #expect(flock(held.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        try photostream.write("p.jsonl", #"{"id":"c"}"#)
        try photostream("import", "--stream", "s", "--report", "report.json", "p.jsonl")
        #expect(try partials() == others.union([killed.name, running.name]))
        try held.close()
        try photostream("import", "--stream", "s", "--report", "report.json", "p.jsonl")
        #expect(try partials() == others.union([running.name]))
        try running.end()
        #expect(running.process.terminationStatus == 0)
        #expect(try partials() == others)
    }
}
