extension LayoutKey.Algorithm {
    /// What texts of keys may begin with that can be read: those of layouts that are ours.
    static let names: Set<Substring> = ["masonry", "flow", "justified", "grid", "map"]

    /// The algorithm's name, as options and keys spell it.
    public var name: String {
        switch self {
        case .masonry: "masonry"
        case .flow: "flow"
        case .justified: "justified"
        case .grid: "grid"
        case .map: "map"
        case .custom: "custom"
        }
    }

    /// The fields of a key's text that only this algorithm has.
    var fields: [String] {
        switch self {
        case .masonry(let masonry):
            ["columns=\(masonry.columnCount)", "choice=\(masonry.columnChoice.rawValue)"]
                + (masonry.orderTolerance == 0 ? [] : ["tolerance=\(masonry.orderTolerance)"])
                + (masonry.spanRatio == 0 ? [] : ["span=\(masonry.spanRatio)"])
                + (masonry.anchor == .start ? [] : ["anchor=\(masonry.anchor.rawValue)"])
        case .flow(.uniform(let size)): ["item=\(size.width):\(size.height)"]
        case .flow(.height(let height)): ["item-height=\(height)"]
        case .flow(.own): ["item=own"]
        case .justified(let justified):
            [
                "target=\(justified.targetLineHeight)", "tolerance=\(justified.tolerance)",
                "minimum=\(justified.minimumLineHeight)", "maximum=\(justified.maximumLineHeight)",
                "widows=\(justified.widows.rawValue)", "breakout=\(justified.breakoutEvery)",
            ] + (justified.breaks == .greedy ? [] : ["breaks=\(justified.breaks.rawValue)"])
        case .grid(let grid): ["columns=\(grid.columnCount)", "cell=\(grid.cellExtent)"]
        case .map(let map): ["zoom=\(map.zoom)", "item=\(map.itemSize.width):\(map.itemSize.height)"]
        case .custom(let layout): ["name=\(layout.base.name)"]
        }
    }

    /// Reads the fields that only an algorithm has.
    ///
    /// - Throws: ``LayoutError/invalidKey(_:)``.
    init(_ name: String, _ fields: inout LayoutKeyFields) throws(LayoutError) {
        switch name {
        case "masonry":
            self = .masonry(
                LayoutKey.Masonry(
                    columnCount: try fields.columnCount(), columnChoice: try fields.choice("choice"),
                    orderTolerance: fields.has("tolerance") ? try fields.number("tolerance") : 0,
                    spanRatio: fields.has("span") ? try fields.number("span") : 0,
                    anchor: try fields.choice("anchor", or: .start)))
        case "flow": self = .flow(try LayoutKey.Flow(&fields))
        case "justified": self = .justified(try LayoutKey.Justified(&fields))
        case "map": self = .map(try LayoutKey.Map(&fields))
        default:
            self = .grid(LayoutKey.Grid(columnCount: try fields.columnCount(), cellExtent: try fields.number("cell")))
        }
    }

    /// Whether every number could have come from a configuration.
    ///
    /// - Parameters:
    ///   - longest: The greatest length but the container's, in device pixels.
    ///   - container: The container's length.
    /// - Returns: Whether all are within their ranges.
    func isWithin(_ longest: Int64, container: Int64) -> Bool {
        switch self {
        case .masonry(let masonry):
            masonry.isCanonical && (0...longest).contains(masonry.orderTolerance)
                && (masonry.spanRatio == 0 || (1_000...1_000_000_000).contains(masonry.spanRatio))
        case .flow(.own), .custom: true
        case .flow(.uniform(let size)): (1...longest).contains(size.width) && (1...longest).contains(size.height)
        case .flow(.height(let height)): (1...longest).contains(height)
        case .justified(let parameters):
            parameters.minimumLineHeight >= 1 && parameters.minimumLineHeight <= parameters.targetLineHeight
                && parameters.targetLineHeight <= parameters.maximumLineHeight
                && parameters.maximumLineHeight <= 2 * longest && parameters.targetLineHeight <= longest
                && parameters.tolerance <= 1_000_000 && parameters.breakoutEvery <= 1_000_000
        case .map(let map):
            LayoutKey.Map.zooms.contains(map.zoom) && (1...longest).contains(map.itemSize.width)
                && (1...longest).contains(map.itemSize.height)
        case .grid(let grid): (1...1_000 * container).contains(grid.cellExtent)
        }
    }
}

extension LayoutKey.Masonry {
    /// Whether nothing is there that changes nothing.
    fileprivate var isCanonical: Bool {
        (columnCount > 1 || spanRatio == 0 && orderTolerance == 0 && anchor == .start)
            && (columnChoice == .shortest || orderTolerance == 0)
    }
}

extension LayoutKey.Flow {
    fileprivate init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
        if fields.has("item-height") {
            self = .height(try fields.number("item-height"))
        } else if fields.isNext("item=own") {
            _ = try fields.value("item")
            self = .own
        } else {
            let numbers = try fields.numbers("item", count: 2)
            self = .uniform(PixelExtent(width: numbers[0], height: numbers[1]))
        }
    }
}

extension LayoutKey.Map {
    /// The zooms that there are.
    static let zooms = 0...20

    fileprivate init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
        let zoom = try fields.number("zoom")
        guard Self.zooms.contains(Int(zoom)) else { throw .invalidKey(fields.text) }
        let size = try fields.numbers("item", count: 2)
        self.init(zoom: Int(zoom), itemSize: PixelExtent(width: size[0], height: size[1]))
    }
}

extension LayoutKey.Justified {
    fileprivate init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
        targetLineHeight = try fields.number("target")
        tolerance = try fields.number("tolerance")
        minimumLineHeight = try fields.number("minimum")
        maximumLineHeight = try fields.number("maximum")
        widows = try fields.choice("widows")
        breakoutEvery = Int(try fields.number("breakout"))
        breaks = try fields.choice("breaks", or: .greedy)
    }
}

extension LayoutKeyFields {
    fileprivate mutating func columnCount() throws(LayoutError) -> Int {
        let count = try number("columns")
        guard (1...128).contains(count) else { throw .invalidKey(text) }
        return Int(count)
    }
}
