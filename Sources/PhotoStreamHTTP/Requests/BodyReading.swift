import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Reads the body of a request, up to the limits of its route.
///
/// A body in memory reserves its bytes in a budget before it keeps them; a body of any length goes to a file.
struct BodyReading {
    let settings: ServerSettings
    let budget: SharedBudget
    let client: BoundedClient
    /// The threads that write bodies to files.
    let pool: WorkerPool

    /// Reads the body of a request that has one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - route: Its route.
    ///   - channel: Its connection.
    ///   - file: Receives a body of any length; `nil` for one that is kept in memory.
    /// - Returns: The body; none if the route reads none.
    /// - Throws: ``Problem`` for a body that is encoded, of another type, too long, or incomplete.
    func content(
        of request: Request, _ route: Route, on channel: any Channel, into file: (any BodyFile)? = nil
    ) async throws -> RequestContent {
        if let coding = request.headers[.contentEncoding], coding.trimmingSpaces.lowercased() != "identity" {
            throw Problem(
                .unsupportedCoding, detail: "the body is encoded as \(coding); encoded bodies are not supported")
        }
        guard let body = route.body else { return .none }
        let type = request.headers[.contentType].map(MediaTypes.essence) ?? ""
        guard body.accepts(type) else {
            let given = type.isEmpty ? "no type" : "the type \(type)"
            throw Problem(
                .unsupportedMediaType,
                detail: "the body has \(given), but must be \(body.types.joined(separator: " or "))")
        }
        let limit =
            switch route.work {
            case .importing: settings.importLimit
            case .uploading: settings.uploadLimit
            default: settings.bodyLimit
            }
        // The parser accepts digits only; a number beyond `Int` exceeds any limit.
        if let length = request.headers[.contentLength] { try check(Int(length) ?? .max, limit: limit) }
        // Only now: a client whose request is refused need not send the body.
        if request.headers[.expect]?.lowercased() == "100-continue" {
            channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
        }
        guard let file else { return try await collected(request, limit: limit) }
        try await spool(request, into: file, limit: limit)
        return .file(file)
    }

    private func collected(_ request: Request, limit: Int) async throws -> RequestContent {
        var bytes: [UInt8] = []
        let share = budget.share(of: client.holders)
        try await read(request.body) { buffer in
            try check(bytes.count + buffer.readableBytes, limit: limit)
            try share.grow(by: buffer.readableBytes)
            bytes += buffer.readableBytesView
        }
        return .bytes(bytes, share)
    }

    private func spool(_ request: Request, into file: any BodyFile, limit: Int) async throws {
        var count = 0
        try await read(request.body) { buffer in
            count += buffer.readableBytes
            try check(count, limit: limit)
            try await pool.runAdmitted { try unsafe buffer.withUnsafeReadableBytes { try unsafe file.append($0) } }
        }
        guard count > 0 else { throw Problem(.invalidBody, detail: "the body is empty") }
    }

    /// Reads a body to its end; a connection that ends before the announced length is the client's error.
    private func read(_ body: RequestBody, take: (ByteBuffer) async throws -> Void) async throws {
        do {
            for try await buffer in body { try await take(buffer) }
        } catch let problem as Problem {
            throw problem
        } catch is DeadlineHandler.BodyTooSlow {
            throw Problem(
                .bodyTooSlow,
                detail:
                    "a body must arrive at \(settings.bodyRate) bytes/s or faster and within \(settings.bodySeconds) seconds"
            )
        } catch {
            throw Problem(.invalidBody, detail: "the body ended before its announced length")
        }
    }

    private func check(_ count: Int, limit: Int) throws(Problem) {
        guard count <= limit else { throw Problem(.bodyTooLarge, detail: "the body is longer than \(limit) bytes") }
    }
}

enum RequestContent {
    /// No body was sent, or the route reads none.
    case none
    /// A file with the body.
    case file(any BodyFile)
    /// The bytes, and their share of the memory for bodies.
    case bytes([UInt8], SharedBudget.Share)

    /// The bytes; empty unless they are in memory.
    var bytes: [UInt8] {
        if case .bytes(let bytes, _) = self { bytes } else { [] }
    }
}

/// A file that can receive a body of any length.
protocol BodyFile: Sendable {
    /// Appends bytes; blocks.
    ///
    /// - Throws: ``Problem`` if they cannot be stored.
    func append(_ bytes: UnsafeRawBufferPointer) throws(Problem)
}

/// A body that is too long for memory, in a file without a name.
///
/// The file is deleted with its descriptor, even if the process is killed.
final class SpooledBody: BodyFile {
    /// The path by which this process can read the file from its beginning.
    var path: String { "/proc/self/fd/\(descriptor)" }
    private let descriptor: Int32

    /// Creates an empty file.
    ///
    /// - Throws: ``Problem`` if the system cannot create one.
    init() throws(Problem) {
        var template = Array((NSTemporaryDirectory() + "/photostream-body-XXXXXX").utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw Self.problem }
        self.descriptor = descriptor
        unsafe unlink(template)
    }

    deinit {
        close(descriptor)
    }

    /// Appends bytes.
    ///
    /// - Throws: ``Problem`` if there is no room for them.
    func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let count = unsafe UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) {
                unsafe write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw Self.problem
            }
            unsafe rest = unsafe rest.dropFirst(count)
        }
    }

    private static var problem: Problem {
        Problem(.storageFailed, detail: "the body cannot be stored while it is read")
    }
}
