/// What the optimal breaks of a section are: those of the least cost, exactly.
///
/// The cost of breaking a section into lines is the sum over its lines of
///
///     256 × deviation² + 1
///
/// where the deviation is how far the height at which the line's pictures fill the room lies from the target, rounded to
/// the nearest step, ties to even. A step is 1/16 pixel, or the least power of two of it by which the maximum line
/// height is below 2^16 steps. The one is for the line itself: of equal deviations fewer lines are better; of what is
/// still equal the line that begins earlier, looked at from the end. All of it is whole numbers below 2^53, so
/// `Double` computes it exactly and alike everywhere.
///
/// A line may take any items with which its height lies from the minimum to the maximum. Only where a break has no such
/// line behind it (a panorama alone is too low; a tower before a panorama is too high, and too low with it) it is
/// followed by a forced line: the shortest that is too low, or the longest that there is room for, a pixel for each
/// picture. A forced line costs 256 × 2^34 more, and its deviation counts for at most 2^16 steps. So every break leads
/// on, and no line is forced where another way is left. A forced line is as high as the minimum or the maximum, as a
/// greedy one is.
///
/// A section's last line costs only its one when it is not longer than a full line at the target, unless widows are
/// justified: then it costs as any other, and a forced line's cost when it is higher than the maximum.
///
/// Source: Donald Knuth and Michael Plass, "Breaking Paragraphs into Lines", Software: Practice and Experience 11
/// (1981), doi:10.1002/spe.4380111102: the least sum over all lines as a shortest path over the places where a line may
/// end, with a list of those that the next line may still begin at. Ours differs in the cost, in what is done where no
/// line fits, and in that decisions are final after a while, so that a layout can be stored in the middle:
///
/// - When every open way has more than ``lineLimit`` lines, the first line of the cheapest is decided, and the others
///   that do not begin with it are given up. So a section of up to that many lines is the global optimum.
/// - The same when the open ways take more than ``byteLimit`` bytes. They do where lines hold dozens of photos or ratios
///   repeat so regularly that ways never meet; ordinary photos need some 200.
/// - A line may begin at ``startLimit`` places at most. Of one more, the two neighbours are found between which lie the
///   least ratios (of equal pairs the first), and the dearer of the two is given up (of equal ones the later).
///
/// Each is looked at after every photo, so it does not matter where a layout was stopped in between.
struct OptimalBreakRule {
    /// Lines of the shortest open way that are kept undecided.
    static let lineLimit = 32
    /// Bytes that open ways may take in an encoded state.
    static let byteLimit = 1_400
    /// Breaks that a line may still begin at.
    static let startLimit = 64

    /// A pixel of room, for a quotient with ratios in units of 2^-32 that comes to sixteenths of a step.
    let pixel: Double
    /// Heights in sixteenths of a step: the squares of deviations are 256 times those in steps by themselves.
    let target: Double
    let minimum: Double
    let maximum: Double
    /// Adding and subtracting it rounds sixteenths of a step to a step.
    @inline(__always) static var rounding: Double { 0x1p56 }
    /// What a forced line costs beside its deviation, and the greatest deviation of one.
    private static let penalty = 0x1p42
    private static let greatestDeviation = 0x1p20

    init(_ parameters: LayoutKey.Justified) {
        let heightBits = Int64.bitWidth - parameters.maximumLineHeight.leadingZeroBitCount
        let sixteenths = Double(sign: .plus, exponent: 4 + min(4, 16 - heightBits), significand: 1)
        pixel = 0x1p32 * sixteenths
        target = Double(parameters.targetLineHeight) * sixteenths
        minimum = Double(parameters.minimumLineHeight) * sixteenths
        maximum = Double(parameters.maximumLineHeight) * sixteenths
    }

    /// At what height pictures fill some room, in sixteenths of a step but rounded to a whole one; infinite without any.
    @inline(__always)
    func height(filling room: Double, _ ratios: Double) -> Double {
        room / ratios + Self.rounding - Self.rounding
    }

    /// The cost of a line that fits, without its one.
    @inline(__always)
    func cost(_ height: Double) -> Double {
        (height - target) * (height - target)
    }

    /// The cost of a forced line, without its one.
    func forcedCost(_ height: Double) -> Double {
        let deviation = min((height - target).magnitude, Self.greatestDeviation)
        return Self.penalty + deviation * deviation
    }

    /// What a section's last line may cost, without its one.
    ///
    /// - Returns: `nil` for a line that is too low and not forced.
    func lastCost(_ height: Double, _ widows: JustifiedParameters.WidowPolicy) -> Double? {
        if widows != .justify, height >= target { return 0 }
        if height < minimum { return nil }
        return height > maximum ? forcedCost(height) : cost(height)
    }
}
