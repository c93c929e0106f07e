import PhotoStreamLayout
import PhotoStreamModel

/// The layouts that are measured: 1,200 points wide, spacing 10, target line height 235.
struct SampleLayouts {
    /// A layout with its name in the tables, and what does its work in plain C.
    typealias Named = (name: String, key: LayoutKey, limit: Limit)

    /// A layout that photos are inserted into.
    struct Edited {
        let name: String
        let configuration: LayoutConfiguration
        /// The length of its sections.
        var sectionLength: Int?
        /// Whether all new photos come first.
        var isAtHead = false
        /// The loop that lays out everything again.
        var limit = Limit.masonry
    }

    /// Four, eight and 32 columns by shortest column, four by round robin.
    let masonries: [LayoutKey]
    /// The others.
    let others: [Named]
    /// Those that are queried.
    let queried: [Named]
    /// A map.
    let map: LayoutKey

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
        let optimal = try key(.justified(JustifiedParameters(targetLineHeight: 235, breaks: .optimal)))
        let flow = try key(.flow(FlowParameters(itemSize: .height(235))))
        let spanning = try key(.masonry(MasonryParameters(orderTolerance: 40, spanWiderThan: 1.6)))
        map = try key(.map(MapParameters(zoom: 12)))
        let grid = try key(.grid(GridParameters(columns: .count(4))))
        others = [
            (
                "masonry, 4 columns, a section a day of 12 photos",
                try key(.masonry(MasonryParameters()), sectioning: .day), .none
            ),
            ("justified, greedy", greedy, .justified),
            ("justified, optimal breaks; in C all breaks tried", optimal, .optimal),
            ("flow, one height", flow, .flow),
            (
                "flow, one size", try key(.flow(FlowParameters(itemSize: .uniform(Size(width: 235, height: 235))))),
                .none
            ),
            ("grid, 4 columns", grid, .none),
            ("masonry, 4 columns, one photo in six over two, tolerance 40; in C all windows tried", spanning, .spans),
            (
                "masonry, 4 columns, anchored at the end; in C from the start",
                try key(.masonry(MasonryParameters(anchor: .end))), .masonry
            ),
        ]
        queried = [
            ("masonry, 4 columns", masonries[0], .masonry), ("masonry, round robin", masonries[3], .none),
            ("masonry, one photo in six over two, tolerance 40", spanning, .none),
            ("justified, greedy", greedy, .justified), ("grid, 4 columns", grid, .none),
        ]
    }

    /// The layouts that photos are inserted into.
    func edited() throws -> [Edited] {
        let masonry = LayoutConfiguration(containerLength: 1_200, interitemSpacing: 10, lineSpacing: 10)
        var days = masonry
        days.sections.sectioning = .day
        var anchored = masonry
        anchored.algorithm = .masonry(MasonryParameters(anchor: .end))
        var justified = masonry
        justified.algorithm = .justified(JustifiedParameters(targetLineHeight: 235, tolerance: 0.15))
        return [
            Edited(name: "masonry, sections of 1,000", configuration: masonry, sectionLength: 1_000),
            Edited(name: "masonry, sections of 12 by day", configuration: days),
            Edited(name: "masonry, at the head of one section", configuration: masonry, isAtHead: true),
            Edited(
                name: "justified, greedy, at the head of one section", configuration: justified, isAtHead: true,
                limit: .justified),
            Edited(
                name: "masonry anchored at the end, at the head of one section", configuration: anchored, isAtHead: true
            ),
        ]
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
