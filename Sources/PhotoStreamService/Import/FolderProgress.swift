public import PhotoStreamModel

/// The numbers of files that an import of folders has checked, in addition to those of `ImportTotals`.
public struct FolderTotals: Hashable, Sendable {
    /// The files and folders that were left out, by reason.
    public internal(set) var leftOut = LeftOut()
    /// Videos, which are not imported.
    public var videos: Int { leftOut.files[.video] ?? 0 }
    /// Other files that are not pictures or not finished, without hidden files and sidecars, and without those that rules
    /// leave out.
    public var ignored: Int { (leftOut.files[.notAPicture] ?? 0) + (leftOut.files[.unfinished] ?? 0) }
    /// Files with metadata that was left out or could not be read, by kind.
    public internal(set) var warnings: [FileWarning: Int] = [:]
    /// The files of the stream's photos by what identifies them, after the import.
    public internal(set) var identities = FileIdentities(byContent: 0, byName: 0)
    /// Files that were found again under another name; their photos also count as updated.
    public internal(set) var moved = 0
    /// Files that are gone and whose photos are still there.
    public internal(set) var vanished = 0
    /// Photos that were removed from the stream because their files are gone; they are kept for 30 days.
    public internal(set) var pruned = 0
    /// Photos that were kept although their files are gone: most likely their disk is not mounted.
    ///
    /// They also count as vanished.
    public internal(set) var held = 0
    /// Photos that were hidden in stacks, by the rule.
    public internal(set) var stacked: [StackKind: Int] = [:]
    /// New and changed files whose photos a person deleted, which stay deleted; they count as unchanged.
    public internal(set) var deleted = 0

    /// Creates totals of zero.
    public init() {}
}

/// A file or folder that needs attention.
public struct FileNotice: Hashable, Sendable {
    /// The kind of a notice.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It did not become a photo.
        case rejected
        /// It is not a picture.
        case ignored
        /// A part of it was dropped.
        case warning
        /// It is gone; its photo is still there.
        case vanished
        /// It is gone, and its photo was removed from the stream.
        case pruned
        /// A folder whose photos were kept although their files are gone.
        case held
        /// It was found again under another name; the reason names the old one.
        case moved
    }

    /// The kind.
    public let kind: Kind
    /// The absolute path.
    public let path: String
    /// The id of its photo, if it has one.
    public let id: PhotoID?
    /// The reason, as a clause without the path; empty if the kind is enough.
    public let reason: String
    /// Whether an earlier import has reported it, and the file has not changed since.
    public let isKnown: Bool

    /// Creates a notice.
    init(kind: Kind, path: String, id: PhotoID?, reason: String, isKnown: Bool = false) {
        (self.kind, self.path, self.id) = (kind, path, id)
        (self.reason, self.isKnown) = (reason, isKnown)
    }
}

/// The progress of an import of folders: reported after each batch is in the file, then while chunks for layouts are
/// stored.
public struct FolderProgress: Sendable {
    /// The outcomes so far.
    ///
    /// A file that is known and unchanged counts as unchanged, without being opened.
    public internal(set) var totals = ImportTotals()
    /// The numbers that only imports of folders have.
    public internal(set) var folders = FolderTotals()
    /// The number of files in the folders; `nil` until they have been counted.
    public internal(set) var fileCount: Int?
    /// The number of finished files.
    public internal(set) var doneCount = 0
    /// The notices since the last report.
    public package(set) var notices: [FileNotice] = []
    /// The stored part of the chunks for layouts, once all photos are in the file; `nil` before.
    public internal(set) var chunkedPart: Double?

    /// Creates the progress before any work.
    public init() {}
}

/// A reason why folders cannot be imported, in one sentence.
public enum FolderImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no worker that reads pictures.
    case noWorker
    /// The folder cannot be read.
    case unreadable(String, reason: String)
    /// The folder is empty, although photos came from it.
    case empty(String)
    /// A pattern is malformed.
    case pattern(String, reason: String)

    /// One sentence.
    public var description: String {
        switch self {
        case .noWorker:
            """
            folders need the program photostream-pictures, which is not in the folder of photostream: \
            install libvips (Debian: apt install libvips-dev) and build again with `swift build`, \
            or set PHOTOSTREAM_PICTURES_WORKER to its path
            """
        case .unreadable(let path, let reason):
            "the folder \"\(path)\" cannot be read: \(reason); its photos are left as they are"
        case .empty(let path):
            """
            the folder \"\(path)\" is empty, but photos of the stream came from it; they are left as they are \
            (is its disk mounted?)
            """
        case .pattern(let pattern, let reason): "the pattern \"\(pattern)\" is malformed: \(reason)"
        }
    }
}
