public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// What belongs to a page: it never waits for the layout of the whole stream.
public struct PageContext: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The stream's row, which no other stream ever gets.
    package let streamID: Int64
    /// The state of the stream that the page speaks of.
    public let revision: Revision
    /// The configuration; its text may stand wherever the options do.
    public let layoutKey: LayoutKey
    /// The extent of the whole layout as it is now, in device pixels, where frames are counted from its end; else
    /// `nil`.
    ///
    /// They are in what is packed from the end and what scrolls sideways from right to left. Of others the layout
    /// itself tells it.
    public let contentSize: PixelExtent?
}

/// A page of a layout.
public struct PageAnswer: Hashable, Sendable {
    /// Stream, revision and key.
    public let context: PageContext
    /// The photos behind the cursor's place in stream order.
    ///
    /// Indices and frames count on from the cursor.
    public let items: [PlacedPhoto]
    /// The position in stream order of the first photo at the revision, whatever the cursor counts: the others follow it.
    public let firstPosition: Int
    /// Where to go on; `nil` behind the last photo.
    public let nextCursor: String?
    /// The stream's revision when the first page of the chain was read.
    public let chainRevision: Revision
    /// Whether the frames are also those of the layout as it is now.
    public let isInPlace: Bool

    /// Whether photos follow that the limit kept out.
    public var isTruncated: Bool { nextCursor != nil }
}

/// The frames of a page, without what is known of its photos.
public struct FramesPage: Hashable, Sendable {
    /// Stream, revision and key.
    public let context: PageContext
    /// The photos' places, as in ``PageAnswer/items``.
    public let items: [LayoutAttributes]
    /// See ``PageAnswer/firstPosition``.
    public let firstPosition: Int
    /// See ``PageAnswer/nextCursor``.
    public let nextCursor: String?
    /// See ``PageAnswer/chainRevision``.
    public let chainRevision: Revision
    /// See ``PageAnswer/isInPlace``.
    public let isInPlace: Bool

    /// Whether photos follow that the limit kept out.
    public var isTruncated: Bool { nextCursor != nil }

    /// The photos' positions in stream order at the revision.
    var positions: Range<Int> { firstPosition..<firstPosition + items.count }
}

extension PageAnswer {
    /// A page of frames and of the rows of their photos.
    init(_ page: FramesPage, _ rows: PackedRows) {
        self.init(
            context: page.context, items: page.items.indices.map { PlacedPhoto(attributes: page.items[$0], rows[$0]) },
            firstPosition: page.firstPosition, nextCursor: page.nextCursor, chainRevision: page.chainRevision,
            isInPlace: page.isInPlace)
    }
}

extension FramesPage {
    /// The frames of a page.
    ///
    /// - Parameter page: The page.
    public init(_ page: PageAnswer) {
        self.init(
            context: page.context, items: page.items.map(\.attributes), firstPosition: page.firstPosition,
            nextCursor: page.nextCursor, chainRevision: page.chainRevision, isInPlace: page.isInPlace)
    }
}
