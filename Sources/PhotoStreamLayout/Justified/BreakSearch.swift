import PhotoStreamModel

/// The search for the optimal breaks of a section, photo by photo; see ``OptimalBreakRule``.
///
/// Flat arrays that are used over and over: breaks in the order of their positions, and of those that a line may still
/// begin at what the inner loop reads. The longer a line already is, the lower; so starts are given up from the first.
struct BreakSearch {
    let kernel: JustifiedKernel
    let rule: OptimalBreakRule
    var previousExtent: Int64
    /// Lines that were decided, until somebody takes them.
    var decided: [DecidedLine] = []
    var breaks: [SearchBreak]
    var breakCount = 0
    var starts: [SearchStart]
    var firstStart = 0
    var startEnd = 0
    /// What lies before the next item: positions are counted from the root, the rest from any place.
    var position: Int32 = 0
    var captionCount: Int32 = 0
    var ratios: Double = 0
    var taken: Double = 0
    /// Open ways take too many bytes at no lower number of breaks.
    var settledCount = 0
    /// A line of fewer items has room for another, whatever captions there are.
    private let safeCount: Int32
    /// The room of a line without items, and what an item and a caption take of it, as ``OptimalBreakRule/pixel`` counts.
    let emptyRoom: Double
    let spacing: Double
    let captionAcross: Double

    /// Breaks that may be added before they must be settled.
    private static let reserve = 512
    /// Breaks that are kept at most: each takes at least three bytes.
    private static let capacity = OptimalBreakRule.byteLimit / 3 + reserve

    init(_ kernel: JustifiedKernel, from open: OpenBreaks) {
        self.kernel = kernel
        rule = OptimalBreakRule(kernel.parameters)
        previousExtent = open.previousExtent
        let caption = kernel.isHorizontal ? kernel.captionExtent : 0
        let safe = (kernel.available + kernel.interitemSpacing) / (kernel.interitemSpacing + caption + 1)
        safeCount = Int32(min(max(0, safe), 1 << 30))
        emptyRoom = Double(kernel.available + kernel.interitemSpacing) * rule.pixel
        spacing = Double(kernel.interitemSpacing) * rule.pixel
        captionAcross = Double(caption) * rule.pixel
        breaks = [SearchBreak](repeating: SearchBreak(), count: Self.capacity)
        starts = [SearchStart](repeating: SearchStart(), count: Self.capacity)
        restore(open)
    }

    /// Begins a section.
    mutating func reset() {
        previousExtent = 0
        (breakCount, firstStart, startEnd) = (1, 0, 1)
        (position, captionCount, ratios, taken, settledCount) = (0, 0, 0, 0, 0)
        breaks[0] = SearchBreak()
        starts[0] = SearchStart(ratios: 0, room: emptyRoom, cost: 0, position: 0)
    }

    /// Adds items, as far as open ways may grow.
    ///
    /// - Parameters:
    ///   - items: The ratios and the metrics of all items of a run.
    ///   - range: The items to add.
    /// - Returns: How far it came; then the search must be settled.
    @inline(never)
    mutating func add(_ items: (ratios: [UInt64], words: ArraySlice<UInt64>), _ range: Range<Int>) -> Int {
        items.ratios.withUnsafeBufferPointer { itemRatios in
            items.words.withUnsafeBufferPointer { words in
                breaks.withUnsafeMutableBufferPointer { breaks in
                    starts.withUnsafeMutableBufferPointer { starts in
                        var loop = BreakLoop(rule: rule, breaks: breaks, starts: starts)
                        _ = loop
                        return 0
                    }
                }
            }
        }
    }
}
