/// The kinds of problems of requests: status, type and title of a problem document.
///
/// The raw values are part of the interface: clients distinguish problems by them.
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
    case tokenRequired = "token-required"
    case invalidToken = "invalid-token"
    case insufficientScope = "insufficient-scope"
    case unsignedAddress = "unsigned-address"
    case foreignOrigin = "foreign-origin"
    case shareEnded = "share-ended"
    case linkEnded = "sign-in-link-ended"
    case unknownPath = "unknown-path"
    case unknownStream = "unknown-stream"
    case unknownPhoto = "unknown-photo"
    case noPicture = "no-picture"
    case pictureNotFound = "picture-not-found"
    case notAPicture = "not-a-picture"
    case noThumbnail = "no-thumbnail"
    case indexOutOfRange = "index-out-of-range"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case uploadsOff = "uploads-off"
    case streamExists = "stream-exists"
    case streamNotEmpty = "stream-not-empty"
    case photoExists = "photo-exists"
    case photoDeleted = "photo-deleted"
    case deletedBefore = "deleted-before"
    case fileExists = "file-exists"
    case otherRevision = "other-revision"
    case noRank = "no-rank"
    case readOnly = "read-only"
    case outdated
    case preconditionFailed = "precondition-failed"
    case headTooSlow = "head-too-slow"
    case bodyTooSlow = "body-too-slow"
    case bodyTooLarge = "body-too-large"
    case addressTooLong = "address-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case unsupportedCoding = "unsupported-content-coding"
    case unsatisfiableRange = "unsatisfiable-range"
    case misdirected = "misdirected-request"
    case fieldsTooLarge = "fields-too-large"
    case invalidPhoto = "invalid-photo"
    case invalidMove = "invalid-move"
    case undecodablePicture = "undecodable-picture"
    case tooManyImports = "too-many-imports"
    case tooManyAttempts = "too-many-attempts"
    case tooManyRequests = "too-many-requests"
    case overloaded
    case busy
    case primaryUnavailable = "primary-unavailable"
    case revisionMissing = "revision-missing"
    case replicaStopped = "replica-stopped"
    case fileMoved = "file-moved"
    case storageFailed = "storage-failed"
    case uploadsUnavailable = "uploads-unavailable"
    case diskFull = "disk-full"
    case failed
    case unknownMethod = "unknown-method"
    case unknownTransferCoding = "unknown-transfer-coding"
    case unknownVersion = "unknown-version"

    var type: String { "urn:photostream:problem:" + rawValue }

    var status: Int {
        switch self {
        case .malformedRequest, .badHost, .badEscape, .unknownParameter, .repeatedParameter, .invalidParameter,
            .missingParameter,
            .invalidLayout, .invalidCursor, .invalidName, .invalidBody:
            400
        case .tokenRequired, .invalidToken: 401
        case .foreignOrigin, .insufficientScope, .unsignedAddress, .uploadsOff: 403
        case .shareEnded, .linkEnded, .unknownPath, .unknownStream, .unknownPhoto, .noPicture, .pictureNotFound,
            .notAPicture,
            .noThumbnail,
            .indexOutOfRange:
            404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .headTooSlow, .bodyTooSlow: 408
        case .streamExists, .streamNotEmpty, .photoExists, .photoDeleted, .deletedBefore, .fileExists, .otherRevision,
            .noRank,
            .readOnly:
            409
        case .outdated: 410
        case .preconditionFailed: 412
        case .bodyTooLarge: 413
        case .addressTooLong: 414
        case .unsupportedMediaType, .unsupportedCoding: 415
        case .unsatisfiableRange: 416
        case .misdirected: 421
        case .invalidPhoto, .invalidMove, .undecodablePicture: 422
        case .tooManyImports, .tooManyAttempts, .tooManyRequests: 429
        case .fieldsTooLarge: 431
        case .failed, .storageFailed: 500
        case .unknownMethod, .unknownTransferCoding: 501
        case .overloaded, .busy, .primaryUnavailable, .revisionMissing, .replicaStopped, .fileMoved,
            .uploadsUnavailable:
            503
        case .unknownVersion: 505
        case .diskFull: 507
        }
    }

    /// A short summary, the same for every problem of the kind.
    var title: String {
        switch self {
        case .malformedRequest: "Malformed request"
        case .badHost: "Missing or invalid Host field"
        case .badEscape: "Invalid percent-encoding"
        case .unknownParameter: "Unknown parameter"
        case .repeatedParameter: "Repeated parameter"
        case .invalidParameter: "Invalid parameter"
        case .missingParameter: "Missing parameter"
        case .invalidLayout: "Invalid layout options"
        case .invalidCursor: "Invalid cursor"
        case .invalidName: "Invalid name"
        case .invalidBody: "Invalid body"
        case .tokenRequired: "Token required"
        case .invalidToken: "Invalid token or session"
        case .insufficientScope: "Insufficient scope"
        case .unsignedAddress: "Address not signed or over"
        case .foreignOrigin: "Origin not allowed"
        case .shareEnded: "Link has ended"
        case .linkEnded: "Sign-in link has ended"
        case .unknownPath: "Unknown address"
        case .unknownStream: "Unknown stream"
        case .unknownPhoto: "Unknown photo"
        case .noPicture: "Photo without a picture"
        case .pictureNotFound: "Picture not found"
        case .notAPicture: "Not a picture of a known type"
        case .noThumbnail: "Thumbnail unavailable"
        case .indexOutOfRange: "Index out of range"
        case .methodNotAllowed: "Method not allowed"
        case .notAcceptable: "Not acceptable"
        case .uploadsOff: "Uploads not allowed"
        case .streamExists: "Stream exists already"
        case .streamNotEmpty: "Stream is not empty"
        case .photoExists: "Photo exists already"
        case .photoDeleted: "Photo was deleted"
        case .deletedBefore: "Picture was deleted"
        case .fileExists: "File exists already"
        case .otherRevision: "Stream has another revision"
        case .noRank: "No place left there"
        case .readOnly: "File is read-only"
        case .outdated: "Outdated layout key or cursor"
        case .preconditionFailed: "Precondition failed"
        case .headTooSlow: "Head too slow"
        case .bodyTooSlow: "Body too slow"
        case .bodyTooLarge: "Body too large"
        case .addressTooLong: "Address too long"
        case .unsupportedMediaType: "Unsupported media type"
        case .unsupportedCoding: "Unsupported content coding"
        case .unsatisfiableRange: "Range not satisfiable"
        case .misdirected: "Misdirected request"
        case .invalidPhoto: "Invalid photo"
        case .invalidMove: "Invalid move"
        case .undecodablePicture: "Picture cannot be decoded"
        case .tooManyImports: "Too many imports"
        case .tooManyAttempts: "Too many wrong tokens"
        case .tooManyRequests: "Too many requests"
        case .overloaded: "Server overloaded"
        case .busy: "File is locked"
        case .primaryUnavailable: "Primary database unavailable"
        case .revisionMissing: "Revision not yet known here"
        case .replicaStopped: "Replica cannot follow"
        case .fileMoved: "File was moved"
        case .storageFailed: "File cannot be read or written"
        case .uploadsUnavailable: "Uploads unavailable"
        case .diskFull: "Disk is full"
        case .fieldsTooLarge: "Header fields too large"
        case .unknownMethod: "Unknown method"
        case .unknownTransferCoding: "Unsupported transfer coding"
        case .unknownVersion: "Unsupported HTTP version"
        case .failed: "Internal error"
        }
    }
}
