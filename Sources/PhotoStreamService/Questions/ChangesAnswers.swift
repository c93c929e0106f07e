public import PhotoStreamLayout
public import PhotoStreamModel

/// The change of a photo since a revision.
public struct PhotoChange: Hashable, Sendable {
    /// The kind of change, as a client's list has to follow it.
    public enum Kind: String, Hashable, Sendable {
        /// It was not in the stream.
        case inserted
        /// It is no longer in the stream.
        case deleted
        /// Its fields were written; its place in the order is the same.
        case updated
        /// Its place in the order has changed; see ``PhotoChange/isUpdated``.
        case moved
    }

    /// The net kind of change.
    public let kind: Kind
    /// The external id.
    public let id: PhotoID
    /// Whether its fields were written: always true of an updated photo, never of an inserted or deleted one.
    ///
    /// For a moved photo it is `false` if only its place was written. A change of texts in the same SQL statement as the
    /// place is not seen.
    public let isUpdated: Bool
    /// The photo as it is; `nil` if it is deleted, or if a later page deletes it: see ``ChangesAnswer/isComplete``.
    public let photo: Photo?
}

/// The changes of a stream's photos since a revision.
public struct ChangesAnswer: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The revision that was asked for.
    public let since: Revision
    /// The state of the stream that the answer describes, and the revision to ask for next.
    public let revision: Revision
    /// Whether that is the stream as it is; `false` of a page after which there are more changes.
    ///
    /// The changes of a page lead from the stream as it was at ``since`` to the stream as it was at ``revision``, with the
    /// photos as they are now. A photo that has been deleted since is without its fields; a later page deletes it.
    public let isComplete: Bool
    /// Each changed photo once, in stream order by its place, or by its former place if it is deleted.
    ///
    /// Of two at one place the deleted one comes first.
    public let changes: [PhotoChange]
}

/// The changes since a revision, or the reason why the stream has to be read again.
///
///     switch try service.read({ session in try session.changes(of: stream, since: revision) }) {
///     case .changes(let answer):
///         for change in answer.changes { print(change.kind, change.id, change.photo?.caption ?? "") }
///         revision = answer.revision
///     case .reload(let reason):
///         print("read the stream again:", reason)
///     }
public enum ChangesOrReload<Answer: Sendable>: Sendable {
    /// The log reaches back far enough.
    case changes(Answer)
    /// The changes cannot be listed; read the stream again.
    case reload(ReloadAnswer)
}

extension ChangesOrReload: Equatable where Answer: Equatable {}

/// The reason why the changes since a revision cannot be listed, so that a client has to read the stream again.
public struct ReloadAnswer: Hashable, Sendable {
    /// An obstacle to listing changes.
    public enum Reason: Hashable, Sendable {
        /// The change log does not reach back so far.
        case trimmed
        /// The stream has not reached that revision: the file is not the same, such as a restored backup.
        case ahead
        /// It is a revision of another stream: the stream was deleted or renamed, and created again.
        case otherStream
        /// It is a revision of another history, which was lost by a restore or a failover, or it was given without its tag.
        case lost
        /// More photos have changed than the given maximum of an answer.
        case tooMany(Int)

        /// The word for it in JSON.
        public var name: String {
            switch self {
            case .trimmed: "trimmed"
            case .ahead: "ahead"
            case .otherStream: "other-stream"
            case .lost: "lost-history"
            case .tooMany: "too-many"
            }
        }
    }

    /// The stream's name.
    public let stream: StreamName
    /// The revision that was asked for.
    public let since: Revision
    /// The state of the stream that the answer describes.
    public let revision: Revision
    /// The obstacle.
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
            case .lost: "\(since.state) is not a state of this file's history"
            case .tooMany(let maximum): "more than \(maximum) photos have changed since revision \(since)"
            }
        return "the changes of stream \"\(stream)\" are not known: \(why); read the stream again"
    }
}

/// The update of one element between two revisions, and the photo that it is or belongs to.
public struct PhotoUpdate: Hashable, Sendable {
    /// The photo; `nil` of headers, footers, backgrounds and separators.
    public let photo: PhotoID?
    /// Its places before and after, and the attributes with which it appears or disappears.
    public let element: ElementUpdate
}

/// The updates that a collection view needs to get from one revision of a layout to another.
///
///     let updates = try service.read { session in
///         try session.layout(key, of: stream).updates(since: revision, in: visible)
///     }
///
/// The frames of each revision are in its own content. Bring the view to ``contentOffset`` together with the new frames,
/// and the anchor stands still on the screen, or the offset is kept: see ``ScrollKeeping``.
public struct UpdatesAnswer: Hashable, Sendable {
    /// Stream, current revision, key and current content size.
    public let context: LayoutContext
    /// The revision that was asked for.
    public let since: Revision
    /// The extent of the whole layout at that revision.
    public let oldContentSize: PixelExtent
    /// The rectangle that was asked for, in the content as it was.
    public let oldBounds: PixelRect
    /// The bounds on the screen afterwards: the rectangle at its new place.
    public let newBounds: PixelRect
    /// The start of ``newBounds`` along the scroll axis of the screen: x or y.
    public let contentOffset: Int64
    /// The photo that stands still: the first visible one that was neither deleted nor moved in the order, else the first
    /// that is still there; `nil` if there is none, and with ``ScrollKeeping/offset``.
    public let anchor: PhotoID?
    /// Elements that were not there before, in the order of an answer.
    public let insertions: [PhotoUpdate]
    /// Elements that no longer exist, in the order of an answer.
    public let deletions: [PhotoUpdate]
    /// Elements that stand elsewhere in the content.
    public let moves: [PhotoUpdate]
    /// Elements that have to be drawn again: those of photos whose fields were written.
    public let reloads: [PhotoUpdate]
}
