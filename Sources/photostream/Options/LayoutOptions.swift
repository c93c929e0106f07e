import ArgumentParser
import PhotoStreamLayout

/// How a stream is to be laid out: options in points, or the layout key that an earlier answer gave.
struct LayoutOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The width to fill, in points, insets included.", valueName: "w"))
    var width: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The height to fill where content scrolls horizontally, in points.", valueName: "h"))
    var height: Double?

    @Option(
        help: ArgumentHelp(
            "The layout; options named after another one are refused. (default: masonry)", valueName: "name"))
    var algorithm: LayoutAlgorithm?

    @OptionGroup var columns: ColumnOptions
    @OptionGroup var lines: LineOptions
    @OptionGroup var map: MapOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The space between columns, or the least between photos of a line, in points. (default: 0)",
            valueName: "s"))
    var interitemSpacing: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The space between lines, or between photos of a column, in points. (default: 0)", valueName: "s"))
    var lineSpacing: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The margin around all content, in points. (default: 0,0,0,0)", valueName: "t,l,b,r"),
        transform: EdgeInsets.init(text:))
    var contentInset: EdgeInsets?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Instead of inset and spacings: a margin around every photo and around all of them, in points.",
            valueName: "p"))
    var cellPadding: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Device pixels in a point, 0.5 to 8. (default: 1)", valueName: "k"))
    var displayScale: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The height of the caption under a photo that has one, in points. (default: 0)", valueName: "e"))
    var captionExtent: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The size of the badge in the trailing top corner of every photo, in points. (default: none)",
            valueName: "w,h"),
        transform: Size.init(text:))
    var badgeSize: Size?

    @Option(help: ArgumentHelp("The axis along which content grows. (default: vertical)", valueName: "axis"))
    var scrollDirection: ScrollDirection?

    @Option(
        help: ArgumentHelp(
            "Where reading begins; the other way is the mirror image. (default: left-to-right)", valueName: "way"))
    var layoutDirection: LayoutDirection?

    @OptionGroup var sections: SectionOptions

    @Option(
        help: ArgumentHelp("Instead of all layout options: the layout key of an earlier answer.", valueName: "key"),
        transform: LayoutKey.init(parsing:))
    var layoutKey: LayoutKey?

    func validate() throws {
        let given = givenOptions
        guard layoutKey == nil || given.isEmpty else {
            let names = given.joined(separator: ", ")
            throw ValidationError("--layout-key stands for all layout options, so \(names) cannot be given with it")
        }
        try validateLength(given)
        try validateAlgorithm()
        let replaced = [
            ("--content-inset", contentInset != nil), ("--interitem-spacing", interitemSpacing != nil),
            ("--line-spacing", lineSpacing != nil),
        ]
        if cellPadding != nil, let first = replaced.first(where: \.1) {
            throw ValidationError("--cell-padding stands for inset and spacings, so \(first.0) cannot be given with it")
        }
        do {
            _ = try key()
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The layout that the options describe, or `nil` where none is given.
    func key() throws(LayoutError) -> LayoutKey? {
        if let layoutKey { return layoutKey }
        guard let length = width ?? height else { return nil }
        return try LayoutKey(configuration(containerLength: length))
    }

    /// The layout that the options describe.
    ///
    /// - Throws: A usage error where none is given.
    func requiredKey() throws -> LayoutKey {
        guard let key = try key() else {
            throw ValidationError("\(isHorizontal ? "--height" : "--width") or --layout-key is missing")
        }
        return key
    }

    private var isHorizontal: Bool { scrollDirection == .horizontal }

    private func configuration(containerLength: Double) -> LayoutConfiguration {
        var configuration = LayoutConfiguration(
            containerLength: containerLength, displayScale: displayScale ?? 1,
            scrollDirection: scrollDirection ?? .vertical, layoutDirection: layoutDirection ?? .leftToRight,
            contentInset: contentInset ?? .zero, interitemSpacing: interitemSpacing ?? 0,
            lineSpacing: lineSpacing ?? 0, captionExtent: captionExtent ?? 0, sections: sections.parameters,
            badgeSize: badgeSize ?? .zero, algorithm: parameters)
        if let cellPadding { configuration.setCellPadding(cellPadding) }
        return configuration
    }

    private var parameters: LayoutConfiguration.Algorithm {
        switch algorithm ?? .masonry {
        case .masonry: .masonry(columns.masonry)
        case .flow: .flow(lines.flow)
        case .justified: .justified(lines.justified)
        case .grid: .grid(columns.grid)
        case .map: .map(map.map(itemSize: lines.itemSize))
        }
    }

    /// Checks that the side is given that content does not scroll along, and only that.
    private func validateLength(_ given: [String]) throws {
        let (needed, wrong) = isHorizontal ? ("--height", "--width") : ("--width", "--height")
        let (isThere, isWrong) = isHorizontal ? (height != nil, width != nil) : (width != nil, height != nil)
        guard !isWrong else {
            let direction = isHorizontal ? "horizontally" : "vertically"
            throw ValidationError("content scrolls \(direction), so it fills \(needed); leave out \(wrong)")
        }
        if let first = given.first, !isThere {
            throw ValidationError("\(first) is given without \(needed)")
        }
    }

    /// Checks that no option of another algorithm is given.
    private func validateAlgorithm() throws {
        let algorithm = algorithm ?? .masonry
        let (columns, lines) = (columns.given, lines.given)
        var foreign: [String] = []
        if algorithm != .masonry { foreign += columns.masonry }
        if algorithm != .grid { foreign += columns.grid }
        if algorithm != .masonry, algorithm != .grid { foreign += columns.both }
        if algorithm != .flow { foreign += lines.flow.filter { algorithm != .map || $0 != "--item-size" } }
        if algorithm != .justified { foreign += lines.justified }
        if algorithm != .map { foreign += map.given }
        if algorithm == .map, captionExtent != nil { foreign.append("--caption-extent") }
        if let first = foreign.first {
            throw ValidationError("\(first) means nothing to --algorithm \(algorithm.rawValue)")
        }
        if algorithm == .masonry || algorithm == .map, sections.separatorThickness != nil {
            throw ValidationError(
                "--separator-thickness means nothing to --algorithm \(algorithm.rawValue), which has no lines")
        }
    }

    /// The names of the options that were given beside a layout key.
    private var givenOptions: [String] {
        var given = GivenOptions()
        given.add("--width", width != nil)
        given.add("--height", height != nil)
        given.add("--algorithm", algorithm != nil)
        let names =
            columns.given.both + columns.given.masonry + columns.given.grid + lines.given.flow
            + lines.given.justified + map.given
        for name in names { given.add(name, true) }
        given.add("--interitem-spacing", interitemSpacing != nil)
        given.add("--line-spacing", lineSpacing != nil)
        given.add("--content-inset", contentInset != nil)
        given.add("--cell-padding", cellPadding != nil)
        given.add("--display-scale", displayScale != nil)
        given.add("--caption-extent", captionExtent != nil)
        given.add("--badge-size", badgeSize != nil)
        given.add("--scroll-direction", scrollDirection != nil)
        given.add("--layout-direction", layoutDirection != nil)
        for name in sections.given { given.add(name, true) }
        return given.names
    }
}
