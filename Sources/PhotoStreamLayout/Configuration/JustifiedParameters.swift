/// What only a justified layout is told, in points.
public struct JustifiedParameters: Hashable, Sendable {
    /// How items are divided into lines.
    public enum Breaks: String, Hashable, Sendable, CaseIterable {
        /// Line by line: each takes items until another would move it away from the target.
        ///
        /// The rule of Flickr's justified-layout.
        case greedy
        /// All lines of a section together: the least sum of squared deviations from the target.
        ///
        /// The tolerance only says which last lines are full. Where more than 32 lines are open, the first of them is
        /// decided.
        case optimal
    }

    /// What becomes of a section's last line where its items do not fill it.
    public enum WidowPolicy: String, Hashable, Sendable, CaseIterable {
        /// It stands at the leading edge, as high as the line before it, or as the target where there is none.
        case natural
        /// It is stretched like any other line, at most to the maximum line height.
        case justify
        /// It is left out: its items have no extent and are hidden.
        case hide
    }

    /// The height that lines should have, 1 to 10,000 points.
    ///
    /// Across the scroll axis where that is horizontal.
    public var targetLineHeight: Double
    /// How far a line may lie from the target without a look at the next item, as a part of it, 0 to 1.
    public var tolerance: Double
    /// No line is lower, 1 to 10,000 points; half the target where it is `nil`.
    public var minimumLineHeight: Double?
    /// No line is higher, 1 to 10,000 points; twice the target where it is `nil`.
    public var maximumLineHeight: Double?
    /// What becomes of a last line that is not full.
    public var widows: WidowPolicy
    /// How items are divided into lines.
    public var breaks: Breaks
    /// Every so manieth line of a section is one item alone, unless that is higher than wide; 0 for never, else 1 to
    /// 1,000,000.
    public var breakoutEvery: Int

    /// Creates parameters.
    public init(
        targetLineHeight: Double = 240,
        tolerance: Double = 0.25,
        minimumLineHeight: Double? = nil,
        maximumLineHeight: Double? = nil,
        widows: WidowPolicy = .natural,
        breaks: Breaks = .greedy,
        breakoutEvery: Int = 0
    ) {
        self.targetLineHeight = targetLineHeight
        self.tolerance = tolerance
        self.minimumLineHeight = minimumLineHeight
        self.maximumLineHeight = maximumLineHeight
        self.widows = widows
        self.breaks = breaks
        self.breakoutEvery = breakoutEvery
    }
}
