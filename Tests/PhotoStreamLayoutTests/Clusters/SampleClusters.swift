import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport

/// Maps with clusters, and photos at places that break them.
enum SampleClusters {
    /// Any map with clusters, of any zoom, size and scale.
    static func parameters(using random: inout SplitMix64) -> MapParameters {
        MapParameters(
            zoom: random.int(in: 0...20),
            itemSize: Size(
                width: Double(random.element(of: [1, 30, 44, 600])), height: Double(random.element(of: [1, 33, 52]))),
            cluster: random.element(of: [64, 72.4, 93, 128, 255, 256, 511.5, 512]))
    }

    static func configuration(_ parameters: MapParameters, using random: inout SplitMix64) -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: Double(random.element(of: [300, 390, 1440])),
            displayScale: random.element(of: [0.5, 1, 1.5, 2, 2.625, 3, 8]),
            layoutDirection: random.element(of: [.leftToRight, .rightToLeft]),
            contentInset: random.oneIn(2) ? .zero : EdgeInsets(top: 3, left: 4, bottom: 5, right: 6),
            interitemSpacing: 4,
            sections: SectionParameters(inset: EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)),
            algorithm: .map(parameters))
    }

    static func item(_ position: WorldPosition?) -> ItemMetrics {
        ItemMetrics(pixelSize: PixelSize(uncheckedWidth: 3, height: 2), position: position)
    }

    static func item(_ latitude: Double, _ longitude: Double) throws -> ItemMetrics {
        item(WorldPosition(Coordinate(uncheckedLatitude: latitude, longitude: longitude)))
    }

    /// Photos anywhere, in a town, at one place, at the edges of cells, or without a position.
    static func items(_ count: Int, edgesOf key: LayoutKey, using random: inout SplitMix64) -> [ItemMetrics] {
        let world = key.worldFrame?.width ?? 1
        let side = Int64(key.clusterSide ?? 1)
        let town = SampleMetrics.anyPlace(using: &random)
        let isCrowded = random.oneIn(3)
        return (0..<count).map { _ in
            switch random.int(in: 0...(isCrowded ? 3 : 9)) {
            case 0: return item(nil)
            case 1: return item(WorldPosition(town))
            case 2: return item(WorldPosition(near(town, using: &random)))
            case 3, 4:
                // The first coordinate of a cell, or the last of the one before it.
                func edge() -> UInt32 {
                    let pixel = side * Int64(random.int(in: 0...Int((world - 1) / side)))
                    let first = (UInt128(pixel) << 32 + UInt128(world) - 1) / UInt128(world)
                    return UInt32(max(0, Int64(first) - Int64(random.int(in: 0...1))))
                }
                let packed = UInt64(min(edge(), .max - 1)) << 32 | UInt64(edge())
                return item(WorldPosition(packed: packed))
            default: return item(WorldPosition(SampleMetrics.anyPlace(using: &random)))
            }
        }
    }

    private static func near(_ town: Coordinate, using random: inout SplitMix64) -> Coordinate {
        let range = random.element(of: [1_000.0, 1e6, 1e9])
        let (north, east) = (Double(random.int(in: -1_000...1_000)), Double(random.int(in: -1_000...1_000)))
        return Coordinate(
            uncheckedLatitude: min(max(town.latitude + north / range, -90), 90),
            longitude: min(max(town.longitude + east / range, -180), 180))
    }
}

extension LayoutKey {
    /// The side of a cell of a map with clusters, in device pixels.
    var clusterSide: Int64? { if case .map(let map) = algorithm { map.cluster } else { nil } }
}

extension LayoutConfiguration {
    /// The parameters of a map.
    var mapParameters: MapParameters {
        if case .map(let parameters) = algorithm { parameters } else { MapParameters() }
    }
}
