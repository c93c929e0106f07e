import ArgumentParser
import PhotoStreamLayout
import PhotoStreamService
import PhotoStreamWire

/// How a stream is to be laid out: options in points, or the layout key that an earlier answer gave.
struct LayoutOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .layout(.width))
    var width: Double?

    @Option(parsing: .unconditional, help: .layout(.height))
    var height: Double?

    @Option(help: .layout(.algorithm))
    var algorithm: AlgorithmName?

    @OptionGroup var columns: ColumnOptions
    @OptionGroup var lines: LineOptions
    @OptionGroup var map: MapOptions

    @Option(parsing: .unconditional, help: .layout(.interitemSpacing))
    var interitemSpacing: Double?

    @Option(parsing: .unconditional, help: .layout(.lineSpacing))
    var lineSpacing: Double?

    @Option(parsing: .unconditional, help: .layout(.contentInset), transform: EdgeInsets.init(text:))
    var contentInset: EdgeInsets?

    @Option(parsing: .unconditional, help: .layout(.cellPadding))
    var cellPadding: Double?

    @Option(parsing: .unconditional, help: .layout(.displayScale))
    var displayScale: Double?

    @Option(parsing: .unconditional, help: .layout(.captionExtent))
    var captionExtent: Double?

    @Option(parsing: .unconditional, help: .layout(.badgeSize), transform: Size.init(text:))
    var badgeSize: Size?

    @Option(help: .layout(.scrollDirection))
    var scrollDirection: ScrollDirection?

    @Option(help: .layout(.layoutDirection))
    var layoutDirection: LayoutDirection?

    @OptionGroup var sections: SectionOptions

    @Option(help: .layout(.layoutKey), transform: LayoutKey.init(parsing:))
    var layoutKey: LayoutKey?

    func validate() throws {
        _ = try key()
    }

    /// The layout that the options describe, or `nil` where none is given.
    ///
    /// - Throws: A usage error where the options do not fit together.
    func key() throws -> LayoutKey? {
        try asUsageError { try values.key() }
    }

    /// The layout that the options describe.
    ///
    /// - Throws: A usage error where none is given.
    func requiredKey() throws -> LayoutKey {
        try asUsageError { try values.requiredKey() }
    }

    private var values: LayoutOptionValues {
        var values = LayoutOptionValues()
        values.width = width
        values.height = height
        values.algorithm = algorithm
        values.interitemSpacing = interitemSpacing
        values.lineSpacing = lineSpacing
        values.contentInset = contentInset
        values.cellPadding = cellPadding
        values.displayScale = displayScale
        values.captionExtent = captionExtent
        values.badgeSize = badgeSize
        values.scrollDirection = scrollDirection
        values.layoutDirection = layoutDirection
        values.layoutKey = layoutKey
        columns.put(into: &values)
        lines.put(into: &values)
        map.put(into: &values)
        sections.put(into: &values)
        return values
    }

    private func asUsageError<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as LayoutOptionError {
            throw ValidationError(error.text(.command))
        }
    }
}
