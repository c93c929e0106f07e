import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The clusters of maps equal those of a naive clustering, in every question.
@Suite struct ClusterLawTests {
    /// A map with clusters and its naive counterpart.
    private struct Pair {
        let snapshot: LayoutSnapshot
        let naive: NaiveClusters
        let items: [ItemMetrics]

        init(_ count: Int, using random: inout SplitMix64) throws {
            let parameters = SampleClusters.parameters(using: &random)
            let configuration = SampleClusters.configuration(parameters, using: &random)
            let key = try LayoutKey(configuration)
            items = SampleClusters.items(count, edgesOf: key, using: &random)
            snapshot = LayoutSnapshot(key, items: items)
            naive = NaiveClusters(configuration, parameters: parameters, items: items)
        }

        var key: LayoutKey { snapshot.directory.engine.key }

        var everything: PixelRect {
            let size = snapshot.directory.contentSize
            return PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        }
    }

    @Test(arguments: 0..<150) func `all clusters are those of the naive clustering`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let pair = try Pair(random.element(of: [0, 1, 2, 15, 16, 17, 40, 300, 2_500]), using: &random)
        let answer = pair.snapshot.attributes(in: pair.everything)
        #expect(pair.snapshot.directory.contentSize == pair.naive.contentSize)
        #expect(answer.next == nil && answer.attributes.allSatisfy { $0.elementKind == .item && !$0.isHidden })
        #expect(answer.attributes.map(\.index) == pair.naive.clusters.map { $0.photos[0] })
        #expect(answer.attributes.map(\.frame) == pair.naive.clusters.map(\.frame))
        #expect(answer.attributes.map(\.zIndex) == answer.attributes.map(\.index))
        #expect(answer.clusters.map(\.count) == pair.naive.clusters.map(\.photos.count))
        #expect(answer.clusters.map(\.box) == pair.naive.clusters.map(\.box))
        #expect(answer.clusters.reduce(0) { $0 + $1.count } + pair.naive.unlocated.count == pair.items.count)
        #expect(
            pair.snapshot.directory.sections.map(\.items.count) == [
                pair.items.count - pair.naive.unlocated.count, pair.naive.unlocated.count,
            ])
        let bounds = pair.naive.bounds.map {
            GeographicBounds(westX: $0.west, eastX: $0.east, minY: $0.north, maxY: $0.south)
        }
        #expect(pair.snapshot.directory.positions?.bounds == bounds)
    }

    @Test(arguments: 0..<150) func `a rectangle has the clusters that meet it, whatever is around it`(seed: Int) throws
    {
        var random = SplitMix64(seed: UInt64(seed) + 1_000)
        let pair = try Pair(random.int(in: 1...600), using: &random)
        for _ in 0..<20 {
            // Near a cluster, so that most rectangles are not empty even at the greatest zooms.
            let center = pair.naive.clusters.isEmpty ? pair.everything : random.element(of: pair.naive.clusters).frame
            let reach = random.element(of: [1, 100, 3_000, 1 << 20])
            let rect = PixelRect(
                x: center.x + Int64(random.int(in: -reach...reach)),
                y: center.y + Int64(random.int(in: -reach...reach)),
                width: Int64(random.int(in: 1...2 * reach)), height: Int64(random.int(in: 1...2 * reach)))
            let expected = pair.naive.clusters.filter { $0.frame.intersects(rect) }
            let answer = pair.snapshot.attributes(in: rect)
            #expect(answer.attributes.map(\.frame) == expected.map(\.frame))
            #expect(answer.clusters.map(\.count) == expected.map(\.photos.count))
            #expect(pair.snapshot.items(in: rect) == answer.attributes)
            var seen: [Int] = []
            pair.snapshot.forEachItem(in: rect) { index, frame in
                seen.append(index)
                return frame == expected[seen.count - 1].frame
            }
            #expect(seen == expected.map { $0.photos[0] })
            // In parts.
            var (parts, clusters, next) = (
                [LayoutAttributes](), [PositionSummary](), IndexPath?.some(IndexPath(section: 0, item: 0))
            )
            while let first = next {
                let part = pair.snapshot.attributes(in: rect, from: first, limit: random.int(in: 1...7))
                parts += part.attributes
                clusters += part.clusters
                next = part.next
            }
            #expect(parts == answer.attributes && clusters == answer.clusters)
        }
    }

    @Test(arguments: 0..<60) func `each photo has the frame of its cluster, and only the first is shown`(seed: Int)
        throws
    {
        var random = SplitMix64(seed: UInt64(seed) + 2_000)
        let pair = try Pair(random.int(in: 1...300), using: &random)
        for cluster in pair.naive.clusters {
            for photo in cluster.photos {
                let attributes = try #require(pair.snapshot.attributes(forItemAt: photo))
                #expect(attributes.frame == cluster.frame && attributes.index == photo)
                #expect(attributes.isHidden == (photo != cluster.photos[0]))
                #expect(pair.snapshot.frame(forItemAt: photo) == (attributes.isHidden ? nil : cluster.frame))
                #expect(pair.snapshot.indexPath(of: photo) == attributes.indexPath)
                #expect(pair.snapshot.index(of: attributes.indexPath) == photo)
                let found = try #require(pair.snapshot.cluster(ofItemAt: photo))
                #expect(found.face == cluster.photos[0] && found.positions.count == cluster.photos.count)
            }
            let corner = PixelPoint(x: cluster.frame.x, y: cluster.frame.y)
            #expect(try pair.snapshot.index(of: #require(pair.snapshot.indexPath(at: corner))) == cluster.photos[0])
        }
        for photo in pair.naive.unlocated {
            let attributes = try #require(pair.snapshot.attributes(forItemAt: photo))
            #expect(attributes.isHidden && attributes.frame.width == 0 && attributes.frame.height == 0)
            #expect(attributes.indexPath.section == 1 && pair.snapshot.cluster(ofItemAt: photo) == nil)
        }
        #expect(pair.snapshot.attributes(forItemAt: pair.items.count) == nil)
        #expect(pair.snapshot.cluster(ofItemAt: pair.items.count) == nil)
    }

    @Test(arguments: 0..<60) func `the photos of a cluster are listed in stream order, from any on`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed) + 3_000)
        let pair = try Pair(random.element(of: [1, 50, 900]), using: &random)
        let directory = pair.snapshot.directory
        for cluster in pair.naive.clusters {
            // Any pixel of the frame is in the cell.
            let photos = ClusterPhotos.at(
                PixelPoint(x: cluster.frame.maxX - 1, y: cluster.frame.y + cluster.frame.height / 2))
            let summary = directory.summary(of: photos)
            #expect(summary.count == cluster.photos.count && summary.box == cluster.box)
            let first = random.int(in: 0...pair.items.count)
            let limit = random.element(of: [1, 2, 10, 1_000])
            let listed = directory.attributes(of: photos, from: first, limit: limit)
            #expect(listed.map(\.index) == Array(cluster.photos.filter { $0 >= first }.prefix(limit)))
            #expect(listed == listed.compactMap { pair.snapshot.attributes(forItemAt: $0.index) })
        }
        let first = random.int(in: 0...pair.items.count)
        let listed = directory.attributes(of: .unlocated, from: first, limit: 100)
        #expect(listed.map(\.index) == Array(pair.naive.unlocated.filter { $0 >= first }.prefix(100)))
        #expect(listed == listed.compactMap { pair.snapshot.attributes(forItemAt: $0.index) })
        #expect(directory.summary(of: .unlocated).count == pair.naive.unlocated.count)
        let outside = ClusterPhotos.at(PixelPoint(x: -1, y: -1))
        #expect(
            directory.summary(of: outside).count == 0 && directory.attributes(of: outside, from: 0, limit: 9).isEmpty)
    }

    @Test(arguments: 0..<60) func `questions about places find the nearest cluster`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed) + 4_000)
        let pair = try Pair(random.int(in: 0...120), using: &random)
        let size = pair.snapshot.directory.contentSize
        for _ in 0..<20 {
            let point = PixelPoint(
                x: Int64(random.int(in: 0...Int(size.width - 1))), y: Int64(random.int(in: 0...Int(size.height - 1))))
            func distance(_ frame: PixelRect) -> UInt128 {
                let x = max(0, frame.x - point.x, point.x - frame.maxX + 1)
                let y = max(0, frame.y - point.y, point.y - frame.maxY + 1)
                return UInt128(x) * UInt128(x) + UInt128(y) * UInt128(y)
            }
            let least = pair.naive.clusters.map { distance($0.frame) }.min()
            let nearest = pair.naive.clusters.first { distance($0.frame) == least }
            let path = pair.snapshot.indexPath(nearestTo: point)
            #expect(path.flatMap { pair.snapshot.index(of: $0) } == nearest?.photos[0])
            let isInside = least == 0
            #expect((pair.snapshot.indexPath(at: point) != nil) == isInside)
            let inserted = pair.snapshot.insertionIndexPath(for: point)
            // Below the world is the section of the photos without a position.
            let isBelow = point.y >= pair.snapshot.directory.sections[1].origin
            if let path, !isBelow {
                #expect(inserted.section == 0 && [path.item, path.item + 1].contains(inserted.item))
            } else {
                #expect(inserted == IndexPath(section: isBelow ? 1 : 0, item: 0))
            }
        }
        for place in pair.snapshot.scrubberPlaces(12) {
            let rest = pair.naive.clusters.filter { $0.frame.maxY > place.offset }.map { $0.photos[0] }.min()
            #expect(place.index == rest ?? pair.items.count - 1)
        }
        let tops = pair.naive.clusters.map(\.frame.y)
        let offset = Int64(random.int(in: 0...Int(size.height)))
        let greatest = max(0, size.height - 500)
        let found = pair.snapshot.targetContentOffset(forProposed: offset, viewport: 500, snapping: .lineStarts)
        let proposed = min(offset, greatest)
        if pair.items.isEmpty {
            #expect(found == proposed)
        } else {
            let places = (tops + [0, greatest]).map { min(max($0, 0), greatest) }
            #expect(places.contains(found))
            #expect(places.allSatisfy { abs($0 - proposed) >= abs(found - proposed) })
        }
    }

    @Test(arguments: 0..<40) func `an index after edits equals a new one`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed) + 5_000)
        let key = try LayoutKey(
            SampleClusters.configuration(SampleClusters.parameters(using: &random), using: &random))
        // The chunks of the stream; each step changes a few.
        var chunks = (0..<random.int(in: 0...12)).map { _ in
            SampleClusters.items(random.int(in: 0...90), edgesOf: key, using: &random)
        }
        var index = PositionIndex.indexing(chunks.map { PackedMetrics($0) })
        for _ in 0..<8 {
            var starts = [0]
            for chunk in chunks { starts.append(starts[starts.count - 1] + chunk.count) }
            var next: [[ItemMetrics]] = []
            var builder = PositionIndexBuilder(locatedCount: 0, updating: index)
            for (position, chunk) in chunks.enumerated() {
                if random.oneIn(6) {
                    let more = SampleClusters.items(random.int(in: 0...90), edgesOf: key, using: &random)
                    next.append(more)
                    builder.append(PackedMetrics(more))
                }
                guard !random.oneIn(5) else { continue }
                next.append(chunk)
                builder.keep(starts[position]..<starts[position + 1])
            }
            chunks = next
            index = builder.index()
            #expect(index == PositionIndex.indexing(chunks.map { PackedMetrics($0) }))
        }
    }
}
