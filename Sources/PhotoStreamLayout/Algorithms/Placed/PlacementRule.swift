public import PhotoStreamModel

/// A rule of another module that places the items of one section, as a fold.
///
///     let configuration = LayoutConfiguration(
///         containerLength: 300, scrollDirection: .horizontal,
///         algorithm: .placed(AnyPlacementRule(Carousel(itemExtent: 400))))
///     let layout = LayoutSnapshot(try LayoutKey(configuration), metrics: photos)
///
/// A conforming type returns the frames of consecutive items and the state after them; rectangles, points, chunks,
/// sections, directions and repair after edits follow from that. Its layouts have neither pages nor cursors and are
/// never stored. It works along and across the scroll axis, in device pixels.
///
/// Its state has two parts, so that an edit above changes nothing after it: the *shift* is the distance that the origin
/// has moved along the scroll axis; the *rest* is everything else, relative to the origin. Two folds with equal rests
/// place all following items alike.
///
/// The same input must always give the same output, because folds are resumed anywhere.
public protocol PlacementRule: Hashable, Sendable {
    /// The rule and all its parameters as a text, 1 to 200 lowercase letters, digits, dots, colons and hyphens; layouts
    /// that differ in any frame have different names.
    var name: String { get }

    /// The state before the first item of a section, at most ``AnyPlacementRule/longestRest`` bytes.
    ///
    /// - Parameter space: The space to fill.
    /// - Returns: The rest; the shift is 0.
    func initialRest(in space: LayoutSpace) -> [UInt8]

    /// Places consecutive items of a section.
    ///
    /// - Parameters:
    ///   - items: The next items in stream order, at least one.
    ///   - rest: The rest that an earlier call returned, or ``initialRest(in:)``.
    ///   - space: The space to fill.
    /// - Returns: A frame for each item, none of them above the origin, and the state after them.
    func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> RulePlacement

    /// The end of the items of a section that has some.
    ///
    /// - Parameters:
    ///   - rest: The rest that the last call returned.
    ///   - space: The space to fill.
    /// - Returns: Device pixels along the scroll axis from the origin after the last shift, negative if the origin lies
    ///   after the last item; not before the start of the section's first item. Items may extend past it, over the
    ///   elements after them.
    func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64
}

/// Consecutive items that a placement rule has placed.
public struct RulePlacement: Sendable {
    /// The frame of each item, along from the origin before it, across from the leading edge of the space for items; an
    /// item without an area is never found in a rectangle.
    public var frames: [AxisFrame]
    /// The distance that the origin moves along the scroll axis, in device pixels; not negative.
    public var shift: Int64
    /// The rest of the state, relative to the moved origin.
    public var rest: [UInt8]

    /// Creates a placement.
    public init(frames: [AxisFrame], shift: Int64, rest: [UInt8]) {
        self.frames = frames
        self.shift = shift
        self.rest = rest
    }
}

/// The space that a placement rule fills, in device pixels.
public struct LayoutSpace: Hashable, Sendable {
    /// The space for items across the scroll axis, at least 1.
    public let length: Int64
    /// The minimum space between neighbours across the scroll axis.
    public let interitemSpacing: Int64
    /// The space between an item or a line and the next along the scroll axis.
    public let lineSpacing: Int64
    /// The height on the screen of the caption under a picture with a caption.
    public let captionExtent: Int64
    /// Whether content scrolls sideways, so that across means down.
    public let isHorizontal: Bool
    /// The number of device pixels per point.
    public let displayScale: DisplayScale

    init(_ key: LayoutKey) {
        length = key.availableLength
        interitemSpacing = key.interitemSpacing
        lineSpacing = key.lineSpacing
        captionExtent = key.captionExtent
        isHorizontal = key.scrollDirection == .horizontal
        displayScale = key.displayScale
    }
}

/// A placement rule of any type.
public struct AnyPlacementRule: Hashable, Sendable {
    /// The maximum size of a state's rest, in bytes.
    public static let longestRest = 1_024

    /// The rule.
    public let base: any PlacementRule

    /// Wraps a rule.
    public init(_ base: some PlacementRule) {
        self.base = base
    }

    /// Whether both are of one type and equal.
    public static func == (left: AnyPlacementRule, right: AnyPlacementRule) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    /// Hashes the rule.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(base))
    }

    /// Whether the name is valid in a key's text.
    var hasValidName: Bool {
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789.:-".utf8)
        return (1...200).contains(base.name.utf8.count) && base.name.utf8.allSatisfy(allowed.contains)
    }
}
