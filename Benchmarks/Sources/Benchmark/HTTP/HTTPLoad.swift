import Foundation

/// Load by `wrk`, whose requests are drawn at random from a list of addresses.
struct HTTPLoad {
    /// The result of a load.
    struct Result {
        let perSecond: Double
        /// The median time of the answers, in milliseconds.
        let median: Double
        /// Milliseconds that 99 of 100 answers took at most.
        let slowest: Double
        let count: Int
        /// The processor time of the server for a request, in microseconds.
        var processorTime = 0.0
    }

    private let script: String

    /// Writes the script into a folder.
    ///
    /// - Throws: A failure if `wrk` is missing.
    init(_ folder: URL) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw Tool.Failure(description: "\(Self.program) is missing: `apt-get install wrk` installs it")
        }
        let file = folder.appending(path: "load.lua")
        try Data(Self.lua.utf8).write(to: file)
        script = file.path(percentEncoded: false)
    }

    /// Sends requests as fast as answers arrive.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - addresses: A file with an address in each line, and after a tab its validator if that should be sent.
    ///   - accept: The requested form.
    ///   - connections: The number of requests at any time.
    ///   - seconds: The duration.
    ///   - begun: Called when the load runs; when it returns, the load ends, if it has not ended before.
    /// - Returns: The result.
    /// - Throws: A failure if an answer was an error.
    func run(
        _ server: ServedProcess, addresses: URL, accept: String, connections: Int, seconds: Int,
        until begun: (() throws -> Void)? = nil
    ) throws -> Result {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = [
            "--threads", "1", "--connections", "\(connections)", "--duration", "\(seconds)s", "--script", script,
            "--header", "Accept: \(accept)", "http://127.0.0.1:\(server.port)/",
            addresses.path(percentEncoded: false),
        ]
        process.standardOutput = output
        let before = try server.processorTime()
        try Tool.start(process)
        try begun?()
        if begun != nil { process.interrupt() }
        // Reads until the program ends its output.
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let used = try server.processorTime() - before
        let line = text.split(separator: "\n").last { $0.hasPrefix("result ") }
        let numbers = line?.split(separator: " ").dropFirst().compactMap { Double($0) } ?? []
        guard numbers.count == 5, numbers[0] > 0 else { throw Tool.Failure(description: "wrk says: \(text)") }
        guard numbers[4] == 0 else {
            throw Tool.Failure(description: "\(Int(numbers[4])) of \(Int(numbers[0])) requests failed")
        }
        return Result(
            perSecond: numbers[0] / numbers[1] * 1e6, median: numbers[2] / 1e3, slowest: numbers[3] / 1e3,
            count: Int(numbers[0]), processorTime: used / numbers[0] * 1e6)
    }

    private static let program = "/usr/bin/wrk"

    private static let lua = """
        local requests = {}

        function init(arguments)
          for line in io.lines(arguments[1]) do
            local target, tag = line:match("^(%S+)\\t?(.*)$")
            if tag ~= "" then wrk.headers["If-None-Match"] = tag end
            requests[#requests + 1] = wrk.format("GET", target)
          end
          math.randomseed(7)
        end

        function request()
          return requests[math.random(#requests)]
        end

        function done(summary, latency, rates)
          local errors = summary.errors
          print(string.format("result %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50),
            latency:percentile(99), errors.connect + errors.read + errors.write + errors.status + errors.timeout))
        end
        """
}
