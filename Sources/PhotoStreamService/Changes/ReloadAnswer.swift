public import PhotoStreamModel

/// An answer about what has changed since a revision, or that it cannot be told.
public enum ChangesOrReload<Answer: Sendable>: Sendable {
    /// What has changed.
    case changes(Answer)
    /// It cannot be told; read the stream anew.
    case reload(ReloadAnswer)
}

extension ChangesOrReload: Equatable where Answer: Equatable {}

/// Why nobody can tell what has changed since a revision, so that a client has to read the stream anew.
public struct ReloadAnswer: Hashable, Sendable {
    /// What stands in the way.
    public enum Reason: Hashable, Sendable {
        /// The change log does not reach back so far.
        case trimmed
        /// The stream has not come so far: the file is another one than it was, such as a restored backup.
        case ahead
        /// It is a revision of another stream: the stream was deleted or renamed, and made anew.
        case otherStream
        /// More photos have changed than an answer may hold, which is so many.
        case tooMany(Int)

        /// The word for it in JSON.
        public var name: String {
            switch self {
            case .trimmed: "trimmed"
            case .ahead: "ahead"
            case .otherStream: "other-stream"
            case .tooMany: "too-many"
            }
        }
    }

    /// The stream's name.
    public let stream: StreamName
    /// The revision that was asked for.
    public let since: Revision
    /// The state of the stream that the answer speaks of.
    public let revision: Revision
    /// What stands in the way.
    public let reason: Reason
}

extension ReloadAnswer: CustomStringConvertible {
    /// One sentence that names the offending value.
    public var description: String {
        let why =
            switch reason {
            case .trimmed: "the change log does not reach back to revision \(since)"
            case .ahead: "revision \(since) is ahead of the stream, which is at \(revision)"
            case .otherStream: "revision \(since) is one of another stream"
            case .tooMany(let maximum): "more than \(maximum) photos have changed since revision \(since)"
            }
        return "the changes of stream \"\(stream)\" cannot be told: \(why); read the stream anew"
    }
}
