import HTTPTypes
import PhotoStreamService
import PhotoStreamWire

/// An answer: a status, fields and bytes.
struct APIResponse {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: [UInt8] {
        didSet { isFixed = false }
    }
    /// Whether the bytes of ``body`` are those of a ``FixedDocument``, which answers share.
    private(set) var isFixed = false
    /// Whether ``body`` was written for the sender of the request: a share sends no other one.
    var isForSender = false
    /// The part of a file that is sent in place of ``body``.
    var part: FilePart?
    /// Makes the answer in the lane of folds, if it is not this one because its layout must be folded.
    var later: Route.Handler?
    /// Whether ``later`` computes a layout that is not known, which is limited.
    var isFoldNew = true
    /// The stream whose events are sent in place of ``body``.
    var events: EventRequest?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - contentType: The type of the body; `nil` for none.
    ///   - body: The bytes.
    init(_ status: HTTPResponse.Status = .ok, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.body = body
        fields = HTTPFields()
        if let contentType { fields[.contentType] = contentType }
    }

    /// Returns an answer that is made in the lane of folds.
    static func inLaneOfFolds(_ handler: @escaping @Sendable (inout APICall) throws -> APIResponse) -> APIResponse {
        var answer = APIResponse()
        answer.later = { try handler(&$0) }
        return answer
    }

    /// Creates an answer with the bytes of a fixed document.
    init(contentType: String, sharing bytes: [UInt8]) {
        self.init(contentType: contentType, body: bytes)
        isFixed = true
    }

    /// Creates an answer with bytes of a picture's file.
    init(_ file: PictureFile, as mediaType: String, range: Range<Int64>) {
        self.init(contentType: mediaType)
        part = FilePart(file: file, range: range)
    }

    /// The number of bytes that are sent, or would be sent to a `GET`.
    var byteCount: Int { part?.range.count ?? body.count }

    /// Creates a problem document.
    ///
    /// - Parameters:
    ///   - problem: The problem.
    ///   - audience: The readers if they have the link of a share, which does not show the detail; `nil` for all others.
    init(_ problem: Problem, for audience: ShareAudience? = nil) {
        self.init(
            HTTPResponse.Status(code: problem.kind.status), contentType: Problem.contentType,
            body: JSONWriter.bytes(for: audience) { $0.value(problem) })
        isForSender = audience != nil
        fields[.cacheControl] = "no-store"
        if !problem.allowedMethods.isEmpty { fields[.allow] = problem.allowedMethods.joined(separator: ", ") }
        // The rest of the body is not read.
        if problem.kind == .bodyTooSlow { fields[.connection] = "close" }
        if problem.kind.status == 401 { fields[.wwwAuthenticate] = "Bearer realm=\"PhotoStream\"" }
        if let seconds = problem.retryAfter { fields[.retryAfter] = String(seconds) }
    }
}
