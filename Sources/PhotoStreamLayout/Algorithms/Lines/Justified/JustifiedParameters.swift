/// The options of a justified layout, in points.
public struct JustifiedParameters: Hashable, Sendable {
    /// The rule that divides items into lines.
    public enum Breaks: String, Hashable, Sendable, CaseIterable {
        /// Line by line: each takes items until another would move it away from the target.
        ///
        /// The rule of Flickr's justified-layout.
        case greedy
        /// All lines of a section together, with the minimum sum of squared deviations from the target.
        ///
        /// The tolerance only decides whether a last line is full. If more than 1,024 items are
        /// open, the first lines are decided.
        case optimal
    }

    /// The treatment of a section's last line if its items do not fill it.
    public enum WidowPolicy: String, Hashable, Sendable, CaseIterable {
        /// Aligned to the leading edge, as high as the line before it, or as the target if there is none.
        case natural
        /// Stretched like any other line, at most to the maximum line height.
        case justify
        /// Left out: its items have no extent and are hidden.
        case hide
    }

    /// The height that lines should have, 1 to 10,000 points.
    ///
    /// The width if content scrolls horizontally.
    public var targetLineHeight: Double
    /// The distance of a line from the target within which no further item is tried, as a fraction of the target, 0 to
    /// 1.
    public var tolerance: Double
    /// The minimum height of a line, 1 to 10,000 points; `nil` for half the target.
    public var minimumLineHeight: Double?
    /// The maximum height of a line, 1 to 10,000 points; `nil` for twice the target.
    public var maximumLineHeight: Double?
    /// The treatment of a last line that is not full.
    public var widows: WidowPolicy
    /// The rule that divides items into lines.
    public var breaks: Breaks
    /// The period of breakouts: every *n*th line of a section is a single item, unless that item is higher than wide; 0
    /// for never, else 1 to 1,000,000.
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

extension LayoutKey {
    /// A justified layout's parameters, in device pixels.
    public struct Justified: Hashable, Sendable {
        /// The height that lines should have.
        public let targetLineHeight: Int64
        /// The distance from the target within which no further item is tried, in millionths of the target.
        public let tolerance: Int64
        /// The minimum height of a line.
        public let minimumLineHeight: Int64
        /// The maximum height of a line.
        public let maximumLineHeight: Int64
        /// The treatment of a last line that is not full.
        public let widows: JustifiedParameters.WidowPolicy
        /// The rule that divides items into lines.
        public let breaks: JustifiedParameters.Breaks
        /// The period of breakouts, lines of a single item; 0 for never.
        public let breakoutEvery: Int
    }
}

extension LayoutKey.Justified {
    init(_ parameters: JustifiedParameters, scale: DisplayScale) throws(LayoutError) {
        let target = parameters.targetLineHeight
        targetLineHeight = max(1, try scale.pixels("target line height", points: target, in: LayoutRange.itemLength))
        tolerance = try LayoutRange.tolerance.checked(parameters.tolerance, option: "tolerance").inMillionths
        let lowest = try parameters.minimumLineHeight.map { height throws(LayoutError) in
            try scale.pixels("minimum line height", points: height, in: LayoutRange.itemLength.lowerBound...target)
        }
        let highest = try parameters.maximumLineHeight.map { height throws(LayoutError) in
            try scale.pixels("maximum line height", points: height, in: target...LayoutRange.itemLength.upperBound)
        }
        minimumLineHeight = max(1, lowest ?? targetLineHeight / 2)
        maximumLineHeight = max(1, highest ?? 2 * targetLineHeight)
        widows = parameters.widows
        breaks = parameters.breaks
        breakoutEvery = try LayoutRange.breakoutEvery.checked(parameters.breakoutEvery, option: "breakout every")
    }
}

extension LayoutKey.Justified: AlgorithmParameters {
    static let name = "justified"

    var fields: [String] {
        [
            "target=\(targetLineHeight)", "tolerance=\(tolerance)", "minimum=\(minimumLineHeight)",
            "maximum=\(maximumLineHeight)", "widows=\(widows.rawValue)", "breakout=\(breakoutEvery)",
        ] + (breaks == .greedy ? [] : ["breaks=\(breaks.rawValue)"])
    }

    init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
        targetLineHeight = try fields.number("target")
        tolerance = try fields.number("tolerance")
        minimumLineHeight = try fields.number("minimum")
        maximumLineHeight = try fields.number("maximum")
        widows = try fields.choice("widows")
        breakoutEvery = Int(try fields.number("breakout"))
        breaks = try fields.choice("breaks", or: .greedy)
    }

    func isWithin(longest: Int64, container: Int64) -> Bool {
        minimumLineHeight >= 1 && minimumLineHeight <= targetLineHeight && targetLineHeight <= maximumLineHeight
            && maximumLineHeight <= 2 * longest && targetLineHeight <= longest
            && tolerance <= LayoutRange.tolerance.upperBound.inMillionths
            && LayoutRange.breakoutEvery.contains(breakoutEvery)
    }

    func layoutAlgorithm(of key: LayoutKey) -> any LayoutAlgorithm {
        switch breaks {
        case .greedy: GreedyAlgorithm(rule: JustifiedRule(key, parameters: self))
        case .optimal: OptimalAlgorithm(rule: JustifiedRule(key, parameters: self))
        }
    }
}
