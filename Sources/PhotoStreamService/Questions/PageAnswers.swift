public import PhotoStreamLayout
public import PhotoStreamModel
import PhotoStreamStorage

/// The context of a page, which does not need the layout of the whole stream.
public struct PageContext: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The stream's row id, which is never reused.
    package let streamID: Int64
    /// The condition that the photos meet, with fixed days; `nil` for all photos.
    public let condition: Condition?
    /// The state of the stream that the page describes.
    public let revision: Revision
    /// The layout's configuration, whose text can replace the layout options.
    public let layoutKey: LayoutKey
    /// The size of the whole current layout, in device pixels, if frames are counted from its end: in layouts that are
    /// packed from the end, and in those that scroll sideways from right to left.
    ///
    /// `nil` in all other layouts.
    public let contentSize: PixelExtent?
}

/// A page of a layout.
///
///     var page = try service.read { session in try session.layout(key, of: stream).page(limit: 100) }
///     while let cursor = page.nextCursor {
///         page = try service.read { session in try session.layout(key, of: stream).page(.after(cursor), limit: 100) }
///     }
public struct PageAnswer: Hashable, Sendable {
    /// The stream, revision and layout key.
    public let context: PageContext
    /// The places of the photos after the cursor's place in stream order.
    ///
    /// Indices and frames continue from the cursor.
    public let frames: [LayoutAttributes]
    /// The photos at these places; empty if the query excludes them.
    public let items: [PlacedPhoto]
    /// The position in stream order of the first photo at the revision, even if the cursor counts differently.
    ///
    /// The other photos follow it.
    public let firstPosition: Int
    /// The cursor of the next page; `nil` after the last photo.
    public let nextCursor: String?
    /// The stream's revision when the first page of the chain was read.
    public let chainRevision: Revision
    /// Whether the frames are also those of the current layout.
    public let isInPlace: Bool

    /// Whether more photos follow.
    public var isTruncated: Bool { nextCursor != nil }
}

extension PageContext {
    /// The state that the answer describes.
    public var state: StreamState { StreamState(streamID: streamID, revision: revision) }
}
