import ArgumentParser
import PhotoStreamLayout

/// Options of the layouts in lines: flow and justified.
struct LineOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Flow and map: the size of every picture, 1 to 10000 points. (default: 50,50; of a map 44,44)",
            valueName: "w,h"),
        transform: Size.init(text:))
    var itemSize: Size?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Flow, instead of --item-size: one height in points, the width from the ratio.", valueName: "h"))
    var itemHeight: Double?

    @Flag(help: "Flow, instead of --item-size: each picture's own size, a pixel to a point.")
    var ownSizes = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Justified: the height that lines should have, in points. (default: 240)", valueName: "h"))
    var targetLineHeight: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Justified: how far from the target a line is good enough, as a part of it, 0 to 1. (default: 0.25)",
            valueName: "t"))
    var tolerance: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Justified: no line is lower, in points. (default: half the target)", valueName: "h"))
    var minimumLineHeight: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Justified: no line is higher, in points. (default: twice the target)", valueName: "h"))
    var maximumLineHeight: Double?

    @Option(
        help: ArgumentHelp(
            "Justified: what becomes of a section's last line that is not full. (default: natural)",
            valueName: "policy"))
    var widows: JustifiedParameters.WidowPolicy?

    @Option(help: "Justified: how photos are divided into lines. (default: greedy)")
    var breaks: JustifiedParameters.Breaks?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Justified: each n-th line of a section is one photo alone, unless that is higher than wide. "
                + "(default: 0, never)",
            valueName: "n"))
    var breakoutEvery: Int?

    func validate() throws {
        let sizes = given.flow
        guard sizes.count < 2 else { throw ValidationError("\(sizes[0]) and \(sizes[1]) exclude each other") }
    }

    var flow: FlowParameters {
        if ownSizes { return FlowParameters(itemSize: .own) }
        if let itemHeight { return FlowParameters(itemSize: .height(itemHeight)) }
        return itemSize.map { FlowParameters(itemSize: .uniform($0)) } ?? FlowParameters()
    }

    var justified: JustifiedParameters {
        let otherwise = JustifiedParameters()
        return JustifiedParameters(
            targetLineHeight: targetLineHeight ?? otherwise.targetLineHeight,
            tolerance: tolerance ?? otherwise.tolerance, minimumLineHeight: minimumLineHeight,
            maximumLineHeight: maximumLineHeight, widows: widows ?? otherwise.widows,
            breaks: breaks ?? otherwise.breaks, breakoutEvery: breakoutEvery ?? otherwise.breakoutEvery)
    }

    /// The options that were given, by layout.
    var given: (flow: [String], justified: [String]) {
        var (flow, justified) = (GivenOptions(), GivenOptions())
        flow.add("--item-size", itemSize != nil)
        flow.add("--item-height", itemHeight != nil)
        flow.add("--own-sizes", ownSizes)
        justified.add("--target-line-height", targetLineHeight != nil)
        justified.add("--tolerance", tolerance != nil)
        justified.add("--minimum-line-height", minimumLineHeight != nil)
        justified.add("--maximum-line-height", maximumLineHeight != nil)
        justified.add("--widows", widows != nil)
        justified.add("--breaks", breaks != nil)
        justified.add("--breakout-every", breakoutEvery != nil)
        return (flow.names, justified.names)
    }
}
