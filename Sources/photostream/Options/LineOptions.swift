import ArgumentParser
import PhotoStreamLayout
import PhotoStreamService
import PhotoStreamWire

/// Options of the layouts in lines: flow and justified.
struct LineOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .layout(.itemSize), transform: Size.init(text:))
    var itemSize: Size?

    @Option(parsing: .unconditional, help: .layout(.itemHeight))
    var itemHeight: Double?

    @Flag(help: .layout(.ownSizes))
    var ownSizes = false

    @Option(parsing: .unconditional, help: .layout(.targetLineHeight))
    var targetLineHeight: Double?

    @Option(parsing: .unconditional, help: .layout(.tolerance))
    var tolerance: Double?

    @Option(parsing: .unconditional, help: .layout(.minimumLineHeight))
    var minimumLineHeight: Double?

    @Option(parsing: .unconditional, help: .layout(.maximumLineHeight))
    var maximumLineHeight: Double?

    @Option(help: .layout(.widows))
    var widows: JustifiedParameters.WidowPolicy?

    @Option(help: .layout(.breaks))
    var breaks: JustifiedParameters.Breaks?

    @Option(parsing: .unconditional, help: .layout(.breakoutEvery))
    var breakoutEvery: Int?

    /// Puts what was given beside the other layout options.
    func put(into values: inout LayoutOptionValues) {
        values.itemSize = itemSize
        values.itemHeight = itemHeight
        values.ownSizes = ownSizes
        values.targetLineHeight = targetLineHeight
        values.tolerance = tolerance
        values.minimumLineHeight = minimumLineHeight
        values.maximumLineHeight = maximumLineHeight
        values.widows = widows
        values.breaks = breaks
        values.breakoutEvery = breakoutEvery
    }
}
