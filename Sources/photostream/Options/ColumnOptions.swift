import ArgumentParser
import PhotoStreamLayout
import PhotoStreamService
import PhotoStreamWire

/// Options of the layouts in columns: masonry and grid.
struct ColumnOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .layout(.columns))
    var columns: Int?

    @Option(parsing: .unconditional, help: .layout(.minimumColumnWidth))
    var minimumColumnWidth: Double?

    @Option(help: .layout(.columnChoice))
    var columnChoice: MasonryParameters.ColumnChoice?

    @Option(parsing: .unconditional, help: .layout(.orderTolerance))
    var orderTolerance: Double?

    @Option(parsing: .unconditional, help: .layout(.spanWiderThan))
    var spanWiderThan: Double?

    @Option(help: .layout(.anchor))
    var anchor: MasonryParameters.Anchor?

    @Option(parsing: .unconditional, help: .layout(.aspectRatio))
    var aspectRatio: Double?

    /// Puts what was given beside the other layout options.
    func put(into values: inout LayoutOptionValues) {
        values.columns = columns
        values.minimumColumnWidth = minimumColumnWidth
        values.columnChoice = columnChoice
        values.orderTolerance = orderTolerance
        values.spanWiderThan = spanWiderThan
        values.anchor = anchor
        values.aspectRatio = aspectRatio
    }
}
