public import ArgumentParser
public import PhotoStreamLayout
import PhotoStreamService
public import PhotoStreamWire

/// The layout of a stream: options in points, or the layout key of an earlier answer.
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

    /// Returns the layout that the options describe; `nil` if no option is given.
    ///
    /// - Throws: A usage error if the options contradict each other.
    func key() throws -> LayoutKey? {
        try asUsageError { try values.key() }
    }

    /// Returns the layout that the options describe.
    ///
    /// - Throws: A usage error if no option is given.
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
        columns.apply(to: &values)
        lines.apply(to: &values)
        map.apply(to: &values)
        sections.apply(to: &values)
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

/// The options of the layouts in columns: masonry and grid.
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

    /// Copies the given options.
    func apply(to values: inout LayoutOptionValues) {
        values.columns = columns
        values.minimumColumnWidth = minimumColumnWidth
        values.columnChoice = columnChoice
        values.orderTolerance = orderTolerance
        values.spanWiderThan = spanWiderThan
        values.anchor = anchor
        values.aspectRatio = aspectRatio
    }
}

/// The options of the layouts in lines: flow and justified.
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

    /// Copies the given options.
    func apply(to values: inout LayoutOptionValues) {
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

/// The options of sections and of the elements around their photos.
struct SectionOptions: ParsableArguments {
    @Option(name: .customLong(LayoutOption.sectionBy.name), help: .layout(.sectionBy))
    var sectioning: Sectioning?

    @Option(parsing: .unconditional, help: .layout(.sectionInset), transform: EdgeInsets.init(text:))
    var sectionInset: EdgeInsets?

    @Option(parsing: .unconditional, help: .layout(.headerSize))
    var headerSize: Double?

    @Option(parsing: .unconditional, help: .layout(.footerSize))
    var footerSize: Double?

    @Flag(help: .layout(.pinHeaders))
    var pinHeaders = false

    @Flag(help: .layout(.pinFooters))
    var pinFooters = false

    @Flag(help: .layout(.sectionBackground))
    var sectionBackground = false

    @Option(parsing: .unconditional, help: .layout(.separatorThickness))
    var separatorThickness: Double?

    /// Copies the given options.
    func apply(to values: inout LayoutOptionValues) {
        values.sectionBy = sectioning
        values.sectionInset = sectionInset
        values.headerSize = headerSize
        values.footerSize = footerSize
        values.pinHeaders = pinHeaders
        values.pinFooters = pinFooters
        values.sectionBackground = sectionBackground
        values.separatorThickness = separatorThickness
    }
}

/// The options of maps.
///
/// The size of the photos is an option of flows.
struct MapOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .layout(.zoom))
    var zoom: Int?

    /// Copies the given options.
    func apply(to values: inout LayoutOptionValues) {
        values.zoom = zoom
    }
}

extension AlgorithmName: ExpressibleByArgument {}
extension MasonryParameters.ColumnChoice: ExpressibleByArgument {}
extension MasonryParameters.Anchor: ExpressibleByArgument {}
extension JustifiedParameters.WidowPolicy: ExpressibleByArgument {}
extension JustifiedParameters.Breaks: ExpressibleByArgument {}
extension ScrollDirection: ExpressibleByArgument {}
extension LayoutDirection: ExpressibleByArgument {}
extension Sectioning: ExpressibleByArgument {}

extension ArgumentHelp {
    /// Returns the help of a layout option.
    static func layout(_ option: LayoutOption) -> ArgumentHelp {
        ArgumentHelp(stringLiteral: option.summary).named(option.valueName)
    }

    private func named(_ valueName: String?) -> ArgumentHelp {
        var help = self
        help.valueName = valueName
        return help
    }
}
