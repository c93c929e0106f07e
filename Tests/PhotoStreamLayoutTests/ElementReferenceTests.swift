import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Elements one by one against those that follow from the items' frames.
@Suite struct ElementReferenceTests {
    private static let kinds: [ElementKind] = [
        .sectionHeader, .sectionFooter, .badge, .sectionBackground, .separator, .item,
        .supplementary("a custom kind"), .decoration("a custom kind"),
    ]

    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `each element has the frame that follows from the items', and no others exist`(
        family: LayoutFamily, axes: SampleAxes
    ) throws {
        for seed in UInt64(0)..<12 {
            var random = SplitMix64(seed: seed &* 1_000 &+ 7)
            let world = try ElementWorld(family, axes, using: &random)
            let visible = random.oneIn(2) ? world.rect(using: &random) : nil
            let reference = ElementReference(world, visible: visible)
            var expected: [ElementKind: [IndexPath: LayoutAttributes]] = [:]
            for element in reference.elements {
                expected[element.elementKind, default: [:]][element.indexPath] = element
            }
            for (section, length) in (world.sectionLengths + [3]).enumerated() {
                for item in -1...length {
                    let path = IndexPath(section: section, item: item)
                    for kind in Self.kinds {
                        let supplementary = world.snapshot.attributes(
                            forSupplementary: kind, at: path, visibleBounds: visible)
                        let decoration = world.snapshot.attributes(forDecoration: kind, at: path)
                        let isDecoration = kind == .sectionBackground || kind == .separator
                        #expect((kind == .item || isDecoration ? nil : expected[kind]?[path]) == supplementary)
                        #expect((isDecoration ? expected[kind]?[path] : nil) == decoration)
                    }
                }
            }
        }
    }

    @Test func `right-to-left is the mirror image, badges included`() throws {
        // The world of a map is not mirrored: see MapTests.
        for family in LayoutFamily.runs {
            var random = SplitMix64(seed: 77)
            let world = try ElementWorld(family, SampleAxes(), using: &random)
            var mirrored = world.configuration
            mirrored.layoutDirection = .rightToLeft
            random = SplitMix64(seed: 78)
            let items = SampleMetrics.dated(SampleMetrics.mixed(90, using: &random), using: &random)
            let (left, right) = (
                LayoutSnapshot(try LayoutKey(world.configuration), items: items),
                LayoutSnapshot(try LayoutKey(mirrored), items: items)
            )
            let everything = Rect(x: -1e9, y: -1e9, width: 2e9, height: 2e9)
            let expected = try left.attributes(in: everything).attributes.map { element in
                var element = element
                element.frame.x = left.directory.contentSize.width - element.frame.maxX
                return element
            }
            #expect(difference(try right.attributes(in: everything).attributes, expected) == nil)
        }
    }

    @Test func `an example has the documented numbers`() throws {
        let configuration = LayoutConfiguration(
            containerLength: 320, contentInset: EdgeInsets(top: 10, left: 10, bottom: 10, right: 10),
            interitemSpacing: 10, lineSpacing: 11,
            sections: SectionParameters(
                inset: EdgeInsets(top: 5, left: 20, bottom: 6, right: 0), headerReferenceSize: 30,
                footerReferenceSize: 20, hasBackground: true, separatorThickness: 2),
            badgeSize: Size(width: 8, height: 300),
            algorithm: .flow(FlowParameters(itemSize: .uniform(Size(width: 130, height: 50)))))
        let items = Array(repeating: ItemMetrics(pixelSize: try PixelSize(width: 3, height: 2)), count: 3)
        let world = try ElementWorld(configuration, items, sectionLengths: [3, 0])
        let found = world.snapshot.attributes(in: PixelRect(x: 0, y: 0, width: 320, height: 1_000))
        let expected: [(ElementKind, Int, Int, PixelRect, Int)] = [
            (.sectionBackground, 0, 0, PixelRect(x: 10, y: 10, width: 300, height: 172), -1),
            (.sectionHeader, 0, 0, PixelRect(x: 10, y: 10, width: 300, height: 30), 3),
            (.item, 0, 0, PixelRect(x: 30, y: 45, width: 130, height: 50), 0),
            (.badge, 0, 0, PixelRect(x: 152, y: 45, width: 8, height: 50), 2),
            (.item, 0, 1, PixelRect(x: 180, y: 45, width: 130, height: 50), 0),
            (.badge, 0, 1, PixelRect(x: 302, y: 45, width: 8, height: 50), 2),
            (.item, 0, 2, PixelRect(x: 30, y: 106, width: 130, height: 50), 0),
            (.badge, 0, 2, PixelRect(x: 152, y: 106, width: 8, height: 50), 2),
            (.separator, 0, 2, PixelRect(x: 30, y: 99, width: 280, height: 2), 1),
            (.sectionFooter, 0, 0, PixelRect(x: 10, y: 162, width: 300, height: 20), 3),
            (.sectionBackground, 1, 0, PixelRect(x: 10, y: 182, width: 300, height: 61), -1),
            (.sectionHeader, 1, 0, PixelRect(x: 10, y: 182, width: 300, height: 30), 3),
            (.sectionFooter, 1, 0, PixelRect(x: 10, y: 223, width: 300, height: 20), 3),
        ]
        let index = [0, 3]
        #expect(
            difference(
                found.attributes,
                expected.map { kind, section, item, frame, zIndex in
                    LayoutAttributes(
                        elementKind: kind, index: index[section] + item,
                        indexPath: IndexPath(section: section, item: item), frame: frame, zIndex: zIndex)
                }) == nil)
        #expect(!found.isTruncated)
        #expect(world.snapshot.directory.contentSize == PixelExtent(width: 320, height: 253))
    }
}
