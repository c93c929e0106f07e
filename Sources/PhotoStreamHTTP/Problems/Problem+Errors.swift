import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

extension Problem {
    /// Creates the problem that a client sees of an error, without what the error says of the file or of SQL.
    ///
    /// - Parameter error: The error.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as StreamServiceError: self.init(error)
        case let error as PictureError: self.init(error)
        case let error as LayoutOptionError: self.init(error)
        case let error as JSONRefusal:
            self.init(error.isSyntax ? .invalidBody : .invalidPhoto, error.reason, parameter: error.field)
        case is CancellationError: self.init(.overloaded, "the request was given up")
        default: self.init(.failed, "the server's log says more")
        }
    }

    private init(_ error: LayoutOptionError) {
        let kind: ProblemKind =
            if case .outdatedKey = error.layoutError { .outdated } else { .invalidLayout }
        self.init(kind, error.text(.query), parameter: error.option?.name)
    }

    private init(_ error: PictureError) {
        let kind: ProblemKind =
            switch error {
            case .withoutLocation, .refusedAddress: .noPicture
            case .unreachable: .pictureNotFound
            case .notAPicture: .notAPicture
            case .tooManyFiles: .overloaded
            case .unreadable: .failed
            }
        self.init(kind, error.description)
    }

    private init(_ error: StreamServiceError) {
        let (kind, parameter): (ProblemKind, String?) =
            switch error {
            case .unknownStream: (.unknownStream, "stream")
            case .unknownPhoto: (.unknownPhoto, "photo")
            case .repeatedPhoto: (.invalidMove, "photo")
            case .indexOutOfRange, .startOutOfRange: (.indexOutOfRange, "from")
            case .sectionOutOfRange: (.indexOutOfRange, "section")
            case .missingSection: (.missingParameter, "section")
            case .invalidLimit: (.invalidParameter, "limit")
            case .invalidBudget, .budgetTooSmall: (.invalidParameter, nil)
            case .invalidRevision: (.invalidParameter, "since")
            case .invalidSteps: (.invalidParameter, "steps")
            case .crowdedRect: (.invalidParameter, "rect")
            case .invalidCursor: (.invalidCursor, "cursor")
            case .outdatedCursor: (.outdated, "cursor")
            case .customLayout: (.invalidLayout, "layout-key")
            case .otherOrder: (.invalidParameter, "order")
            case .streamNotEmpty: (.streamNotEmpty, "with-photos")
            case .storage(let failure, _): (Self.kind(of: failure), nil)
            }
        guard case .storage = error else {
            self.init(kind, error.description, parameter: parameter)
            return
        }
        self.init(kind, Self.detail(of: kind))
    }

    private static func kind(of failure: StorageFailure) -> ProblemKind {
        switch failure {
        case .busy: .busy
        case .moved: .fileMoved
        case .readOnly: .readOnly
        case .notADatabase, .schemaTooNew, .schemaTooOld, .schemaDiffers, .missingFolder, .missingFile, .corrupt,
            .diskFull, .notFound, .constraint, .database:
            .storageFailed
        }
    }

    /// A sentence that names neither the file nor what SQLite said.
    private static func detail(of kind: ProblemKind) -> String {
        switch kind {
        case .busy: "another program has held the file for too long; ask again"
        case .fileMoved: "the file was moved, deleted or replaced; put it back, or start the server again"
        case .readOnly: "the file is open for reading only, so nothing can be changed"
        default: "the file cannot be read or written; the server's log says why"
        }
    }
}
