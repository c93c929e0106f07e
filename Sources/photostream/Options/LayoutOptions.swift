import ArgumentParser
import PhotoStreamLayout

/// How a stream is to be laid out: options in points, or the layout key that an earlier answer gave.
struct LayoutOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The width to fill, in points, insets included.", valueName: "w"))
    var width: Double?

    @Option(help: "The layout. (default: masonry)")
    var algorithm: LayoutAlgorithm?

    @Option(parsing: .unconditional, help: ArgumentHelp("How many columns, 1 to 128. (default: 4)", valueName: "n"))
    var columns: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Instead of --columns: as many as fit at this width or more.", valueName: "w"))
    var minimumColumnWidth: Double?

    @Option(help: "The column that takes the next photo. (default: shortest)")
    var columnChoice: MasonryParameters.ColumnChoice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The space between columns, in points. (default: 0)", valueName: "s"))
    var interitemSpacing: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The space between photos of a column, in points. (default: 0)", valueName: "s"))
    var lineSpacing: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The margin around all photos, in points. (default: 0,0,0,0)", valueName: "t,l,b,r"))
    var contentInset: EdgeInsets?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Device pixels in a point, 0.5 to 8. (default: 1)", valueName: "k"))
    var displayScale: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The height of a photo's caption, in points. (default: 0)", valueName: "e"))
    var captionExtent: Double?

    @Option(
        help: ArgumentHelp("Instead of all layout options: the layout key of an earlier answer.", valueName: "key"),
        transform: LayoutKey.init(parsing:))
    var layoutKey: LayoutKey?

    func validate() throws {
        guard layoutKey == nil || givenOptions.isEmpty else {
            let given = givenOptions.joined(separator: ", ")
            throw ValidationError("--layout-key stands for all layout options, so \(given) cannot be given with it")
        }
        guard columns == nil || minimumColumnWidth == nil else {
            throw ValidationError("--columns and --minimum-column-width exclude each other")
        }
        if let first = givenOptions.first, width == nil {
            throw ValidationError("\(first) is given without --width")
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
        return try width.map { width throws(LayoutError) in
            try LayoutKey(
                LayoutConfiguration(
                    containerWidth: width, displayScale: displayScale ?? 1, contentInset: contentInset ?? .zero,
                    algorithm: .masonry(masonry)))
        }
    }

    /// The layout that the options describe.
    ///
    /// - Throws: A usage error where none is given.
    func requiredKey() throws -> LayoutKey {
        guard let key = try key() else { throw ValidationError("--width or --layout-key is missing") }
        return key
    }

    private var masonry: MasonryParameters {
        MasonryParameters(
            columns: minimumColumnWidth.map { .minimumWidth($0) } ?? .count(columns ?? 4),
            columnChoice: columnChoice ?? .shortest,
            interitemSpacing: interitemSpacing ?? 0,
            lineSpacing: lineSpacing ?? 0,
            captionExtent: captionExtent ?? 0)
    }

    /// The names of the options that were given beside a layout key.
    private var givenOptions: [String] {
        let options: [(name: String, isGiven: Bool)] = [
            ("--width", width != nil), ("--algorithm", algorithm != nil), ("--columns", columns != nil),
            ("--minimum-column-width", minimumColumnWidth != nil), ("--column-choice", columnChoice != nil),
            ("--interitem-spacing", interitemSpacing != nil), ("--line-spacing", lineSpacing != nil),
            ("--content-inset", contentInset != nil), ("--display-scale", displayScale != nil),
            ("--caption-extent", captionExtent != nil),
        ]
        return options.filter(\.isGiven).map(\.name)
    }
}
