import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Laws of every layout, independent of any reference, checked pair by pair.
@Suite struct LayoutLawTests {
    // Photos on a map overlap: see MapTests.
    @Test(arguments: LayoutFamily.runs, SampleAxes.all)
    func `items keep their spacing, their bounds and their order`(family: LayoutFamily, axes: SampleAxes) throws {
        for scale in LayoutConfiguration.displayScales {
            for seed in UInt64(0)..<4 {
                var random = SplitMix64(seed: seed &* 7 &+ UInt64(scale * 10))
                let configuration = LayoutConfiguration.sample(family, axes, scale: scale, using: &random)
                let count = random.int(in: 0...70)
                let items = SampleMetrics.dated(SampleMetrics.mixed(count, using: &random), using: &random)
                let key = try LayoutKey(configuration)
                let laid = LaidItems(LayoutSnapshot(key, items: items))
                #expect(laid.firstCrowdedPair == nil, "seed \(seed), \(key)")
                #expect(laid.firstOutside == nil, "seed \(seed), \(key)")
                #expect(laid.firstOutOfOrder == nil, "seed \(seed), \(key)")
            }
        }
    }

    @Test(arguments: SampleAxes.all, [JustifiedParameters.Breaks.greedy, .optimal])
    func `a justified line that is not the last fills the width to the pixel`(
        axes: SampleAxes, breaks: JustifiedParameters.Breaks
    ) throws {
        for seed in UInt64(0)..<30 {
            var random = SplitMix64(seed: seed)
            let family: LayoutFamily = breaks == .greedy ? .justified : .optimal
            var configuration = LayoutConfiguration.sample(family, axes, using: &random)
            configuration.sections.sectioning = .none
            let items = SampleMetrics.mixed(120, using: &random)
            let laid = LaidItems(LayoutSnapshot(try LayoutKey(configuration), items: items))
            for line in laid.lines.dropLast() {
                #expect(line.first?.across.lowerBound == laid.room.lowerBound, "seed \(seed)")
                #expect(line.last?.across.upperBound == laid.room.upperBound, "seed \(seed)")
            }
        }
    }
}

/// The shown items of a layout along and across its scroll axis, in reading order.
private struct LaidItems {
    struct Item {
        let index: Int
        let section: Int
        let along: Range<Int64>
        let across: Range<Int64>
    }

    let items: [Item]
    /// The room that items may fill across the scroll axis.
    let room: Range<Int64>
    private let key: LayoutKey
    /// The areas that items may fill along the scroll axis, section by section.
    private let areas: [Range<Int64>]

    init(_ snapshot: LayoutSnapshot) {
        key = snapshot.directory.engine.key
        let isHorizontal = key.scrollDirection == .horizontal
        let isMirrored = key.layoutDirection == .rightToLeft
        let size = snapshot.directory.contentSize
        items = (0..<snapshot.itemCount).compactMap { index in
            guard let item = snapshot.attributes(forItemAt: index), !item.isHidden else { return nil }
            var frame = item.frame
            if isMirrored { frame.x = size.width - frame.maxX }
            return Item(
                index: index, section: item.indexPath.section,
                along: isHorizontal ? frame.x..<frame.maxX : frame.y..<frame.maxY,
                across: isHorizontal ? frame.y..<frame.maxY : frame.x..<frame.maxX)
        }
        let (content, section) = (key.contentInset, key.sections.inset)
        room =
            isHorizontal
            ? content.top + section.top..<size.height - content.bottom - section.bottom
            : content.left + section.left..<size.width - content.right - section.right
        let (before, after) = isHorizontal ? (section.left, section.right) : (section.top, section.bottom)
        let (header, footer) = (key.sections.headerExtent, key.sections.footerExtent)
        areas = snapshot.directory.sections.map { $0.origin + header + before..<$0.end - footer - after }
    }

    private static func gap(_ one: Range<Int64>, _ other: Range<Int64>) -> Int64 {
        max(other.lowerBound - one.upperBound, one.lowerBound - other.upperBound)
    }

    /// Two items of a section that are nearer to each other than both spacings allow, or overlap out of their sections.
    var firstCrowdedPair: String? {
        for (position, one) in items.enumerated() {
            for other in items[(position + 1)...] {
                let (along, across) = (Self.gap(one.along, other.along), Self.gap(one.across, other.across))
                let isApart =
                    one.section == other.section
                    ? along >= key.lineSpacing || across >= key.interitemSpacing : along >= 0
                if !isApart { return "\(one) and \(other)" }
            }
        }
        return nil
    }

    /// An item outside its section or the space across, except one of a flow that is wider than its line.
    var firstOutside: String? {
        items.first { item in
            let area = areas[item.section]
            let mayBeWider = if case .flow = key.algorithm { item.across.count > room.count } else { false }
            return item.along.lowerBound < area.lowerBound || item.along.upperBound > area.upperBound
                || !mayBeWider && (item.across.lowerBound < room.lowerBound || item.across.upperBound > room.upperBound)
        }.map { "\($0) of \(room) and \(areas[$0.section])" }
    }

    /// An item of a later section above one of an earlier; in lines, also an item that precedes an earlier one.
    var firstOutOfOrder: String? {
        zip(items, items.dropFirst()).first { one, next in
            if one.section != next.section { return next.along.lowerBound < one.along.lowerBound }
            guard key.algorithm.hasLines else { return false }
            let isSameLine = Self.gap(one.along, next.along) < 0
            return isSameLine
                ? next.across.lowerBound < one.across.upperBound : next.along.lowerBound < one.along.upperBound
        }.map { "\($0.0) and \($0.1)" }
    }

    /// Items that lie next to each other, line by line.
    var lines: [[Item]] {
        items.reduce(into: [[Item]]()) { lines, item in
            if let last = lines.last?.first, Self.gap(last.along, item.along) < 0 {
                lines[lines.count - 1].append(item)
            } else {
                lines.append([item])
            }
        }
    }
}
