public import PhotoStreamLayout
public import PhotoStreamModel

/// A photo where a layout puts it.
public struct PlacedPhoto: Hashable, Sendable {
    /// Its frame and the like, in device pixels.
    public let attributes: LayoutAttributes
    /// Its stored fields, in the form that is kept in memory and written into answers.
    package let packed: PackedPhoto
    /// The result of decoding its picture, if it was decoded.
    public let picture: ShownPicture?

    init(attributes: LayoutAttributes, _ packed: PackedPhoto, picture: ShownPicture?) {
        self.attributes = attributes
        self.packed = packed
        self.picture = picture
    }

    /// Its stored fields.
    public var photo: Photo { packed.photo }

    /// Its external id, without the rest.
    public var id: PhotoID { packed.id }
}

/// The context of every answer about a layout.
public struct LayoutContext: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The stream's row, which no other stream ever gets.
    package let streamID: Int64
    /// The state of the stream that the answer describes.
    public let revision: Revision
    /// The configuration; its text may stand wherever the options do.
    public let layoutKey: LayoutKey
    /// The extent of the whole layout, insets included, in device pixels; exact.
    public let contentSize: PixelExtent
}

/// A section of a layout: a run of the stream, except in a map.
public struct SectionAnswer: Hashable, Sendable {
    /// Its position, from 0.
    public let section: Int
    /// Its name: a day, a month, a year, `undated`; `located` or `unlocated` in a map; `all` where the stream is one section.
    public let id: String
    /// The number of photos in the sections before it: the position in stream order of its first photo, except in a map.
    public let firstIndex: Int
    /// The number of its photos.
    public let count: Int
    /// All of it, header and footer included, in device pixels.
    public let frame: PixelRect
}

/// A layout as a whole.
public struct LayoutAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The number of photos.
    public let count: Int
    /// The number of sections.
    public let sectionCount: Int
    /// The sections in order, as many as were asked for.
    public let sections: [SectionAnswer]

    /// The section to continue with; `nil` if none is left.
    public var nextSection: Int? {
        sections.last.flatMap { $0.section + 1 < sectionCount ? $0.section + 1 : nil }
    }
}

/// The elements that meet a rectangle.
public struct RectAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The photos' places section by section in stream order, at most as many as the limit.
    public let frames: [LayoutAttributes]
    /// The photos in these places; empty if the question left them out.
    public let items: [PlacedPhoto]
    /// The other elements: section by section background, header, the badges of its photos, separators, footer.
    public let elements: [LayoutAttributes]
    /// The cursor to continue with the same rectangle; `nil` if nothing is left.
    public let nextCursor: String?

    /// Whether there is more.
    public var isTruncated: Bool { nextCursor != nil }
}

/// One photo of a layout.
public struct ItemAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The photo where it stands.
    public let item: PlacedPhoto
}

/// The place of a photo in a layout.
public struct LocateAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The photo where it stands.
    public let item: PlacedPhoto
    /// The cursor of a page that holds the photo, and of the chain of pages that continues after it.
    public let cursor: String
}

/// The photo at a point of a layout.
public struct PointAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The device pixel that the point lies in.
    public let pixel: PixelPoint
    /// The photo whose cell contains the point; `nil` between photos and outside the content, unless the nearest photo was
    /// asked for.
    public let item: PlacedPhoto?
    /// The place of a photo that is dragged to the point.
    public let insertion: InsertionPlace
}

/// A place between two photos of a layout.
public struct InsertionPlace: Hashable, Sendable {
    /// The index path that the photo would get.
    public let indexPath: IndexPath
    /// Its position in stream order: the number of photos before it.
    public let index: Int
    /// The photo of the same section that would follow it; `nil` if it would be the last.
    public let next: PhotoID?
    /// The photo of the same section that would precede it; `nil` if it would be the first.
    public let previous: PhotoID?
}

/// A layout as a whole and its first page: all that a client needs to show it for the first time.
public struct FirstPaintAnswer: Hashable, Sendable {
    /// The layout as a whole.
    public let layout: LayoutAnswer
    /// Its first page.
    public let page: PageAnswer
}

/// Photos of a layout by their positions or ids.
public struct ItemsAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The places of consecutive photos in stream order, fewer than were asked for at the end of the stream; or of photos
    /// in the order of the ids that were asked for.
    public let frames: [LayoutAttributes]
    /// The photos in these places; empty if the question left them out.
    public let items: [PlacedPhoto]
    /// The number of photos in the stream.
    public let count: Int
    /// The ids that the stream does not have, in the order of the question; `nil` if photos were not asked for by id.
    public let missing: [PhotoID]?
    /// Whether photos that were asked for by id are left out, because the answer would be too large.
    public let isTruncated: Bool
}

/// Elements of one kind other than photos.
public struct ElementsAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The elements, in stream order.
    public let elements: [LayoutAttributes]
    /// The section to continue with, or the item of the section for kinds that belong to items; `nil` if nothing is left.
    public let next: Int?
}

/// The place where scrolling comes to rest.
public struct TargetAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The origin of the visible bounds, in device pixels.
    public let contentOffset: PixelPoint
}

/// A stop of a scrubber in a layout's content, and the section and photo that lie there.
public struct ScrubberStop: Hashable, Sendable {
    /// Along the scroll axis from the start of the content in the direction of reading, in device pixels.
    public let offset: Int64
    /// The position of the section that lies there, from 0.
    public let section: Int
    /// The section's name: a day, a month, a year, `undated`; `located` or `unlocated` in a map; `all` if the stream is one
    /// section.
    public let sectionID: String
    /// The position in stream order of the first photo of which a part lies there or after it.
    public let index: Int
    /// The date of that photo's place in the order, to the unit that is known, even if the stream is one section.
    public let date: OrderDate
}

/// Stops at even distances of a layout's content.
public struct ScrubberAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The stops, from the start of the content to its end, both included; none for a stream without photos.
    public let stops: [ScrubberStop]
}

extension LayoutContext {
    /// The state that the answer describes.
    public var state: StreamState { StreamState(streamID: streamID, revision: revision) }
}
