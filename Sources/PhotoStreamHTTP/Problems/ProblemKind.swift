/// What can be wrong with a request: the status and the type of a problem document.
///
/// The names are part of the interface: clients tell problems apart by them.
enum ProblemKind: String, CaseIterable {
    case malformedRequest = "malformed-request"
    case badHost = "bad-host"
    case badEscape = "bad-escape"
    case unknownParameter = "unknown-parameter"
    case repeatedParameter = "repeated-parameter"
    case invalidParameter = "invalid-parameter"
    case missingParameter = "missing-parameter"
    case invalidLayout = "invalid-layout"
    case invalidCursor = "invalid-cursor"
    case invalidName = "invalid-name"
    case invalidBody = "invalid-body"
    case foreignOrigin = "foreign-origin"
    case unknownPath = "unknown-path"
    case unknownStream = "unknown-stream"
    case unknownPhoto = "unknown-photo"
    case noPicture = "no-picture"
    case pictureNotFound = "picture-not-found"
    case notAPicture = "not-a-picture"
    case indexOutOfRange = "index-out-of-range"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case streamExists = "stream-exists"
    case streamNotEmpty = "stream-not-empty"
    case otherRevision = "other-revision"
    case readOnly = "read-only"
    case outdated
    case preconditionFailed = "precondition-failed"
    case bodyTooSlow = "body-too-slow"
    case bodyTooLarge = "body-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case unsupportedCoding = "unsupported-content-coding"
    case unsatisfiableRange = "unsatisfiable-range"
    case misdirected = "misdirected-request"
    case fieldsTooLarge = "fields-too-large"
    case invalidPhoto = "invalid-photo"
    case invalidMove = "invalid-move"
    case tooManyImports = "too-many-imports"
    case overloaded
    case busy
    case fileMoved = "file-moved"
    case storageFailed = "storage-failed"
    case failed
    case unknownMethod = "unknown-method"
    case unknownTransferCoding = "unknown-transfer-coding"
    case unknownVersion = "unknown-version"

    /// The URI that names it.
    var type: String { "urn:photostream:problem:" + rawValue }

    /// The HTTP status.
    var status: Int {
        switch self {
        case .malformedRequest, .badHost, .badEscape, .unknownParameter, .repeatedParameter, .invalidParameter,
            .missingParameter,
            .invalidLayout, .invalidCursor, .invalidName, .invalidBody:
            400
        case .foreignOrigin: 403
        case .unknownPath, .unknownStream, .unknownPhoto, .noPicture, .pictureNotFound, .notAPicture, .indexOutOfRange:
            404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .bodyTooSlow: 408
        case .streamExists, .streamNotEmpty, .otherRevision, .readOnly: 409
        case .outdated: 410
        case .preconditionFailed: 412
        case .bodyTooLarge: 413
        case .unsupportedMediaType, .unsupportedCoding: 415
        case .unsatisfiableRange: 416
        case .misdirected: 421
        case .invalidPhoto, .invalidMove: 422
        case .tooManyImports: 429
        case .fieldsTooLarge: 431
        case .failed, .storageFailed: 500
        case .unknownMethod, .unknownTransferCoding: 501
        case .overloaded, .busy, .fileMoved: 503
        case .unknownVersion: 505
        }
    }

    /// What a person reads first; the same for every problem of the kind.
    var title: String {
        switch self {
        case .malformedRequest: "That is no request"
        case .badHost: "The Host field is missing or unreadable"
        case .badEscape: "The address cannot be decoded"
        case .unknownParameter: "A parameter is unknown"
        case .repeatedParameter: "A parameter is repeated"
        case .invalidParameter: "A parameter is invalid"
        case .missingParameter: "A parameter is missing"
        case .invalidLayout: "The layout options are invalid"
        case .invalidCursor: "The cursor is refused"
        case .invalidName: "The name is not allowed"
        case .invalidBody: "The body cannot be read"
        case .foreignOrigin: "Pages of that origin may not write here"
        case .unknownPath: "There is nothing at this address"
        case .unknownStream: "There is no such stream"
        case .unknownPhoto: "There is no such photo"
        case .noPicture: "The photo names no picture"
        case .pictureNotFound: "There is no such file that may be served"
        case .notAPicture: "The file is no picture of a known type"
        case .indexOutOfRange: "The index is outside"
        case .methodNotAllowed: "The method is not allowed here"
        case .notAcceptable: "No form of the answer is acceptable"
        case .streamExists: "The stream exists already"
        case .streamNotEmpty: "The stream holds photos"
        case .otherRevision: "The stream has another revision"
        case .readOnly: "The file is open for reading only"
        case .outdated: "It was made by another version of the layout engine"
        case .preconditionFailed: "It is another one than the request names"
        case .bodyTooSlow: "The body came too slowly"
        case .bodyTooLarge: "The body is too large"
        case .unsupportedMediaType: "The body has a type that is not read here"
        case .unsupportedCoding: "Compressed bodies are not read"
        case .unsatisfiableRange: "None of the bytes exists"
        case .misdirected: "This server does not answer for that host"
        case .invalidPhoto: "The photo is refused"
        case .invalidMove: "The photo cannot go there"
        case .tooManyImports: "Too many imports are running"
        case .overloaded: "Too many requests are waiting"
        case .busy: "Another program holds the file"
        case .fileMoved: "The file is no longer where it was opened"
        case .storageFailed: "The file cannot be read or written"
        case .fieldsTooLarge: "The fields of the request are too large"
        case .unknownMethod: "There is no such method"
        case .unknownTransferCoding: "The body is sent in a coding that is not read here"
        case .unknownVersion: "There is no such version of HTTP/1"
        case .failed: "Something went wrong in the server"
        }
    }
}
