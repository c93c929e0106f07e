public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// The context of a page, which never waits for the layout of the whole stream.
public struct PageContext: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The stream's row, which no other stream ever gets.
    package let streamID: Int64
    /// The state of the stream that the page describes.
    public let revision: Revision
    /// The configuration; its text may stand wherever the options do.
    public let layoutKey: LayoutKey
    /// The extent of the whole layout as it is now, in device pixels, if frames are counted from its end: in layouts
    /// that are packed from the end, and in those that scroll sideways from right to left.
    ///
    /// `nil` in all others.
    public let contentSize: PixelExtent?
}

/// A page of a layout.
///
///     var page = try service.read { session in try session.page(of: stream, key, limit: 100) }
///     while let cursor = page.nextCursor {
///         page = try service.read { session in try session.page(after: cursor, of: stream, limit: 100) }
///     }
public struct PageAnswer: Hashable, Sendable {
    /// Stream, revision and key.
    public let context: PageContext
    /// The photos after the cursor's place in stream order.
    ///
    /// Indices and frames continue from the cursor.
    public let items: [PlacedPhoto]
    /// The position in stream order of the first photo at the revision, whatever the cursor counts.
    ///
    /// The others follow it.
    public let firstPosition: Int
    /// The cursor of the next page; `nil` after the last photo.
    public let nextCursor: String?
    /// The stream's revision when the first page of the chain was read.
    public let chainRevision: Revision
    /// Whether the frames are also those of the layout as it is now.
    public let isInPlace: Bool

    /// Whether more photos follow.
    public var isTruncated: Bool { nextCursor != nil }
}

/// The frames of a page, without its photos.
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

    /// Whether more photos follow.
    public var isTruncated: Bool { nextCursor != nil }

    /// The photos' positions in stream order at the revision.
    var positions: Range<Int> { firstPosition..<firstPosition + items.count }
}

extension PageAnswer {
    /// A page of frames and of the rows of their photos.
    init(_ page: FramesPage, rows: PackedRows, pictures: [ShownPicture?]) {
        self.init(
            context: page.context,
            items: page.items.indices.map {
                PlacedPhoto(attributes: page.items[$0], rows[$0], picture: pictures[$0])
            },
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

extension PageContext {
    /// The state that the answer describes.
    public var state: StreamState { StreamState(streamID: streamID, revision: revision) }
}
