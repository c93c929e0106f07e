import PhotoStreamLayout
import PhotoStreamModel

/// The layouts that are measured: 1,200 points wide, spacing 10, target line height 235.
struct SampleLayouts {
    /// A layout with its name in the tables.
    typealias Named = (name: String, key: LayoutKey)

    /// Four, eight and 32 columns by shortest column, four by round robin.
    let masonries: [LayoutKey]
    /// The others.
    let others: [Named]
    /// Those that are asked questions.
    let queried: [Named]

    init() throws {
        func key(
            _ algorithm: LayoutConfiguration.Algorithm, sectioning: Sectioning = .none
        ) throws -> LayoutKey {
            try LayoutKey(
                LayoutConfiguration(
                    containerLength: 1_200, interitemSpacing: 10, lineSpacing: 10,
                    sections: SectionParameters(sectioning: sectioning), algorithm: algorithm))
        }
        masonries = [
            try key(.masonry(MasonryParameters(columns: .count(4)))),
            try key(.masonry(MasonryParameters(columns: .count(8)))),
            try key(.masonry(MasonryParameters(columns: .count(32)))),
            try key(.masonry(MasonryParameters(columns: .count(4), columnChoice: .roundRobin))),
        ]
        let greedy = try key(.justified(JustifiedParameters(targetLineHeight: 235, tolerance: 0.15)))
        let flow = try key(.flow(FlowParameters(itemSize: .height(235))))
        let grid = try key(.grid(GridParameters(columns: .count(4))))
        others = [
            (
                "masonry, 4 columns, a section a day of 12 photos",
                try key(.masonry(MasonryParameters()), sectioning: .day)
            ),
            ("justified, greedy", greedy), ("flow, one height", flow),
            ("flow, one size", try key(.flow(FlowParameters(itemSize: .uniform(Size(width: 235, height: 235)))))),
            ("grid, 4 columns", grid),
        ]
        queried = [("masonry, 4 columns", masonries[0]), ("justified, greedy", greedy), ("grid, 4 columns", grid)]
    }

    /// Metrics of generated photos, twelve to a day.
    func metrics(_ count: Int) throws -> PackedMetrics {
        var generator = Generator()
        var metrics = PackedMetrics([ItemMetrics]())
        for index in 0..<count {
            let size = generator.size()
            metrics.append(
                ItemMetrics(
                    pixelSize: try PixelSize(width: size.width, height: size.height), orderDay: 2_900_000 - index / 12))
        }
        return metrics
    }
}
