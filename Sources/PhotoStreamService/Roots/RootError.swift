/// Why a folder is not added or removed, in one sentence that names it.
public enum RootError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no such folder, or it cannot be looked at.
    case unusable(String, reason: String)
    /// It is the top of the file system.
    case everything
    /// It serves these photos already.
    case exists(String, stream: String?)
    /// It was not added, or not for these photos.
    case unknown(String, stream: String?)
    /// The system cannot open files beneath a folder by its own check.
    case unsupported

    /// One sentence that names the folder.
    public var description: String {
        switch self {
        case .unusable(let path, let reason): "the folder \"\(path)\" cannot be a root: \(reason)"
        case .everything: "\"/\" cannot be a root: every picture of this machine is beneath it; add folders of pictures"
        case .exists(let path, let stream): "\"\(path)\" is a root\(Self.of(stream)) already"
        case .unknown(let path, let stream): "\"\(path)\" is no root\(Self.of(stream)); `photostream roots` lists them"
        case .unsupported:
            "this system has no openat2, which opens files beneath a folder only (Linux 5.6 or later has it); "
                + "without it no local pictures are served"
        }
    }

    private static func of(_ stream: String?) -> String {
        stream.map { " of stream \"\($0)\"" } ?? " of all streams"
    }
}
