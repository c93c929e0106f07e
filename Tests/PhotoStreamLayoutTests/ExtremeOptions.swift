import PhotoStreamLayout
import PhotoStreamTestSupport

/// One option at one of the ends of its range.
struct ExtremeOption: CustomStringConvertible, Sendable {
    /// The option; two settings of one option make no pair.
    let name: String
    let value: String
    let apply: @Sendable (inout LayoutConfiguration) -> Void

    var description: String { "\(name) \(value)" }

    private init(_ name: String, _ value: String, _ apply: @escaping @Sendable (inout LayoutConfiguration) -> Void) {
        (self.name, self.value, self.apply) = (name, value, apply)
    }

    /// The ends of what every algorithm reads.
    static let shared: [ExtremeOption] =
        lengths("container", [1, 2, 513.3, 100_000]) { $0.containerLength = $1 }
        + lengths("scale", [0.5, 1.5, 8]) { $0.displayScale = $1 }
        + lengths("interitem spacing", [0, 10_000]) { $0.interitemSpacing = $1 }
        + lengths("line spacing", [0, 10_000]) { $0.lineSpacing = $1 }
        + lengths("caption", [1, 10_000]) { $0.captionExtent = $1 }
        + lengths("content inset", [0.5, 10_000]) {
            $0.contentInset = EdgeInsets(top: $1, left: $1, bottom: $1, right: $1)
        }
        + lengths("section inset", [0.5, 10_000]) {
            $0.sections.inset = EdgeInsets(top: $1, left: $1, bottom: $1, right: $1)
        }
        + lengths("header", [1, 10_000]) {
            ($0.sections.headerReferenceSize, $0.sections.headersPinToVisibleBounds) = ($1, true)
        }
        + lengths("footer", [1, 10_000]) {
            ($0.sections.footerReferenceSize, $0.sections.footersPinToVisibleBounds) = ($1, true)
        }
        + lengths("separator", [1, 10_000]) { $0.sections.separatorThickness = $1 }
        + lengths("badge", [1, 10_000]) { $0.badgeSize = Size(width: $1, height: 10_001 - $1) }
        + [
            ExtremeOption("background", "on") { $0.sections.hasBackground = true },
            ExtremeOption("sections", "day") { $0.sections.sectioning = .day },
            ExtremeOption("scroll", "horizontal") { $0.scrollDirection = .horizontal },
            ExtremeOption("direction", "right-to-left") { $0.layoutDirection = .rightToLeft },
        ]

    /// The ends of what only an algorithm reads.
    static func own(_ algorithm: String) -> [ExtremeOption] {
        switch algorithm {
        case "masonry": masonry
        case "flow": flow
        case "justified": justified
        case "grid": grid
        default: map
        }
    }

    /// The algorithms, as ``own(_:)`` takes them.
    static let algorithms = ["masonry", "flow", "justified", "grid", "map"]

    /// An algorithm without anything set.
    static func plain(_ algorithm: String) -> LayoutConfiguration.Algorithm {
        switch algorithm {
        case "masonry": .masonry(MasonryParameters())
        case "flow": .flow(FlowParameters())
        case "justified": .justified(JustifiedParameters())
        case "grid": .grid(GridParameters())
        default: .map(MapParameters(zoom: 1, itemSize: Size(width: 50, height: 50)))
        }
    }

    private static let columns: [(String, ColumnCount)] = [
        ("1", .count(1)), ("128", .count(128)), ("at least 1", .minimumWidth(1)),
        ("at least 100,000", .minimumWidth(100_000)),
    ]

    private static let masonry: [ExtremeOption] =
        columns.map { name, count in ExtremeOption("columns", name) { $0.masonry { $0.columns = count } } }
        + lengths("tolerance", [0.5, 10_000]) { configuration, value in
            configuration.masonry { $0.orderTolerance = value }
        }
        + lengths("span", [0.001, 1_000]) { configuration, value in
            configuration.masonry { $0.spanWiderThan = value }
        }
        + [
            ExtremeOption("anchor", "end") { $0.masonry { $0.anchor = .end } },
            ExtremeOption("choice", "in turn") { $0.masonry { $0.columnChoice = .roundRobin } },
        ]

