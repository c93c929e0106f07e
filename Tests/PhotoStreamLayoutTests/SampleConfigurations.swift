import PhotoStreamLayout
import PhotoStreamTestSupport

extension LayoutConfiguration {
    /// Column counts around every border of the engine: sorted registers to 8, then a tree over powers of two.
    static let columnCounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 31, 32, 64, 127, 128]
    /// Display scales in use and at the ends of the range; all are sums of two powers of two.
    static let displayScales = [0.5, 1, 1.5, 2, 3, 8]

    /// A configuration with odd widths, spacings, insets and captions.
    static func sample(
        columnCount: Int, columnChoice: MasonryParameters.ColumnChoice, using random: inout SplitMix64
    ) -> LayoutConfiguration {
        // Quarter points, so that lengths lie on ties and beside them.
        func points(_ greatest: Int) -> Double { Double(random.int(in: 0...greatest * 4)) / 4 }
        let hasMargins = !random.oneIn(4)
        let scale = random.element(of: displayScales)
        let spacing = hasMargins ? points(12) : 0
        let inset =
            hasMargins
            ? EdgeInsets(top: points(40), left: points(30), bottom: points(40), right: points(30)) : .zero
        let needed = Double(columnCount - 1) * (spacing + 1) + inset.left + inset.right + Double(columnCount) * 4 + 4
        return LayoutConfiguration(
            containerWidth: needed + points(random.element(of: [1, 300, 3_000])),
            displayScale: scale,
            contentInset: inset,
            algorithm: .masonry(
                MasonryParameters(
                    columns: .count(columnCount),
                    columnChoice: columnChoice,
                    interitemSpacing: spacing,
                    lineSpacing: random.oneIn(4) ? 0 : points(20),
                    captionExtent: random.oneIn(4) ? 0 : points(60)
                )
            )
        )
    }

    /// A configuration of any column count and choice.
    static func sample(using random: inout SplitMix64) -> LayoutConfiguration {
        let count = random.element(of: columnCounts)
        let choice = random.element(of: MasonryParameters.ColumnChoice.allCases)
        return sample(columnCount: count, columnChoice: choice, using: &random)
    }

    /// A masonry at scale 1 without insets.
    static func masonry(
        _ columnCount: Int, width: Double, choice: MasonryParameters.ColumnChoice = .shortest, scale: Double = 1,
        spacing: Double = 0, caption: Double = 0
    ) -> LayoutConfiguration {
        LayoutConfiguration(
            containerWidth: width,
            displayScale: scale,
            algorithm: .masonry(
                MasonryParameters(
                    columns: .count(columnCount), columnChoice: choice, interitemSpacing: spacing,
                    lineSpacing: spacing, captionExtent: caption)
            )
        )
    }
}

extension LayoutSnapshot {
    /// The frame of every item, one question each.
    var frames: [PixelRect] {
        (0..<itemCount).compactMap { attributes(forItemAt: $0)?.frame }
    }
}

extension PackedFrames {
    /// Every number.
    var numbers: [UInt64] { (0..<count).map { self[$0] } }

    /// Whether the numbers take four bytes each.
    var isNarrow: Bool {
        if case .narrow = self { true } else { false }
    }
}
