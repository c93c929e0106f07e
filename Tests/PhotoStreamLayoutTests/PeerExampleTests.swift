import PhotoStreamLayout
import PhotoStreamModel
import Testing

/// The documented behaviour of well-known layouts of other libraries, worked out by hand.
@Suite struct PeerExampleTests {
    private func items(_ sizes: [(Int, Int)]) throws -> [ItemMetrics] {
        try sizes.map { ItemMetrics(pixelSize: try PixelSize(width: $0.0, height: $0.1)) }
    }

    /// x, y, width and height of every item in points.
    private func frames(_ configuration: LayoutConfiguration, _ items: [ItemMetrics]) throws -> [[Double]] {
        let key = try LayoutKey(configuration)
        return LayoutSnapshot(key, items: items).frames.map { frame in
            let points = key.displayScale.points(frame)
            return [points.x, points.y, points.width, points.height]
        }
    }

    // MARK: The Pinterest layout tutorial

    /// The tutorial's loop: columns in turn, a cell of the column's width and of the photo's height with padding above and
    /// below, and the frame inset by the padding.
    private func tutorialFrames(
        _ sizes: [(Int, Int)], width: Double, columns: Int, padding: Double
    ) -> (frames: [[Double]], contentHeight: Double) {
        let columnWidth = width / Double(columns)
        var tops = [Double](repeating: 0, count: columns)
        var frames: [[Double]] = []
        for (index, size) in sizes.enumerated() {
            let column = index % columns
            let photoWidth = columnWidth - 2 * padding
            let photoHeight = (photoWidth * Double(size.1) / Double(size.0)).rounded()
            frames.append([
                Double(column) * columnWidth + padding, tops[column] + padding, photoWidth, photoHeight,
            ])
            tops[column] += photoHeight + 2 * padding
        }
        return (frames, tops.max() ?? 0)
    }

