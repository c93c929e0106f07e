import ArgumentParser
import PhotoStreamLayout

/// Options of the layouts in columns: masonry and grid.
struct ColumnOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("How many columns, 1 to 128. (default: 4)", valueName: "n"))
    var columns: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Instead of --columns: as many as fit at this width or more.", valueName: "w"))
    var minimumColumnWidth: Double?

    @Option(help: "Masonry: the column that takes the next photo. (default: shortest)")
    var columnChoice: MasonryParameters.ColumnChoice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Grid: a picture's width divided by its height. (default: 1)", valueName: "r"))
    var aspectRatio: Double?

    func validate() throws {
        guard columns == nil || minimumColumnWidth == nil else {
            throw ValidationError("--columns and --minimum-column-width exclude each other")
        }
    }

    var masonry: MasonryParameters {
        MasonryParameters(columns: columnCount, columnChoice: columnChoice ?? .shortest)
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
        grid.add("--aspect-ratio", aspectRatio != nil)
        return (both.names, masonry.names, grid.names)
    }

    private var columnCount: ColumnCount {
        minimumColumnWidth.map { .minimumWidth($0) } ?? .count(columns ?? 4)
    }
}
