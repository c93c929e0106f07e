public import PhotoStreamModel

/// A folder beneath which pictures are served.
public struct RootSummary: Hashable, Sendable {
    /// Whether pictures are served from it.
    public enum State: Hashable, Sendable {
        /// They are.
        case open
        /// It is not there, or cannot be opened; why, in the system's words.
        case unreachable(String)
        /// It was added on another machine, where its path may be another folder.
        case otherMachine
    }

    /// The folder as it was named, absolute.
    public let path: String
    /// The folder without symbolic links, as it was when it was added.
    public let resolvedPath: String
    /// The only stream whose photos it serves; `nil` for all.
    public let stream: StreamName?
    /// When it was added, in milliseconds since 1970.
    public let addedAtMilliseconds: Int64
    /// Whether pictures are served from it, looked at just now.
    public let state: State
}