    private static let flow: [ExtremeOption] =
        sizes.map { width, height in
            ExtremeOption("item", "\(width) × \(height)") {
                $0.algorithm = .flow(FlowParameters(itemSize: .uniform(Size(width: width, height: height))))
            }
        }
        + lengths("item", [1, 10_000]) { $0.algorithm = .flow(FlowParameters(itemSize: .height($1))) }
        + [ExtremeOption("item", "own") { $0.algorithm = .flow(FlowParameters(itemSize: .own)) }]

    private static let justified: [ExtremeOption] =
        lengths("target", [1, 1.3, 10_000]) { configuration, value in
            configuration.justified { $0.targetLineHeight = value }
        }
        + lengths("tolerance", [0, 1]) { configuration, value in configuration.justified { $0.tolerance = value } }
        + [
            ExtremeOption("minimum", "1") { $0.justified { $0.minimumLineHeight = 1 } },
            ExtremeOption("minimum", "the target") { $0.justified { $0.minimumLineHeight = $0.targetLineHeight } },
            ExtremeOption("maximum", "10,000") { $0.justified { $0.maximumLineHeight = 10_000 } },
            ExtremeOption("maximum", "the target") { $0.justified { $0.maximumLineHeight = $0.targetLineHeight } },
            ExtremeOption("widows", "justify") { $0.justified { $0.widows = .justify } },
            ExtremeOption("widows", "hide") { $0.justified { $0.widows = .hide } },
            ExtremeOption("breaks", "optimal") { $0.justified { $0.breaks = .optimal } },
        ]
        + [1, 2, 1_000_000].map { count in
            ExtremeOption("breakout", "\(count)") { $0.justified { $0.breakoutEvery = count } }
        }

    private static let grid: [ExtremeOption] =
        columns.map { name, count in ExtremeOption("columns", name) { $0.grid { $0.columns = count } } }
        + lengths("ratio", [0.001, 1_000]) { configuration, value in configuration.grid { $0.aspectRatio = value } }

    private static let map: [ExtremeOption] =
        [0, 20].map { zoom in ExtremeOption("zoom", "\(zoom)") { $0.map { $0.zoom = zoom } } }
        + sizes.map { width, height in
            ExtremeOption("item", "\(width) × \(height)") {
                $0.map { $0.itemSize = Size(width: width, height: height) }
            }
        }

    private static let sizes: [(Double, Double)] = [
        (1, 1), (1, 50), (50, 1), (1, 10_000), (10_000, 1), (10_000, 10_000),
    ]

    private static func lengths(
        _ name: String, _ values: [Double], _ apply: @escaping @Sendable (inout LayoutConfiguration, Double) -> Void
    ) -> [ExtremeOption] {
        values.map { value in ExtremeOption(name, "\(value)") { apply(&$0, value) } }
    }
}

extension LayoutConfiguration {
    fileprivate mutating func masonry(_ change: (inout MasonryParameters) -> Void) {
        guard case .masonry(var parameters) = algorithm else { return }
        change(&parameters)
        algorithm = .masonry(parameters)
    }

    fileprivate mutating func justified(_ change: (inout JustifiedParameters) -> Void) {
        guard case .justified(var parameters) = algorithm else { return }
        change(&parameters)
        algorithm = .justified(parameters)
    }

    fileprivate mutating func grid(_ change: (inout GridParameters) -> Void) {
        guard case .grid(var parameters) = algorithm else { return }
        change(&parameters)
        algorithm = .grid(parameters)
    }

    fileprivate mutating func map(_ change: (inout MapParameters) -> Void) {
        guard case .map(var parameters) = algorithm else { return }
        change(&parameters)
        algorithm = .map(parameters)
    }
}
