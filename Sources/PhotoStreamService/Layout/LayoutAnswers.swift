public import PhotoStreamLayout
public import PhotoStreamModel

/// A photo where a layout puts it.
public struct PlacedPhoto: Hashable, Sendable {
    /// Where it stands, in device pixels.
    public let attributes: LayoutAttributes
    /// What is stored of it, as it is kept in memory and written into answers.
    package let packed: PackedPhoto

    init(attributes: LayoutAttributes, _ packed: PackedPhoto) {
        (self.attributes, self.packed) = (attributes, packed)
    }

    /// What is stored of it.
    public var photo: Photo { packed.photo }

    /// Its external id, without the rest.
    public var id: PhotoID { packed.id }
}

/// What belongs to every answer about a layout.
public struct LayoutContext: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The stream's row, which no other stream ever gets.
    package let streamID: Int64
    /// The state of the stream that the answer speaks of.
    public let revision: Revision
    /// The configuration; its text may stand wherever the options do.
    public let layoutKey: LayoutKey
    /// The extent of the whole layout, insets included, in device pixels; exact.
    public let contentSize: PixelExtent
}

/// A section of a layout: a run of the stream, but in a map.
public struct SectionAnswer: Hashable, Sendable {
    /// Its position, from 0.
    public let section: Int
    /// Its name: a day, a month, a year, `undated`; `located` or `unlocated` in a map; `all` where the stream is one section.
    public let id: String
    /// How many photos the sections before it have: the position in stream order of its first photo, but in a map.
    public let firstIndex: Int
    /// How many photos it has.
    public let count: Int
    /// All of it, header and footer included, in device pixels.
    public let frame: PixelRect
}

/// A layout as a whole.
public struct LayoutAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// How many photos there are.
    public let count: Int
    /// How many sections there are.
    public let sectionCount: Int
    /// The sections in order, as many as were asked for.
    public let sections: [SectionAnswer]

    /// Where to go on; `nil` where nothing is left.
    public var nextSection: Int? {
        sections.last.flatMap { $0.section + 1 < sectionCount ? $0.section + 1 : nil }
    }
}

/// What meets a rectangle.
public struct RectAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The photos section by section in stream order, at most as many as the limit.
    public let items: [PlacedPhoto]
    /// The other elements: section by section background, header, the badges of its photos, separators, footer.
    public let elements: [LayoutAttributes]
    /// Where to go on with the same rectangle; `nil` where nothing is left.
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

/// Where a photo of a layout is.
public struct LocateAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The photo where it stands.
    public let item: PlacedPhoto
    /// Where a page begins that holds the photo, and the chain of pages that goes on behind it.
    public let cursor: String
}

/// What is at a point of a layout.
public struct PointAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The device pixel that the point lies in.
    public let pixel: PixelPoint
    /// The photo whose cell holds the point; `nil` between photos and outside the content.
    public let item: PlacedPhoto?
    /// Where a photo would go that is dragged to the point.
    public let insertion: InsertionPlace
}

/// A place between two photos of a layout.
public struct InsertionPlace: Hashable, Sendable {
    /// The index path that the photo would get.
    public let indexPath: IndexPath
    /// Its position in stream order: how many photos would stand before it.
    public let index: Int
    /// The photo of the same section that would follow it; `nil` where it would be the last.
    public let next: PhotoID?
    /// The photo of the same section that would precede it; `nil` where it would be the first.
    public let previous: PhotoID?
}
