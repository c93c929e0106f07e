public import PhotoStreamLayout
public import PhotoStreamModel

/// A photo with its place in a layout.
public struct PlacedPhoto: Hashable, Sendable {
    /// Its frame and other attributes, in device pixels.
    public let attributes: LayoutAttributes
    /// Its stored fields, in the form that is cached and written into answers.
    package let packed: PackedPhoto
    /// The result of decoding its picture, if the picture was decoded.
    public let picture: ShownPicture?
    /// The photos of its cluster, on a map with clusters; `nil` in other layouts, and without a position.
    public let cluster: PositionSummary?
    /// Its stack; `nil` if it is in none.
    public let stack: StackSummary?

    init(
        attributes: LayoutAttributes, _ packed: PackedPhoto, picture: ShownPicture?, cluster: PositionSummary? = nil,
        stack: StackSummary? = nil
    ) {
        self.attributes = attributes
        self.packed = packed
        self.picture = picture
        self.cluster = cluster
        self.stack = stack
    }

    /// Its stored fields.
    public var photo: Photo { packed.photo }

    /// Its external id, read without the other fields.
    public var id: PhotoID { packed.id }
}

/// The context of an answer about a layout.
public struct LayoutContext: Hashable, Sendable {
    /// The stream's name.
    public let stream: StreamName
    /// The stream's row id, which is never reused.
    package let streamID: Int64
    /// The condition that the photos meet, with fixed days; `nil` for all photos.
    public let condition: Condition?
    /// The state of the stream that the answer describes.
    public let revision: Revision
    /// The layout's configuration, whose text can replace the layout options.
    public let layoutKey: LayoutKey
    /// The exact size of the whole layout, including insets, in device pixels.
    public let contentSize: PixelExtent
}

/// A section of a layout: a run of the stream, except in a map.
public struct SectionAnswer: Hashable, Sendable {
    /// Its position, from 0.
    public let section: Int
    /// Its name: a day, a month, a year, `undated`; `located` or `unlocated` in a map; `all` if the stream is one
    /// section.
    public let id: String
    /// The number of photos in earlier sections: except in a map, the position of its first photo in stream order.
    public let firstIndex: Int
    /// The number of its photos.
    public let count: Int
    /// The frame of the whole section, including header and footer, in device pixels.
    public let frame: PixelRect
}

/// The positions of the photos of a map with clusters.
public struct PositionsAnswer: Hashable, Sendable {
    /// The number of photos with a position.
    public let locatedCount: Int
    /// The number of photos without a position.
    public let unlocatedCount: Int
    /// The smallest rectangle around all positions; `nil` if there are none.
    public let bounds: GeographicBounds?

    /// Describes the positions of a layout; `nil` if it has no clusters.
    init?(_ directory: LayoutDirectory) {
        guard let positions = directory.positions else { return nil }
        (locatedCount, unlocatedCount) = (positions.locatedCount, positions.unlocatedCount)
        bounds = positions.bounds
    }
}

/// A layout as a whole.
public struct LayoutAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The number of photos.
    public let count: Int
    /// The positions of the photos, on a map with clusters; `nil` in other layouts.
    public let positions: PositionsAnswer?
    /// The number of sections.
    public let sectionCount: Int
    /// The requested sections, in order.
    public let sections: [SectionAnswer]

    /// The section to continue with; `nil` if none is left.
    public var nextSection: Int? {
        sections.last.flatMap { $0.section + 1 < sectionCount ? $0.section + 1 : nil }
    }
}

/// The elements that meet a rectangle.
public struct RectAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The places of photos, section by section in stream order, at most as many as the limit.
    public let frames: [LayoutAttributes]
    /// The photos of the cluster at each of these places, on a map with clusters; empty in other layouts.
    public let clusters: [PositionSummary]
    /// The photos at these places; empty if the query excludes them.
    public let items: [PlacedPhoto]
    /// The other elements, section by section: background, header, the badges of photos, separators, footer.
    public let elements: [LayoutAttributes]
    /// The sections of the headers, by their positions.
    public let headedSections: [Int: HeadedSection]
    /// The cursor to continue with the same rectangle; `nil` if nothing is left.
    public let nextCursor: String?

    /// Whether more elements follow.
    public var isTruncated: Bool { nextCursor != nil }
}

/// The part of a section that its header shows.
public struct HeadedSection: Hashable, Sendable {
    /// Its name: a day, a month, a year, `undated`; `located` or `unlocated` in a map; `all` if the stream is one section.
    public let id: String
    /// The number of photos.
    public let count: Int
}

/// One photo of a layout.
public struct ItemAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The photo with its place.
    public let item: PlacedPhoto
}

/// The place of a photo in a layout.
public struct LocateAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The photo with its place.
    public let item: PlacedPhoto
    /// The cursor of a page that contains the photo, and of the chain of pages that follows it.
    public let cursor: String
}

/// The photo at a point of a layout.
public struct PointAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The device pixel that contains the point.
    public let pixel: PixelPoint
    /// The photo whose cell contains the point; `nil` between photos and outside the content, unless the nearest photo
    /// was requested.
    public let item: PlacedPhoto?
    /// The place of a photo that is dropped at the point.
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

/// A layout as a whole and its first page: all data that a client needs to show the layout for the first time.
public struct FirstPaintAnswer: Hashable, Sendable {
    /// The layout as a whole.
    public let layout: LayoutAnswer
    /// Its first page.
    public let page: PageAnswer
}

/// Photos of a layout by their positions or ids.
public struct ItemsAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The places of consecutive photos in stream order, fewer than requested at the end of the stream; or of photos in
    /// the order of the requested ids.
    public let frames: [LayoutAttributes]
    /// The photos at these places; empty if the query excludes them.
    public let items: [PlacedPhoto]
    /// The number of photos in the stream.
    public let count: Int
    /// The requested ids that the stream does not have, in the order of the query; `nil` if the query has no ids.
    public let missing: [PhotoID]?
    /// Whether photos that were requested by id are left out, because the answer would be too large.
    public let isTruncated: Bool
}

/// Elements of one kind other than photos.
public struct ElementsAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The elements, in stream order.
    public let elements: [LayoutAttributes]
    /// The sections of the headers, by their positions.
    public let headedSections: [Int: HeadedSection]
    /// The section to continue with, or the item of the section for kinds that belong to items; `nil` if no element is
    /// left.
    public let next: Int?
}

/// The place where scrolling comes to rest.
public struct TargetAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The origin of the visible bounds, in device pixels.
    public let contentOffset: PixelPoint
}

/// A stop of a scrubber in a layout's content, and the section and the photo at that place.
public struct ScrubberStop: Hashable, Sendable {
    /// The distance from the start of the content along the scroll axis, in reading direction, in device pixels.
    public let offset: Int64
    /// The position of the section at the stop, from 0.
    public let section: Int
    /// The section's name: a day, a month, a year, `undated`; `located` or `unlocated` in a map; `all` if the stream is one
    /// section.
    public let sectionID: String
    /// The position in stream order of the first photo that lies, at least partly, at the stop or after it.
    public let index: Int
    /// The date of that photo's place in the order, as precisely as it is known, even if the stream is one section.
    public let date: OrderDate
}

/// Stops at even distances of a layout's content.
public struct ScrubberAnswer: Hashable, Sendable {
    /// The stream, revision, layout key and content size.
    public let context: LayoutContext
    /// The stops, from the start of the content to its end, both included; empty for a stream without photos.
    public let stops: [ScrubberStop]
}

extension LayoutContext {
    /// The state that the answer describes.
    public var state: StreamState { StreamState(streamID: streamID, revision: revision) }
}
