import PhotoStreamLayout
import PhotoStreamModel

extension LayoutBenchmark {
    /// Asks for screens of clusters around photos at every zoom, next to a grid in a hash table that looks at every
    /// position.
    func measureClusters(_ travels: Travels, count: Int) throws {
        let metrics = try Self.metrics(travels, count: count)
        let clock = ContinuousClock()
        for zoom in 0...20 {
            // As the gallery asks in a window of 1440×900 points: about 250 cells.
            let key = try LayoutKey(
                LayoutConfiguration(
                    containerLength: 1_440,
                    algorithm: .map(MapParameters(zoom: zoom, itemSize: Size(width: 56, height: 56), cluster: 72))))
            var snapshot: LayoutSnapshot?
            let making = clock.measure { snapshot = LayoutSnapshot(key, metrics: metrics) }.nanoseconds
            guard let snapshot, let world = key.worldFrame else { preconditionFailure("no map") }
            let screens = Self.screens(around: metrics, of: snapshot)
            var durations: [Duration] = []
            var (clusters, photos) = (0, 0)
            for screen in screens {
                durations.append(
                    clock.measure {
                        let answer = snapshot.attributes(in: screen)
                        clusters += answer.clusters.count
                        photos += answer.clusters.reduce(0) { $0 + $1.count }
                    })
            }
            // The peer takes long, so it gets a few of the screens.
            let few = screens.prefix(3)
            var (others, otherPhotos) = (0, 0)
            let peer =
                clock.measure {
                    for screen in few {
                        let found = Self.grid(of: metrics, side: 72, world: world, screen: screen)
                        others += found.count
                        otherPhotos += found.values.reduce(0) { $0 + $1.count }
                    }
                }.nanoseconds / Double(few.count)
            let same = few.map { snapshot.attributes(in: $0).clusters }
            precondition(
                others == same.reduce(0) { $0 + $1.count }
                    && otherPhotos == same.joined().reduce(0) { $0 + $1.count },
                "the clusters and the grid disagree")
            let ours = median(durations)
            print(
                cell(Double(zoom), places: 0, width: 6), cell(making / Double(count), places: 1, width: 12),
                cell(ours / 1e6, width: 10), cell((durations.max() ?? .zero).nanoseconds / 1e6, width: 10),
                cell(peer / 1e6, width: 10), cell(peer / ours, places: 0, width: 8),
                cell(Double(clusters) / Double(screens.count), places: 0, width: 9),
                cell(Double(photos) / Double(screens.count), places: 0, width: 10))
        }
    }

    private static func screens(around metrics: PackedMetrics, of snapshot: LayoutSnapshot) -> [PixelRect] {
        var generator = Generator(seed: 7)
        return (0..<60).compactMap { _ in
            let index = Int(Double(generator.next(1 << 24)) / 0x1p24 * Double(metrics.count))
            guard metrics[index].position != nil, let frame = snapshot.attributes(forItemAt: index)?.frame else {
                return nil
            }
            return PixelRect(x: frame.x - 720, y: frame.y - 450, width: 1_440, height: 900)
        }
    }

    /// A cluster of the peer.
    private struct Found {
        var count = 0
        var frame: PixelRect
    }

    /// Returns the clusters whose frames meet a screen, by looking at every position.
    private static func grid(
        of metrics: PackedMetrics, side: Int64, world: PixelRect, screen: PixelRect
    ) -> [Int64: Found] {
        var cells: [Int64: Found] = [:]
        let (columns, rows) = (
            (screen.x - 71) / side - 1...screen.maxX / side, (screen.y - 71) / side - 1...screen.maxY / side
        )
        for index in 0..<metrics.count {
            guard let position = metrics[index].position else { continue }
            let x = Int64((UInt64(position.x) * UInt64(world.width)) >> 32)
            let y = Int64((UInt64(position.y) * UInt64(world.height)) >> 32)
            let (column, row) = (x / side, y / side)
            guard columns.contains(column), rows.contains(row) else { continue }
            let frame = PixelRect(
                x: world.x + min(max(x - 28, column * side), column * side + side - 56),
                y: world.y + min(max(y - 28, row * side), row * side + side - 56), width: 56, height: 56)
            cells[row << 32 | column, default: Found(frame: frame)].count += 1
        }
        return cells.filter { $0.value.frame.intersects(screen) }
    }
}
