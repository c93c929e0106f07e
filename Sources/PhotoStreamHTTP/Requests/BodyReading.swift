import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Takes a request's body in, as far as a route allows.
///
/// What is held in memory is taken of one budget before it is kept; an import goes to a file.
struct BodyReading {
    let settings: ServerSettings
    let budget: MemoryBudget
    /// What writes bodies to files.
    let pool: WorkerPool

    /// Reads the body of a request that has one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - route: What it asks for.
    ///   - channel: Its connection.
    /// - Returns: The body; none where the route reads none.
    /// - Throws: ``Problem`` for a body that is encoded, of another type, too long, or broken off.
    func content(
        of request: Request, _ route: Route, on channel: any Channel
    ) async throws -> RequestContent {
        if let coding = request.headers[.contentEncoding], coding.trimmingSpaces.lowercased() != "identity" {
            throw Problem(.unsupportedCoding, "the body is encoded as \(coding), but must not be encoded")
        }
        guard let body = route.body else { return .none }
        let type = request.headers[.contentType].map(MediaTypes.essence) ?? ""
        guard body.types.contains(type) else {
            let given = type.isEmpty ? "no type" : "the type \(type)"
            throw Problem(
                .unsupportedMediaType, "the body has \(given), but must be \(body.types.joined(separator: " or "))")
        }
        let isImport = route.work == .importing
        let limit = isImport ? settings.importLimit : settings.bodyLimit
        if let length = request.headers[.contentLength].flatMap({ Int($0) }) { try check(length, limit) }
        // Only now: who is refused need not send it.
        if request.headers[.expect]?.lowercased() == "100-continue" {
            channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
        }
        return isImport ? try await spooled(request, limit) : try await collected(request, limit)
    }

    private func collected(_ request: Request, _ limit: Int) async throws -> RequestContent {
        var bytes: [UInt8] = []
        let share = budget.share()
        try await read(request.body) { buffer in
            try check(bytes.count + buffer.readableBytes, limit)
            try share.grow(by: buffer.readableBytes)
            bytes += buffer.readableBytesView
        }
        return .bytes(bytes, share)
    }

    private func spooled(_ request: Request, _ limit: Int) async throws -> RequestContent {
        let file = try await pool.goOn { try SpooledBody() }
        var count = 0
        try await read(request.body) { buffer in
            count += buffer.readableBytes
            try check(count, limit)
            try await pool.goOn { try buffer.withUnsafeReadableBytes { try file.append($0) } }
        }
        guard count > 0 else { throw Problem(.invalidBody, "the body is empty") }
        return .file(file)
    }

    /// Reads a body to its end; where the connection brings less than was announced, that is the client's doing.
    private func read(_ body: RequestBody, _ take: (ByteBuffer) async throws -> Void) async throws {
        do {
            for try await buffer in body { try await take(buffer) }
        } catch let problem as Problem {
            throw problem
        } catch is BodyPaceHandler.TooSlow {
            throw Problem(
                .bodyTooSlow,
                "a body must come at \(settings.bodyRate) bytes a second and within \(settings.bodySeconds) seconds")
        } catch {
            throw Problem(.invalidBody, "the body was broken off before its end")
        }
    }

    private func check(_ count: Int, _ limit: Int) throws(Problem) {
        guard count <= limit else { throw Problem(.bodyTooLarge, "the body is longer than \(limit) bytes") }
    }
}
