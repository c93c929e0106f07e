import Foundation
import Testing

/// A command that is stopped in the middle leaves nothing half written behind, at the latest when it is run again.
@Suite struct PartialFileTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    /// An import that has begun its report and waits for more input, until it is stopped.
    private final class WaitingImport {
        let process = Process()
        private let input = Pipe()

        init(in photostream: Command, shell: String = "") throws {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = [
                "-c", shell + "exec \"$0\" import --stream s --report report.json --format jsonl -",
                try Command.binary().path,
            ]
            process.currentDirectoryURL = photostream.folder
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            try write(#"{"id":"a"}"# + "\n")
            // It begins its report before it reads anything.
            let deadline = ContinuousClock.now + .seconds(60)
            while try !photostream.files.contains(name) {
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
    func `a signal takes away what is half written`(signal: Int32) throws {
        let waiting = try WaitingImport(in: photostream)
        waiting.stop(signal)
        #expect(waiting.process.terminationReason == .uncaughtSignal)
        #expect(waiting.process.terminationStatus == signal)
        #expect(try partials().isEmpty)
        #expect(try !photostream.files.contains("report.json"))
    }

    @Test func `a signal that is ignored stays so`() throws {
        let waiting = try WaitingImport(in: photostream, shell: "trap '' INT; ")
        kill(waiting.process.processIdentifier, SIGINT)
        try waiting.write(#"{"id":"b"}"# + "\n")
        try waiting.end()
        #expect(waiting.process.terminationReason == .exit && waiting.process.terminationStatus == 0)
        #expect(try Command.Outcome.object(photostream.text("report.json"))["inserted"] as? Int == 2)
        #expect(try partials().isEmpty)
    }

    @Test func `what a killed process left goes with the next run, what a running one writes stays`() throws {
        let killed = try WaitingImport(in: photostream)
        killed.stop(SIGKILL)
        #expect(try partials() == [killed.name])
        let running = try WaitingImport(in: photostream)
        #expect(try partials() == [running.name])
        // Of another file, of no process, of a process that is not seen from here but holds its file.
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
