import NIOHTTP1
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

extension Problem {
    /// Creates the problem document of an error, without details of the file or of SQL.
    ///
    /// - Parameter error: Any error.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as StreamServiceError: self.init(error)
        case let error as StorageError:
            let kind = Self.kind(of: error.code)
            self.init(kind, detail: error.code == .commitUnknown ? Self.unknownCommit : Self.detail(of: kind))
        case let error as PictureError: self.init(error)
        case let error as UploadError: self.init(error)
        case let error as LayoutOptionError: self.init(error)
        case let error as JSONRefusal:
            self.init(error.isSyntax ? .invalidBody : .invalidPhoto, detail: error.reason, parameter: error.field)
        case is CancellationError: self.init(.overloaded, detail: "the request was cancelled")
        default: self.init(.failed, detail: "the server's log has the details")
        }
    }

    private init(_ error: LayoutOptionError) {
        let kind: ProblemKind =
            if case .outdatedKey = error.layoutError { .outdated } else { .invalidLayout }
        self.init(kind, detail: error.text(.query), parameter: error.option?.name)
    }

    private init(_ error: PictureError) {
        let kind: ProblemKind =
            switch error {
            case .withoutLocation, .refusedAddress: .noPicture
            case .unreachable, .unknownKey, .unreadable, .withoutFilm: .pictureNotFound
            case .notAPicture: .notAPicture
            case .tooManyFiles, .tooManyThumbnails: .overloaded
            }
        self.init(kind, detail: error.description)
    }

    private init(_ error: UploadError) {
        let (kind, parameter): (ProblemKind, String?) =
            switch error {
            case .off: (.uploadsOff, nil)
            case .invalidName: (.invalidName, "name")
            case .fileExists: (.fileExists, "name")
            case .photoExists: (.photoExists, "name")
            case .photoDeleted: (.photoDeleted, "name")
            case .deletedBefore: (.deletedBefore, nil)
            case .undecodable: (.undecodablePicture, nil)
            case .diskFull: (.diskFull, nil)
            case .unavailable: (.uploadsUnavailable, nil)
            }
        self.init(kind, detail: error.description, parameter: parameter)
    }

    private init(_ error: StreamServiceError) {
        let (kind, parameter): (ProblemKind, String?) =
            switch error {
            case .unknownStream: (.unknownStream, "stream")
            case .unknownPhoto: (.unknownPhoto, "photo")
            case .notDeleted: (.unknownPhoto, "photo")
            case .photoExists: (.photoExists, "photo")
            case .photoDeleted: (.photoDeleted, "photo")
            case .repeatedPhoto, .hiddenPhoto: (.invalidMove, "photo")
            case .notInStack: (.notInStack, "photo")
            case .manualOrder: (.invalidMove, "reset")
            case .indexOutOfRange, .startOutOfRange: (.indexOutOfRange, "from")
            case .sectionOutOfRange: (.indexOutOfRange, "section")
            case .missingSection: (.missingParameter, "section")
            case .invalidLimit: (.invalidParameter, "limit")
            case .invalidIDCount: (.invalidParameter, "id")
            case .invalidBudget, .budgetTooSmall: (.invalidParameter, nil)
            case .invalidRevision, .invalidState: (.invalidParameter, "since")
            case .invalidSteps: (.invalidParameter, "steps")
            case .crowdedRect: (.invalidParameter, "rect")
            case .invalidCursor: (.invalidCursor, "cursor")
            case .outdatedCursor: (.outdated, "cursor")
            case .customLayout: (.invalidLayout, "layout-key")
            case .noClusters: (.invalidLayout, "cluster")
            case .unansweredCondition: (.invalidParameter, "where")
            case .notInView: (.unknownPhoto, "photo")
            case .otherOrder: (.invalidParameter, "order")
            case .keptView: (.keptView, "stream")
            case .notKeptView, .emptyRule, .ruleAboutStream: (.invalidBody, "where")
            case .hiddenCover: (.invalidBody, "cover")
            case .longDescription: (.invalidBody, "description")
            case .tooManyViews: (.invalidBody, "source")
            case .streamInUse: (.streamInUse, "stream")
            case .unknownAlbum: (.unknownAlbum, "album")
            case .albumInUse: (.albumInUse, "album")
            case .streamNotEmpty: (.streamNotEmpty, "with-photos")
            }
        self.init(kind, detail: error.description, parameter: parameter)
    }

    private static func kind(of failure: StorageFailure) -> ProblemKind {
        switch failure {
        case .busy: .busy
        case .primaryUnavailable, .commitUnknown: .primaryUnavailable
        case .moved: .fileMoved
        case .readOnly: .readOnly
        case .noRank: .noRank
        case .diskFull: .diskFull
        case .notADatabase, .schemaTooNew, .schemaTooOld, .schemaDiffers, .missingFolder, .missingFile, .corrupt,
            .notFound, .constraint, .database:
            .storageFailed
        }
    }

    private static let unknownCommit =
        "the database that takes changes did not say whether it has stored this one; look before you send it again"

    /// A sentence that contains neither the file nor SQLite's message.
    private static func detail(of kind: ProblemKind) -> String {
        switch kind {
        case .busy: "another program kept the file locked for too long; ask again"
        case .primaryUnavailable:
            "the database that takes changes takes none now; reading goes on, and /readyz?write says why"
        case .fileMoved: "the file was moved, deleted or replaced; put it back, or restart the server"
        case .readOnly: "the file is open for reading only; nothing can be changed"
        case .noRank: "there is no place left next to that photo; move the photo next to one of another date"
        case .diskFull: "the disk is full; make room, then ask again"
        default: "the file cannot be read or written; the server's log has the reason"
        }
    }
}

extension Problem {
    /// Creates the problem of bytes that are not a request.
    init(_ error: HTTPParserError) {
        switch error {
        case .headerOverflow:
            self.init(.fieldsTooLarge, detail: "the request line and the fields exceed 80 KiB")
        case .invalidMethod: self.init(.unknownMethod, detail: "the method is not an HTTP method")
        case .invalidVersion: self.init(.unknownVersion, detail: "the version is not one of HTTP/1")
        default: self.init(.malformedRequest, detail: "the bytes are not an HTTP/1.1 request")
        }
    }
}
