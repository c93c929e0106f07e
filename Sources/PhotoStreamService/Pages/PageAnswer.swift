public import PhotoStreamModel

/// A page of a layout.
public struct PageAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size of the layout as it is now.
    public let context: LayoutContext
    /// The photos behind the cursor's place in stream order.
    ///
    /// Indices and frames count on from the cursor.
    public let items: [PlacedPhoto]
    /// Where to go on; `nil` behind the last photo.
    public let nextCursor: String?
    /// The stream's revision when the first page of the chain was read.
    public let chainRevision: Revision
    /// Whether the frames are also those of the layout as it is now.
    public let isInPlace: Bool

    /// Whether photos follow that the limit kept out.
    public var isTruncated: Bool { nextCursor != nil }
}
