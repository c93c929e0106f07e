/// The options of a flow layout, in points.
public struct FlowParameters: Hashable, Sendable {
    /// The size of items, without captions.
    public enum ItemSize: Hashable, Sendable {
        /// One size for all; each side 1 to 10,000 points.
        case uniform(Size)
        /// One height for all, 1 to 10,000 points; widths follow from the aspect ratios.
        case height(Double)
        /// The size in the item's metrics, one point for each pixel of the picture.
        case own
    }

    /// The rule for the sizes of items.
    public var itemSize: ItemSize

    /// Creates parameters.
    public init(itemSize: ItemSize = .uniform(Size(width: 50, height: 50))) {
        self.itemSize = itemSize
    }
}

extension LayoutKey {
    /// A flow's parameters in device pixels.
    public enum Flow: Hashable, Sendable {
        /// One size for all.
        case uniform(PixelExtent)
        /// One height for all; widths follow from the aspect ratios.
        case height(Int64)
        /// The size in the item's metrics, one point for each pixel of the picture.
        case own
    }
}

extension LayoutKey.Flow {
    init(_ parameters: FlowParameters, scale: DisplayScale) throws(LayoutError) {
        switch parameters.itemSize {
        case .uniform(let size):
            self = .uniform(try scale.pixels(ofItem: size))
        case .height(let height):
            self = .height(max(1, try scale.pixels("item height", points: height, in: LayoutRange.itemLength)))
        case .own: self = .own
        }
    }
}

extension LayoutKey.Flow: AlgorithmParameters {
    static let name = "flow"

    var fields: [String] {
        switch self {
        case .uniform(let size): ["item=\(size.width):\(size.height)"]
        case .height(let height): ["item-height=\(height)"]
        case .own: ["item=own"]
        }
    }

    init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
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

    func isWithin(longest: Int64, container: Int64) -> Bool {
        switch self {
        case .own: true
        case .uniform(let size): (1...longest).contains(size.width) && (1...longest).contains(size.height)
        case .height(let height): (1...longest).contains(height)
        }
    }

    func layoutAlgorithm(of key: LayoutKey) -> any LayoutAlgorithm {
        // With captions, lines differ in thickness; without them, items of one size need no fold.
        if case .uniform(let size) = self, key.captionExtent == 0 { return UniformCells(key, itemSize: size) }
        return FlowAlgorithm(key, flow: self)
    }
}
