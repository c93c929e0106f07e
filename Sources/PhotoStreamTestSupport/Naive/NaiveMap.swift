package import PhotoStreamLayout
import PhotoStreamModel

/// A naive map, written from the specification alone: one photo after the other.
///
/// The world is a square at the leading edge of the container; photos without a position are in a flow section below.
package struct NaiveMap {
    /// The frame of every item, in stream order.
    package private(set) var frames: [PixelRect] = []
    /// The index path of every item, in stream order.
    package private(set) var paths: [IndexPath] = []
    /// The two sections.
    package private(set) var sections: [NaiveSection] = []
    /// The size of the content, including insets.
    package let contentSize: PixelExtent

    /// Lays out items.
    ///
    /// - Parameters:
    ///   - configuration: A valid configuration of a map.
    ///   - parameters: Its parameters.
    ///   - items: The items in stream order.
    init(_ configuration: LayoutConfiguration, parameters: MapParameters, items: [ItemMetrics]) {
        var plain = configuration
        plain.captionExtent = 0
        let measures = NaiveMeasures(plain)
        var side = 256 * configuration.displayScale
        for _ in 0..<parameters.zoom { side *= 2 }
        let world = NaiveNumbers.roundedHalfUp(side)
        let item = PixelExtent(
            width: measures.pixels(parameters.itemSize.width), height: measures.pixels(parameters.itemSize.height))
        let around =
            measures.contentInset.leading + measures.contentInset.trailing + measures.sectionInset.leading
            + measures.sectionInset.trailing
        let width = max(measures.container, world + item.width + around)
        func rect(x: Int64, y: Int64) -> PixelRect {
            PixelRect(x: x, y: y, width: item.width, height: item.height)
        }
        // The top-left corner of the square of all possible top-left corners of items.
        let left = measures.isMirrored ? width - measures.leading - item.width - world : measures.leading
        let top = measures.contentInset.before + measures.header + measures.sectionInset.before
        let middle = top + world + item.height + measures.sectionInset.after + measures.footer
        let rest = items.filter { $0.position == nil }
        let block = NaiveFlow(
            measures: measures, parameters: FlowParameters(itemSize: .uniform(parameters.itemSize))
        ).place(rest)
        let restTop = middle + measures.header + measures.sectionInset.before
        var cells = block.frames.compactMap { $0 }.map { cell in
            rect(
                x: measures.isMirrored ? width - cell.across - cell.acrossExtent : cell.across, y: restTop + cell.along)
        }[...]
        var locatedCount = 0
        for position in items.map(\.position) {
            if let position {
                let x = UInt128(position.x) * UInt128(world) / (1 << 32)
                let y = UInt128(position.y) * UInt128(world) / (1 << 32)
                frames.append(rect(x: left + Int64(x), y: top + Int64(y)))
                paths.append(IndexPath(section: 0, item: locatedCount))
                locatedCount += 1
            } else {
                paths.append(IndexPath(section: 1, item: rest.count - cells.count))
                frames.append(cells.removeFirst())
            }
        }
        let end = restTop + block.end + measures.sectionInset.after + measures.footer
        sections = [
            NaiveSection(items: 0..<locatedCount, origin: measures.contentInset.before, end: middle),
            NaiveSection(items: locatedCount..<items.count, origin: middle, end: end),
        ]
        contentSize = PixelExtent(width: width, height: end + measures.contentInset.after)
    }
}
