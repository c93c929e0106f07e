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
    case unknownAlbum = "unknown-album"
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
    case streamInUse = "stream-in-use"
    case keptView = "kept-view"
    case albumInUse = "album-in-use"
    case photoExists = "photo-exists"
    case photoDeleted = "photo-deleted"
    case deletedBefore = "deleted-before"
    case fileExists = "file-exists"
    case otherRevision = "other-revision"
    case noRank = "no-rank"
    case notInStack = "not-in-stack"
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

    /// The status of an answer.
    var status: Int { row.status }

    /// A short summary, the same for every problem of the kind.
    var title: String { row.title }

    private var row: (status: Int, title: String) {
        switch self {
        case .malformedRequest: (400, "Malformed request")
        case .badHost: (400, "Missing or invalid Host field")
        case .badEscape: (400, "Invalid percent-encoding")
        case .unknownParameter: (400, "Unknown parameter")
        case .repeatedParameter: (400, "Repeated parameter")
        case .invalidParameter: (400, "Invalid parameter")
        case .missingParameter: (400, "Missing parameter")
        case .invalidLayout: (400, "Invalid layout options")
        case .invalidCursor: (400, "Invalid cursor")
        case .invalidName: (400, "Invalid name")
        case .invalidBody: (400, "Invalid body")
        case .tokenRequired: (401, "Token required")
        case .invalidToken: (401, "Invalid token or session")
        case .insufficientScope: (403, "Insufficient scope")
        case .unsignedAddress: (403, "Address not signed or over")
        case .foreignOrigin: (403, "Origin not allowed")
        case .shareEnded: (404, "Link has ended")
        case .linkEnded: (404, "Sign-in link has ended")
        case .unknownPath: (404, "Unknown address")
        case .unknownStream: (404, "Unknown stream")
        case .unknownPhoto: (404, "Unknown photo")
        case .unknownAlbum: (404, "Unknown album")
        case .noPicture: (404, "Photo without a picture")
        case .pictureNotFound: (404, "Picture not found")
        case .notAPicture: (404, "Not a picture of a known type")
        case .noThumbnail: (404, "Thumbnail unavailable")
        case .indexOutOfRange: (404, "Index out of range")
        case .methodNotAllowed: (405, "Method not allowed")
        case .notAcceptable: (406, "Not acceptable")
        case .uploadsOff: (403, "Uploads not allowed")
        case .streamExists: (409, "Stream exists already")
        case .streamNotEmpty: (409, "Stream is not empty")
        case .streamInUse: (409, "Stream is in use")
        case .keptView: (409, "Not possible with a kept view")
        case .albumInUse: (409, "Album is in use")
        case .photoExists: (409, "Photo exists already")
        case .photoDeleted: (409, "Photo was deleted")
        case .deletedBefore: (409, "Picture was deleted")
        case .fileExists: (409, "File exists already")
        case .otherRevision: (409, "Stream has another revision")
        case .noRank: (409, "No place left there")
        case .notInStack: (409, "Photo is in no stack")
        case .readOnly: (409, "File is read-only")
        case .outdated: (410, "Outdated layout key or cursor")
        case .preconditionFailed: (412, "Precondition failed")
        case .headTooSlow: (408, "Head too slow")
        case .bodyTooSlow: (408, "Body too slow")
        case .bodyTooLarge: (413, "Body too large")
        case .addressTooLong: (414, "Address too long")
        case .unsupportedMediaType: (415, "Unsupported media type")
        case .unsupportedCoding: (415, "Unsupported content coding")
        case .unsatisfiableRange: (416, "Range not satisfiable")
        case .misdirected: (421, "Misdirected request")
        case .invalidPhoto: (422, "Invalid photo")
        case .invalidMove: (422, "Invalid move")
        case .undecodablePicture: (422, "Picture cannot be decoded")
        case .tooManyImports: (429, "Too many imports")
        case .tooManyAttempts: (429, "Too many wrong tokens")
        case .tooManyRequests: (429, "Too many requests")
        case .overloaded: (503, "Server overloaded")
        case .busy: (503, "File is locked")
        case .primaryUnavailable: (503, "Primary database unavailable")
        case .revisionMissing: (503, "Revision not yet known here")
        case .replicaStopped: (503, "Replica cannot follow")
        case .fileMoved: (503, "File was moved")
        case .storageFailed: (500, "File cannot be read or written")
        case .uploadsUnavailable: (503, "Uploads unavailable")
        case .diskFull: (507, "Disk is full")
        case .fieldsTooLarge: (431, "Header fields too large")
        case .unknownMethod: (501, "Unknown method")
        case .unknownTransferCoding: (501, "Unsupported transfer coding")
        case .unknownVersion: (505, "Unsupported HTTP version")
        case .failed: (500, "Internal error")
        }
    }
}
