public import PhotoStreamLayout
public import PhotoStreamModel

/// What becomes of one element between two revisions, and the photo that it is or belongs to.
public struct PhotoUpdate: Hashable, Sendable {
    /// The photo; `nil` of headers, footers, backgrounds and separators.
    public let photo: PhotoID?
    /// Where it was and is, and what it appears or disappears with.
    public let element: ElementUpdate
}

/// What has to be shown of the way of a layout from one revision to another.
///
/// Each revision's frames are in its own content: bring the view to ``contentOffset`` together with the new frames, and
/// what is in both stands still on the screen.
public struct UpdatesAnswer: Hashable, Sendable {
    /// Stream, the revision of now, the key and the content size of now.
    public let context: LayoutContext
    /// The revision that was asked for.
    public let since: Revision
    /// The extent of the whole layout at that revision.
    public let oldContentSize: PixelExtent
    /// The rectangle that was asked for, in the content as it was.
    public let oldBounds: PixelRect
    /// What is on the screen afterwards: the rectangle at its new place.
    public let newBounds: PixelRect
    /// Along the scroll axis of the screen, where ``newBounds`` begins: x or y.
    public let contentOffset: Int64
    /// The photo that stands still: the first that was visible and neither went nor was moved in the order, else the
    /// first that is still there; `nil` where none is.
    public let anchor: PhotoID?
    /// Elements that were not there before, in the order of an answer.
    public let insertions: [PhotoUpdate]
    /// Elements that are not there any more, in the order of an answer.
    public let deletions: [PhotoUpdate]
    /// Elements that stand elsewhere in the content.
    public let moves: [PhotoUpdate]
    /// Elements that are to be drawn again: of photos whose fields were written to.
    public let reloads: [PhotoUpdate]
}
