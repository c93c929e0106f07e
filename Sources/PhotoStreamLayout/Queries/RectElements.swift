/// The elements that meet a rectangle, all or as many as were asked for.
public struct RectElements: Hashable, Sendable {
    /// The elements, each once: section by section, and of each its background, its header, its items with the badge of
    /// each right after it, its separators, its footer.
    public let attributes: [LayoutAttributes]
    /// The place where the same question goes on, or `nil` when nothing is missing: the first item that is left, or
    /// a section's start or end.
    public let next: IndexPath?

    /// Whether there is more than was asked for.
    public var isTruncated: Bool { next != nil }
}
