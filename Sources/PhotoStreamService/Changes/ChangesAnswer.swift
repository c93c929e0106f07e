public import PhotoStreamModel

/// What became of a photo since a revision.
public struct PhotoChange: Hashable, Sendable {
    /// What there is to do about it in a client's list.
    public enum Kind: String, Hashable, Sendable {
        /// It was not in the stream.
        case inserted
        /// It is not in the stream any more.
        case deleted
        /// Its fields were written to, its place in the order is the same.
        case updated
        /// Its place in the order is another; see ``PhotoChange/isUpdated``.
        case moved
    }

    /// What happened, all in all.
    public let kind: Kind
    /// The external id.
    public let id: PhotoID
    /// Whether its fields were written to: always of one that is updated, never of one that is inserted or deleted.
    ///
    /// Of a moved one `false` where nothing but its place was: somebody put it elsewhere. What a write of place and texts
    /// in one statement of SQL did to the texts is not seen.
    public let isUpdated: Bool
    /// The photo as it is; `nil` where it is deleted.
    public let photo: Photo?
}

/// What became of a stream's photos since a revision.
public struct ChangesAnswer: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The revision that was asked for.
    public let since: Revision
    /// The state of the stream that the answer speaks of, and the revision to ask for next.
    public let revision: Revision
    /// Each changed photo once, in stream order by where it stands, or stood where it is deleted; the
    /// deleted one first where both were at one place.
    public let changes: [PhotoChange]
}
