import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Headers and footers that stay in the visible bounds.
@Suite struct ElementPinningTests {
    /// Sections with and without items, the second with a header and a footer only.
    private static func world(
        _ axes: SampleAxes, pinsHeaders: Bool = true, pinsFooters: Bool = true
    ) throws -> ElementWorld {
        let configuration = LayoutConfiguration(
            containerLength: 50, scrollDirection: axes.scroll, layoutDirection: axes.layout,
            contentInset: EdgeInsets(top: 3, left: 4, bottom: 5, right: 6), lineSpacing: 2,
            sections: SectionParameters(
                headerReferenceSize: 7, footerReferenceSize: 5, headersPinToVisibleBounds: pinsHeaders,
                footersPinToVisibleBounds: pinsFooters),
            algorithm: .grid(GridParameters(columns: .count(2))))
        let items = Array(repeating: ItemMetrics(pixelSize: try PixelSize(width: 1, height: 1)), count: 10)
        return try ElementWorld(configuration, items, sectionLengths: [4, 0, 5, 1])
    }

    /// The final position of a band that is pushed pixel by pixel as long as necessary and allowed.
    private static func pushed(
        _ band: Range<Int64>, by step: Int64, while mayMove: (Range<Int64>) -> Bool
    ) -> Range<Int64> {
        var band = band
        while mayMove(band) { band = band.lowerBound + step..<band.upperBound + step }
        return band
    }

    @Test(arguments: SampleAxes.all)
    func `at every offset, the bounds push a header up to its footer, and a footer up to its header`(
        axes: SampleAxes
    ) throws {
        let world = try Self.world(axes)
        let snapshot = world.snapshot
        let extent = world.isHorizontal ? snapshot.directory.contentSize.width : snapshot.directory.contentSize.height
        let sections = ElementReference(world).sections
        for viewport in [Int64(1), 4, 11, 12, 13, 40, 500] {
            for start in -20...extent + 10 {
                let visible = start..<start + viewport
                let bounds = world.rect(visible, 0..<50)
                for (position, section) in sections.enumerated() {
                    var header = section.lowerBound..<section.lowerBound + 7
                    var footer = section.upperBound - 5..<section.upperBound
                    if section.overlaps(visible) {
                        header = Self.pushed(header, by: 1) { [footer] in
                            $0.lowerBound < visible.lowerBound && $0.upperBound < footer.lowerBound
                        }
                        footer = Self.pushed(footer, by: -1) { [header] in
                            $0.upperBound > visible.upperBound && $0.lowerBound > header.upperBound
                        }
                    }
                    let path = IndexPath(section: position, item: 0)
                    let found = [ElementKind.sectionHeader, .sectionFooter].map {
                        snapshot.attributes(forSupplementary: $0, at: path, visibleBounds: bounds).map {
                            world.along($0.frame)
                        }
                    }
                    #expect(found == [header, footer], "section \(position) at \(start), \(viewport)")
                }
            }
        }
    }

    @Test(arguments: SampleAxes.all)
    func `a rectangle finds pinned elements exactly at their pinned frames`(axes: SampleAxes) throws {
        for pins in [(true, true), (true, false), (false, true), (false, false)] {
            let world = try Self.world(axes, pinsHeaders: pins.0, pinsFooters: pins.1)
            var random = SplitMix64(seed: 21)
            for _ in 0..<300 {
                let (rect, visible) = (world.rect(using: &random), world.rect(using: &random))
                let found = world.snapshot.attributes(in: rect, visibleBounds: visible).attributes
                let expected = ElementReference(world, visible: visible).elements.filter { $0.frame.intersects(rect) }
                #expect(difference(found, expected) == nil)
            }
        }
    }

    @Test func `nothing is pinned without visible bounds or in empty ones`() throws {
        let world = try Self.world(SampleAxes())
        let elements = ElementReference(world).elements
        for bounds in [
            nil, PixelRect(x: 0, y: 20, width: 50, height: 0), PixelRect(x: 0, y: 9_999, width: 50, height: 9),
        ] {
            for element in elements where [.sectionHeader, .sectionFooter].contains(element.elementKind) {
                #expect(
                    world.snapshot.attributes(
                        forSupplementary: element.elementKind, at: element.indexPath, visibleBounds: bounds) == element)
            }
        }
    }

    @Test func `at a section's border, its header leaves while the next one arrives`() throws {
        let world = try Self.world(SampleAxes(), pinsFooters: false)
        let sections = ElementReference(world).sections
        let border = sections[0].upperBound
        func header(_ section: Int, at offset: Int64) throws -> Int64 {
            let bounds = PixelRect(x: 0, y: offset, width: 50, height: 30)
            let path = IndexPath(section: section, item: 0)
            return try #require(
                world.snapshot.attributes(forSupplementary: .sectionHeader, at: path, visibleBounds: bounds)
            ).frame.y
        }
        // The footer's five pixels are never covered, so the header stops twelve above the border.
        #expect(
            try [-20, -13, -12, -11, -1].map { try header(0, at: border + $0) - border } == [-20, -13, -12, -12, -12])
        #expect(try header(0, at: border) == sections[0].lowerBound)
        #expect(try header(1, at: border - 1) == border)
        #expect(try header(1, at: border) == border)
        // A section with nothing but header and footer has no room to move in.
        #expect(try header(1, at: border + 6) == border)
    }
}
