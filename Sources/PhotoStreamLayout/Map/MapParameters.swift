/// The options of a map layout, in points.
public struct MapParameters: Hashable, Sendable {
    /// The size of the world: its side has `256 × 2^zoom` points; 0 to 20.
    public var zoom: Int
    /// The size of every item, each side 1 to 10,000 points.
    public var itemSize: Size
    /// The side of the cells whose photos are one cluster, 64 to 512 points; `nil` to place each photo.
    public var cluster: Double?

    /// Creates parameters.
    public init(zoom: Int = 2, itemSize: Size = Size(width: 44, height: 44), cluster: Double? = nil) {
        self.zoom = zoom
        self.itemSize = itemSize
        self.cluster = cluster
    }
}

extension LayoutKey {
    /// A map's parameters.
    public struct Map: Hashable, Sendable {
        /// The size of the world: its side has `256 × 2^zoom` points.
        public let zoom: Int
        /// The size of every item in device pixels, at most that of a cell.
        public let itemSize: PixelExtent
        /// The side of the cells whose photos are one cluster, in device pixels; `nil` without clusters.
        public let cluster: Int64?
    }
}

extension LayoutKey.Map {
    init(_ parameters: MapParameters, scale: DisplayScale) throws(LayoutError) {
        zoom = try LayoutRange.zoom.checked(parameters.zoom, option: "zoom")
        let size = try scale.pixels(ofItem: parameters.itemSize)
        cluster = try parameters.cluster.map { side throws(LayoutError) in
            try scale.pixels("cluster", points: side, in: LayoutRange.cluster)
        }
        let longest = cluster ?? .max
        itemSize = PixelExtent(width: min(size.width, longest), height: min(size.height, longest))
    }
}

extension LayoutKey.Map: AlgorithmParameters {
    static let name = "map"

    var showsCaptions: Bool { false }
    // The clusters of a map are in cells, and nothing is in lines.
    var hasSpacing: Bool { cluster == nil }

    var fields: [String] {
        ["zoom=\(zoom)", "item=\(itemSize.width):\(itemSize.height)"] + (cluster.map { ["cluster=\($0)"] } ?? [])
    }

    init(_ fields: inout LayoutKeyFields) throws(LayoutError) {
        let zoom = try fields.number("zoom")
        guard LayoutRange.zoom.contains(Int(zoom)) else { throw .invalidKey(fields.text) }
        let size = try fields.numbers("item", count: 2)
        let cluster = fields.has("cluster") ? try fields.number("cluster") : nil
        self.init(zoom: Int(zoom), itemSize: PixelExtent(width: size[0], height: size[1]), cluster: cluster)
    }

    func check(_ key: LayoutKey) throws(LayoutError) {
        guard key.scrollDirection == .vertical
        else { throw .unsupported(option: "horizontal scrolling", by: Self.name) }
        guard key.sections.sectioning == .none
        else { throw .unsupported(option: "sectioning by dates", by: Self.name) }
        guard let cluster else { return }
        let scale = key.displayScale
        guard
            (scale.pixels(LayoutRange.cluster.lowerBound)...scale.pixels(LayoutRange.cluster.upperBound))
                .contains(cluster)
        else { throw .outOfRange(option: "cluster", value: scale.points(cluster), allowed: LayoutRange.cluster) }
        let sections = key.sections
        for (option, isGiven) in [
            ("section headers", sections.headerExtent > 0), ("section footers", sections.footerExtent > 0),
            ("section backgrounds", sections.hasBackground),
        ] where isGiven { throw .unsupported(option: option + " with clusters", by: Self.name) }
    }

    func isWithin(longest: Int64, container: Int64) -> Bool {
        let longest = min(longest, cluster ?? longest)
        return LayoutRange.zoom.contains(zoom) && (1...longest).contains(itemSize.width)
            && (1...longest).contains(itemSize.height)
    }

    func contentLength(at scale: DisplayScale) -> Int64? { grid(scale)?.extent ?? worldExtent(scale) + itemSize.width }

    func layoutAlgorithm(of key: LayoutKey) -> any LayoutAlgorithm { MapAlgorithm(key, map: self) }
}