    @Test(arguments: [(376.0, 2, 6.0), (414, 3, 6), (1_024, 4, 10), (320, 1, 0)])
    func `cell padding gives the numbers of the tutorial`(width: Double, columns: Int, padding: Double) throws {
        let sizes = [(300, 200), (200, 300), (100, 100), (1_600, 900), (3, 4), (50, 10), (1, 3), (640, 480), (9, 16)]
        var configuration = LayoutConfiguration(
            containerLength: width,
            algorithm: .masonry(MasonryParameters(columns: .count(columns), columnChoice: .roundRobin)))
        configuration.setCellPadding(padding)
        let expected = tutorialFrames(sizes, width: width, columns: columns, padding: padding)
        #expect(try frames(configuration, items(sizes)) == expected.frames)
        let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: try items(sizes))
        #expect(snapshot.contentSize == Size(width: width, height: expected.contentHeight))
    }

    // MARK: Flickr's justified layout

    /// The example that its documentation begins with.
    ///
    /// 1,060 wide, padding and spacing 10, rows of 320 with a tolerance of a quarter. Its answer is 1,269 high, in rows of three, three, three and two.
    private static let flickrRatios = [0.5, 1.5, 1, 1.8, 0.4, 0.7, 0.9, 1.1, 1.7, 2, 2.1]

    private func flickr(_ parameters: JustifiedParameters = JustifiedParameters()) -> LayoutConfiguration {
        var parameters = parameters
        (parameters.targetLineHeight, parameters.tolerance) = (320, 0.25)
        return LayoutConfiguration(
            containerLength: 1_060, contentInset: EdgeInsets(top: 10, left: 10, bottom: 10, right: 10),
            interitemSpacing: 10, lineSpacing: 10, algorithm: .justified(parameters))
    }

    private func photos(_ ratios: [Double]) throws -> [ItemMetrics] {
        try items(ratios.map { (Int($0 * 10), 10) })
    }

    @Test func `the first example of Flickr's library has the documented result`() throws {
        let photos = try photos(Self.flickrRatios)
        let found = try frames(flickr(), photos)
        #expect(found[0] == [10, 10, 170, 340])
        #expect(found[1] == [190, 10, 510, 340])
        #expect(found[2] == [710, 10, 340, 340])
        #expect(found.map { $0[3] } == [340, 340, 340, 352, 352, 352, 276, 276, 276, 251, 251])
        #expect(found.map { $0[1] } == [10, 10, 10, 360, 360, 360, 722, 722, 722, 1_008, 1_008])
        let height = LayoutSnapshot(try LayoutKey(flickr()), items: photos).contentSize.height
        #expect(height == 1_269)
        // Each line ends at the pixel at which the container's padding begins.
        for line in [0..<3, 3..<6, 6..<9, 9..<11] {
            let last = found[line.upperBound - 1]
            #expect(last[0] + last[2] == 1_050)
        }
    }

    @Test func `a row takes the item that exceeds its limit if that is closer to the target`() throws {
        // 2 alone is too little, 2 and 2.1 too much by less; 2 and 9 too much by more, so 2 is alone.
        #expect(try frames(flickr(), photos([2, 2.1])).map { $0[3] } == [251, 251])
        let rejected = try frames(flickr(), photos([2, 9, 1, 1, 1.5]))
        #expect(rejected[0] == [10, 10, 1_040, 520])
        #expect(rejected[1][1] == 540)
    }

    @Test func `every third row is one photo with breakouts`() throws {
        let found = try frames(
            flickr(JustifiedParameters(breakoutEvery: 3)), photos([1, 1, 1, 1, 1, 1, 2, 1, 1, 1]))
        #expect(found[6] == [10, found[3][1] + found[3][3] + 10, 1_040, 520])
        #expect(found[7][1] == found[6][1] + 530)
    }

    @Test func `the last row is natural, stretched or hidden`() throws {
        let ratios = [1.0, 1, 1, 1]
        let natural = try frames(flickr(), photos(ratios))
        #expect(natural[3] == [10, 360, 340, 340])
        let justified = try frames(flickr(JustifiedParameters(widows: .justify)), photos(ratios))
        #expect(justified[3][3] == 640)
        let hidden = LayoutSnapshot(
            try LayoutKey(flickr(JustifiedParameters(widows: .hide))), items: try photos(ratios))
        #expect(hidden.attributes(forItemAt: 3)?.isHidden == true)
        #expect(hidden.contentSize.height == 360)
    }

    // MARK: UICollectionViewFlowLayout

    private func flow(
        _ itemSize: FlowParameters.ItemSize, sections: SectionParameters = SectionParameters()
    ) -> LayoutConfiguration {
        LayoutConfiguration(
            containerLength: 320, displayScale: 2, interitemSpacing: 10, lineSpacing: 7, sections: sections,
            algorithm: .flow(FlowParameters(itemSize: itemSize)))
    }

    @Test func `items of one size share the remaining space of a full line, also on the last line`() throws {
        let sizes = Array(repeating: (1, 1), count: 7)
        let found = try frames(flow(.uniform(Size(width: 50, height: 40))), items(sizes))
        // Five fit, since six would need 350; 70 points are left for four gaps.
        #expect(found.map { $0[0] } == [0, 67.5, 135, 202.5, 270, 0, 67.5])
        #expect(found.map { $0[1] } == [0, 0, 0, 0, 0, 47, 47])
    }

    @Test func `items of different sizes fill full lines and keep the minimum spacing on the last`() throws {
        let found = try frames(flow(.own), items([(100, 50), (100, 90), (90, 50), (60, 30), (60, 30)]))
        // 290 and two gaps of 15; each is centred in its line, which is as high as its highest item.
        #expect(found[0] == [0, 20, 100, 50])
        #expect(found[1] == [115, 0, 100, 90])
        #expect(found[2] == [230, 20, 90, 50])
        #expect(found[3] == [0, 97, 60, 30])
        #expect(found[4] == [70, 97, 60, 30])
    }

    @Test func `a single item in a full line is centred, and one that is too wide is not shrunk`() throws {
        let found = try frames(flow(.own), items([(200, 50), (200, 50), (400, 50), (50, 50)]))
        #expect(found[0] == [60, 0, 200, 50])
        #expect(found[1] == [60, 57, 200, 50])
        #expect(found[2][1] == 114 && found[2][2] == 400 && found[2][3] == 50)
        #expect(found[3][1] == 171)
    }

    @Test func `no line spacing is next to a header or footer, and section insets narrow the line`() throws {
        let sections = SectionParameters(
            inset: EdgeInsets(top: 3, left: 20, bottom: 4, right: 30), headerReferenceSize: 30, footerReferenceSize: 10)
        let configuration = flow(.uniform(Size(width: 50, height: 40)), sections: sections)
        let snapshot = LayoutSnapshot(
            try LayoutKey(configuration), metrics: PackedMetrics(try items(Array(repeating: (1, 1), count: 6))),
            sectionLengths: [5, 1])
        // 270 points: four of 50 and three gaps of 70/3.
        let found = try (0..<6).map { try #require(snapshot.frame(forItemAt: $0)) }
        #expect(found[0] == PixelRect(x: 40, y: 66, width: 100, height: 80))
        #expect(found[3] == PixelRect(x: 40 + 540 - 100, y: 66, width: 100, height: 80))
        #expect(found[4].y == 66 + 80 + 14)
        // The first section ends with inset and footer, the second begins with header and inset.
        #expect(found[5].y == found[4].maxY + 8 + 20 + 60 + 6)
    }
}
