public import Configuration
import Foundation

/// How the server runs; every setting has a default, an environment variable and, some of them, an option.
public struct ServerSettings: Sendable {
    /// The port on 127.0.0.1; 0 for any free one.
    public var port = 8_080
    /// How many requests read at once.
    public var readers = 8
    /// How many requests write at once; the file takes one write at a time.
    public var writers = 2
    /// How many pictures are opened or read at once.
    public var pictures = 8
    /// How many requests may wait or run before others are refused.
    public var requestLimit = 512
    /// The longest body that is held in memory, in bytes.
    public var bodyLimit = 1 << 20
    /// How much of bodies is held in memory at once, of all requests together, in bytes.
    public var bodyMemory = 64 << 20
    /// How much of answers that are being sent is held in memory at once, of all requests together, in bytes.
    public var answerMemory = 256 << 20
    /// How fast a body must come, in bytes a second on the average.
    public var bodyRate = 16_384
    /// How many seconds a body may take.
    public var bodySeconds = 600
    /// How many connections may be open at once; more wait until one is closed.
    public var connections = 1_024
    /// The longest body of an import, in bytes.
    public var importLimit = 1 << 30
    /// How many imports may run at once.
    public var imports = 2
    /// How many seconds a connection may stay open without a request, or without taking more of an answer.
    public var idleSeconds = 75
    /// How many seconds requests may go on once the server is to end, before their connections are closed.
    public var endSeconds = 10
    /// Of which origins, beside the server's own, pages may read answers and write.
    public var allowedOrigins: Set<WebOrigin> = []

    /// The defaults.
    public init() {}

    /// Reads settings.
    ///
    /// - Parameter reader: Where they come from, in the order of precedence; what is nowhere has its default.
    /// - Throws: ``ServerError`` naming a setting that is out of range or no origin, and what the reader throws for one
    ///   that is no number.
    public init(_ reader: ConfigReader) throws {
        port = try Self.read("port", 0...65_535, port, reader)
        readers = try Self.read("readers", 1...256, readers, reader)
        writers = try Self.read("writers", 1...64, writers, reader)
        pictures = try Self.read("pictures", 1...256, pictures, reader)
        requestLimit = try Self.read("request.limit", 1...65_536, requestLimit, reader)
        bodyLimit = try Self.read("body.limit", 1...(1 << 30), bodyLimit, reader)
        bodyMemory = try Self.read("body.memory", 1...(1 << 40), bodyMemory, reader)
        answerMemory = try Self.read("answer.memory", 1...(1 << 40), answerMemory, reader)
        bodyRate = try Self.read("body.rate", 1...(1 << 30), bodyRate, reader)
        bodySeconds = try Self.read("body.seconds", 1...86_400, bodySeconds, reader)
        connections = try Self.read("connections", 1...1_000_000, connections, reader)
        importLimit = try Self.read("import.limit", 1...(1 << 40), importLimit, reader)
        imports = try Self.read("imports", 1...64, imports, reader)
        idleSeconds = try Self.read("idle.seconds", 1...86_400, idleSeconds, reader)
        endSeconds = try Self.read("end.seconds", 1...86_400, endSeconds, reader)
        let origins = reader.string(forKey: "allowed.origins") ?? ""
        allowedOrigins = Set(try origins.split(separator: ",").map { try WebOrigin(String($0).trimmingSpaces) })
    }

    /// How many connections may be open at once: fewer than the process may have files open, so that there is one left for
    /// each picture, body and file of SQLite, and accepting never fails for want of one.
    var connectionLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connections }
        let files = Int(min(limit.rlim_cur, 1 << 30))
        return min(connections, max(16, files - max(128, files / 4)))
    }

    private static func read(
        _ name: String, _ range: ClosedRange<Int>, _ otherwise: Int, _ reader: ConfigReader
    ) throws -> Int {
        let key = ConfigKey(name)
        guard let text = reader.string(forKey: key) else { return otherwise }
        guard let number = Int(text), range.contains(number) else {
            throw ServerError.invalidSetting(name, value: text, range: range)
        }
        return number
    }
}
