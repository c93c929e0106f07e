/// A reason why an import leaves out a file, or a folder with everything beneath it.
///
/// If there are several reasons, the first of this order counts. The raw values are in reports.
public enum LeftOutReason: String, Hashable, Sendable, CaseIterable {
    /// It belongs to a system or a program, such as `@eaDir`.
    case system
    /// Its name begins with a dot.
    case hidden
    /// The folder contains a file `.nomedia`, by which apps for Android leave out folders.
    case nomedia
    /// A rule of a file `.photostreamignore`.
    case ignoreFile
    /// The patterns of the command exclude it, or include only others.
    case pattern
    /// A program has not finished the file.
    case unfinished
    /// A video.
    case video
    /// Not a picture, by its extension or its content.
    case notAPicture

    /// Whether it is a choice of a person.
    fileprivate var isChosen: Bool {
        switch self {
        case .nomedia, .ignoreFile, .pattern: true
        case .system, .hidden, .unfinished, .video, .notAPicture: false
        }
    }
}

/// The numbers of files and folders that an import has left out, by reason.
///
/// A folder counts once, regardless of its contents. Sidecars do not count, since they belong to pictures, nor do files
/// with rules.
public struct LeftOut: Hashable, Sendable {
    /// The numbers of files.
    public private(set) var files: [LeftOutReason: Int] = [:]
    /// The numbers of folders.
    public private(set) var folders: [LeftOutReason: Int] = [:]

    /// Creates numbers of zero.
    public init() {}

    /// Whether a person chose to leave out any of them.
    package var isChosen: Bool { files.keys.contains(where: \.isChosen) || folders.keys.contains(where: \.isChosen) }

    /// Counts files.
    package mutating func addFiles(_ count: Int = 1, for reason: LeftOutReason) {
        if count > 0 { files[reason, default: 0] += count }
    }

    /// Counts a folder.
    package mutating func addFolder(for reason: LeftOutReason) { folders[reason, default: 0] += 1 }

    /// Adds the numbers of another import.
    package static func += (left: inout LeftOut, right: LeftOut) {
        left.files.merge(right.files, uniquingKeysWith: +)
        left.folders.merge(right.folders, uniquingKeysWith: +)
    }
}
