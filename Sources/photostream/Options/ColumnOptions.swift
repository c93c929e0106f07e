import ArgumentParser
import PhotoStreamLayout

/// Options of the layouts in columns: masonry and grid.
struct ColumnOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Masonry and grid: how many columns, 1 to 128. (default: 4)", valueName: "n"))
    var columns: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Masonry and grid, instead of --columns: as many as fit at this width or more.", valueName: "w"))
    var minimumColumnWidth: Double?

    @Option(
        help: ArgumentHelp("Masonry: the column that takes the next photo. (default: shortest)", valueName: "rule"))
    var columnChoice: MasonryParameters.ColumnChoice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Masonry: the first column in reading order takes the next photo that ends at most so far below the shortest. \
            (default: 0)
            """, valueName: "points"))
    var orderTolerance: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Masonry: photos that are more than so many times wider than high take two columns. (default: none)",
            valueName: "ratio"))
    var spanWiderThan: Double?

    @Option(
        help: ArgumentHelp(
            """
            Masonry: where packing begins; packed from the end, a photo put before all others moves none of them relative \
            to another. (default: start)
            """, valueName: "edge"))
    var anchor: MasonryParameters.Anchor?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Grid: a picture's width divided by its height. (default: 1)", valueName: "r"))
    var aspectRatio: Double?

    func validate() throws {
        guard columns == nil || minimumColumnWidth == nil else {
            throw ValidationError("--columns and --minimum-column-width exclude each other")
        }
        guard columnChoice != .roundRobin || orderTolerance == nil else {
            throw ValidationError("--order-tolerance has no meaning with --column-choice round-robin")
        }
    }

    var masonry: MasonryParameters {
        MasonryParameters(
            columns: columnCount, columnChoice: columnChoice ?? .shortest, orderTolerance: orderTolerance ?? 0,
            spanWiderThan: spanWiderThan, anchor: anchor ?? .start)
    }

    var grid: GridParameters {
        GridParameters(columns: columnCount, aspectRatio: aspectRatio ?? 1)
    }

    /// The options that were given: of both layouts, of masonry, of grids.
    var given: (both: [String], masonry: [String], grid: [String]) {
        var (both, masonry, grid) = (GivenOptions(), GivenOptions(), GivenOptions())
        both.add("--columns", columns != nil)
        both.add("--minimum-column-width", minimumColumnWidth != nil)
        masonry.add("--column-choice", columnChoice != nil)
        masonry.add("--order-tolerance", orderTolerance != nil)
        masonry.add("--span-wider-than", spanWiderThan != nil)
        masonry.add("--anchor", anchor != nil)
        grid.add("--aspect-ratio", aspectRatio != nil)
        return (both.names, masonry.names, grid.names)
    }

    private var columnCount: ColumnCount {
        minimumColumnWidth.map { .minimumWidth($0) } ?? .count(columns ?? 4)
    }
}
