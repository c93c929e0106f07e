import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Takes a request's body in, as far as a route allows.
struct BodyReading {
    let settings: ServerSettings

    /// Reads the body of a request that has one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - head: Its fields.
    ///   - route: What it asks for.
    ///   - channel: Its connection.
    /// - Returns: The body; none where the route reads none.
    /// - Throws: ``Problem`` for a body that is encoded, of another type, too long, or broken off.
    func content(
        of request: Request, _ head: RequestHead, _ route: Route, on channel: any Channel
    ) async throws -> RequestContent {
        if let coding = head[.contentEncoding], coding.trimmingSpaces.lowercased() != "identity" {
            throw Problem(.unsupportedCoding, "the body is encoded as \(coding), but must not be encoded")
        }
        guard let body = route.body else { return .none }
        let type = head[.contentType].map(MediaTypes.essence) ?? ""
        guard body.types.contains(type) else {
            let given = type.isEmpty ? "no type" : "the type \(type)"
            throw Problem(
                .unsupportedMediaType, "the body has \(given), but must be \(body.types.joined(separator: " or "))")
        }
        let isImport = route.work == .importing
        let limit = isImport ? settings.importLimit : settings.bodyLimit
        if let length = head[.contentLength].flatMap({ Int($0) }) { try check(length, limit) }
        // Only now: who is refused need not send it.
        if head[.expect]?.lowercased() == "100-continue" {
            channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
        }
        return isImport ? try await spooled(request, limit) : try await collected(request, limit)
    }

    private func collected(_ request: Request, _ limit: Int) async throws -> RequestContent {
        var bytes: [UInt8] = []
        try await read(request.body) { buffer in
            try check(bytes.count + buffer.readableBytes, limit)
            bytes += buffer.readableBytesView
        }
        return .bytes(bytes)
    }

    private func spooled(_ request: Request, _ limit: Int) async throws -> RequestContent {
        let file = try SpooledBody()
        var count = 0
        try await read(request.body) { buffer in
            count += buffer.readableBytes
            try check(count, limit)
            try buffer.withUnsafeReadableBytes { try file.append($0) }
        }
        guard count > 0 else { throw Problem(.invalidBody, "the body is empty") }
        return .file(file)
    }

    /// Reads a body to its end; where the connection brings less than was announced, that is the client's doing.
    private func read(_ body: RequestBody, _ take: (ByteBuffer) throws -> Void) async throws {
        do {
            for try await buffer in body { try take(buffer) }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.invalidBody, "the body was broken off before its end")
        }
    }

    private func check(_ count: Int, _ limit: Int) throws(Problem) {
        guard count <= limit else { throw Problem(.bodyTooLarge, "the body is longer than \(limit) bytes") }
    }
}
