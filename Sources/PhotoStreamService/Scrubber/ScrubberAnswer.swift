public import PhotoStreamModel

/// A place of a layout's content that a scrubber can stop at, and what lies there.
public struct ScrubberStop: Hashable, Sendable {
    /// Along the scroll axis from the start of the content in the direction of reading, in device pixels.
    public let offset: Int64
    /// The position of the section that lies there, from 0.
    public let section: Int
    /// The section's name: a day, a month, a year, `undated`; `located` or `unlocated` in a map; `all` where the stream
    /// is one section.
    public let sectionID: String
    /// The position in stream order of the first photo of which something lies there or behind it.
    public let index: Int
    /// The date of that photo's place in the order, to the unit that is known, also where the stream is one section.
    public let date: OrderDate
}

/// What lies at even distances of a layout's content.
public struct ScrubberAnswer: Hashable, Sendable {
    /// Stream, revision, key and content size.
    public let context: LayoutContext
    /// The stops, from the start of the content to its end, both included; none of a stream without photos.
    public let stops: [ScrubberStop]
}
