/// The options of a map layout, in points.
public struct MapParameters: Hashable, Sendable {
    /// The size of the world: its side has `256 × 2^zoom` points; 0 to 20.
    public var zoom: Int
    /// The size of every item, each side 1 to 10,000 points.
    public var itemSize: Size

    /// Creates parameters.
    public init(zoom: Int = 2, itemSize: Size = Size(width: 44, height: 44)) {
        self.zoom = zoom
        self.itemSize = itemSize
    }
}

extension LayoutKey {
    /// A map's parameters.
    public struct Map: Hashable, Sendable {
        /// The size of the world: its side has `256 × 2^zoom` points.
        public let zoom: Int
        /// The size of every item in device pixels.
        public let itemSize: PixelExtent
    }
}

extension LayoutKey.Map {
    init(_ parameters: MapParameters, scale: DisplayScale) throws(LayoutError) {
        zoom = try LayoutRange.zoom.checked(parameters.zoom, option: "zoom")
        itemSize = try scale.pixels(ofItem: parameters.itemSize)
    }
}

extension LayoutKey.Map: AlgorithmParameters {
    static let name = "map"

    var showsCaptions: Bool { false }

    var fields: [String] { ["zoom=\(zoom)", "item=\(itemSize.width):\(itemSize.height)"] }

    init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
        let zoom = try fields.number("zoom")
        guard LayoutRange.zoom.contains(Int(zoom)) else { throw .invalidKey(fields.text) }
        let size = try fields.numbers("item", count: 2)
        self.init(zoom: Int(zoom), itemSize: PixelExtent(width: size[0], height: size[1]))
    }

    func check(_ key: LayoutKey) throws(LayoutError) {
        guard key.scrollDirection == .vertical
        else { throw .unsupported(option: "horizontal scrolling", by: Self.name) }
        guard key.sections.sectioning == .none
        else { throw .unsupported(option: "sectioning by dates", by: Self.name) }
    }

    func isWithin(longest: Int64, container: Int64) -> Bool {
        LayoutRange.zoom.contains(zoom) && (1...longest).contains(itemSize.width)
            && (1...longest).contains(itemSize.height)
    }

    func contentLength(at scale: DisplayScale) -> Int64? { worldExtent(scale) + itemSize.width }

    func layoutAlgorithm(of key: LayoutKey) -> any LayoutAlgorithm { MapAlgorithm(key, map: self) }
}
