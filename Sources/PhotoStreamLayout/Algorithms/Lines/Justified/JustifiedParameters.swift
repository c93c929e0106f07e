/// The options of a justified layout, in points.
public struct JustifiedParameters: Hashable, Sendable {
    /// The rule that divides items into lines.
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

    /// The treatment of a section's last line where its items do not fill it.
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
    /// The distance of a line from the target below which the next item is not looked at, as a part of it, 0 to 1.
    public var tolerance: Double
    /// No line is lower, 1 to 10,000 points; half the target where it is `nil`.
    public var minimumLineHeight: Double?
    /// No line is higher, 1 to 10,000 points; twice the target where it is `nil`.
    public var maximumLineHeight: Double?
    /// The treatment of a last line that is not full.
    public var widows: WidowPolicy
    /// The rule that divides items into lines.
    public var breaks: Breaks
    /// Every *n*th line of a section is one item alone, unless that is higher than wide; 0 for never, else 1 to
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

extension LayoutKey {
    /// A justified layout's parameters, in device pixels.
    public struct Justified: Hashable, Sendable {
        /// The height that lines should have.
        public let targetLineHeight: Int64
        /// The distance from the target below which the next item is not looked at, in millionths of the target.
        public let tolerance: Int64
        /// No line is lower.
        public let minimumLineHeight: Int64
        /// No line is higher.
        public let maximumLineHeight: Int64
        /// The treatment of a last line that is not full.
        public let widows: JustifiedParameters.WidowPolicy
        /// The rule that divides items into lines.
        public let breaks: JustifiedParameters.Breaks
        /// Every *n*th line is one item alone; 0 for never.
        public let breakoutEvery: Int
    }
}

extension LayoutKey.Justified {
    init(_ parameters: JustifiedParameters, scale: DisplayScale) throws(LayoutError) {
        let target = parameters.targetLineHeight
        targetLineHeight = max(1, try scale.pixels("target line height", points: target, in: LayoutRange.itemLength))
        guard LayoutRange.tolerance.contains(parameters.tolerance) else {
            throw .outOfRange(option: "tolerance", value: parameters.tolerance, allowed: LayoutRange.tolerance)
        }
        tolerance = parameters.tolerance.inMillionths
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
        guard LayoutRange.breakoutEvery.contains(parameters.breakoutEvery) else {
            throw .outOfRange(
                option: "breakout every", value: Double(parameters.breakoutEvery),
                allowed: LayoutRange.breakoutEvery.asNumbers)
        }
        breakoutEvery = parameters.breakoutEvery
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
        case .greedy: GreedyAlgorithm(key, parameters: self)
        case .optimal: OptimalAlgorithm(key, parameters: self)
        }
    }
}
