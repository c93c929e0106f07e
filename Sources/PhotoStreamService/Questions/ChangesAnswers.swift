public import PhotoStreamLayout
public import PhotoStreamModel

/// The change of a photo since a revision.
public struct PhotoChange: Hashable, Sendable {
    /// A kind of change that a client applies to its list of photos.
    public enum Kind: String, Hashable, Sendable {
        /// The photo was not in the stream.
        case inserted
        /// The photo is no longer in the stream.
        case deleted
        /// The photo's fields were written; its place in the order is the same.
        case updated
        /// The photo's place in the order has changed; see ``PhotoChange/isUpdated``.
        case moved
    }

    /// The net kind of change.
    public let kind: Kind
    /// The external id.
    public let id: PhotoID
    /// Whether its fields were written: `true` for every updated photo, `false` for every inserted or deleted one.
    ///
    /// For a moved photo, it is `false` if only its place was written.
    public let isUpdated: Bool
    /// The current photo; `nil` if it is deleted, or if a later page deletes it: see ``ChangesAnswer/isComplete``.
    public let photo: Photo?
}

/// The changes of a stream's photos since a revision, or of those that meet a condition.
public struct ChangesAnswer: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The condition; `nil` for all photos.
    ///
    /// Photos that did not meet it before are inserted, and those that no longer do are deleted.
    public let condition: Condition?
    /// The requested revision.
    public let since: Revision
    /// The state of the stream that the answer describes; pass it to the next query.
    public let revision: Revision
    /// Whether ``revision`` is the current one; `false` if more changes follow the page.
    ///
    /// The changes of a page lead from the stream at ``since`` to the stream at ``revision``, with the current fields
    /// of the photos. A photo that has been deleted since then has no fields; a later page deletes it.
    public let isComplete: Bool
    /// The changes, one per photo, in the stream order of the photos' places; a deleted photo has its former place.
    ///
    /// If two photos have the same place, the deleted one comes first.
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
    /// A reason why changes cannot be listed.
    public enum Reason: Hashable, Sendable {
        /// The change log does not reach back that far.
        case trimmed
        /// The stream has not reached that revision, because the file is another one, such as a restored backup.
        case ahead
        /// The revision is one of another stream: the stream was deleted or renamed, and created again.
        case otherStream
        /// The revision belongs to a history that was lost in a restore or a failover, or it has no tag.
        case lost
        /// More photos have changed than an answer may have; the value is that maximum.
        case tooMany(Int)
        /// The layout is a map with clusters, and any change may affect any of them.
        case clusters
        /// The photos that met the condition at that revision are not known: it depends on the current day or on the name of
        /// the stream, or the rule of the kept view is newer.
        case condition

        /// The name of the reason in JSON.
        public var name: String {
            switch self {
            case .trimmed: "trimmed"
            case .ahead: "ahead"
            case .otherStream: "other-stream"
            case .lost: "lost-history"
            case .tooMany: "too-many"
            case .clusters: "clusters"
            case .condition: "condition"
            }
        }
    }

    /// The stream's name.
    public let stream: StreamName
    /// The requested revision.
    public let since: Revision
    /// The state of the stream that the answer describes.
    public let revision: Revision
    /// The reason.
    public let reason: Reason
}

extension ReloadAnswer: CustomStringConvertible {
    /// A sentence that contains the offending value.
    public var description: String {
        let why =
            switch reason {
            case .trimmed: "the change log does not reach back to revision \(since)"
            case .ahead: "revision \(since) is ahead of the stream, which is at \(revision)"
            case .otherStream: "revision \(since) is one of another stream"
            case .lost: "\(since.state) is not a state of this file's history"
            case .tooMany(let maximum): "more than \(maximum) photos have changed since revision \(since)"
            case .clusters: "a map with clusters has no list of changes"
            case .condition:
                "the condition depends on the current day or the stream's name, or was changed after revision \(since)"
            }
        return "the changes of stream \"\(stream)\" are not known: \(why); read the stream again"
    }
}

/// The update of one element between two revisions, and the photo that it is or belongs to.
public struct PhotoUpdate: Hashable, Sendable {
    /// The photo; `nil` for headers, footers, backgrounds and separators.
    public let photo: PhotoID?
    /// The element's places before and after, and the attributes with which it appears or disappears.
    public let element: ElementUpdate
    /// The photo with its new place, of insertions and reloads of photos if the query asks for photos; otherwise `nil`.
    public internal(set) var item: PlacedPhoto?
}

/// The updates that a collection view needs to get from one revision of a layout to another.
///
///     let updates = try service.read { session in
///         try session.layout(key, of: stream).updates(since: revision, in: visible)
///     }
///
/// The frames of each revision are in its own content. Apply ``contentOffset`` together with the new frames to keep
/// either the anchor's place on the screen or the offset: see ``ScrollKeeping``.
public struct UpdatesAnswer: Hashable, Sendable {
    /// The stream, current revision, layout key and current content size.
    public let context: LayoutContext
    /// The requested revision.
    public let since: Revision
    /// The size of the whole layout at that revision.
    public let oldContentSize: PixelExtent
    /// The requested rectangle, in the old content.
    public let oldBounds: PixelRect
    /// The bounds on the screen after the update: the rectangle at its new place.
    public let newBounds: PixelRect
    /// The start of ``newBounds`` along the scroll axis of the screen: x or y.
    public let contentOffset: Int64
    /// The photo that keeps its place on the screen; `nil` if there is none, and with ``ScrollKeeping/offset``.
    ///
    /// It is the first visible photo that was neither deleted nor moved in the order, else the first that still exists.
    public let anchor: PhotoID?
    /// Elements that did not exist before, in the order of an answer.
    public internal(set) var insertions: [PhotoUpdate]
    /// Elements that no longer exist, in the order of an answer.
    public let deletions: [PhotoUpdate]
    /// Elements whose place in the content has changed.
    public let moves: [PhotoUpdate]
    /// Elements to draw again: those of photos whose fields were written.
    public internal(set) var reloads: [PhotoUpdate]
}
