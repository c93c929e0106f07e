import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayoutTests

/// The items at even distances of the content, compared with a search through every frame.
@Suite struct ScrubberTests {
    @Test(arguments: LayoutFamily.allCases, SampleAxes.all)
    func `scrubber places agree with a scan of all frames and sections`(family: LayoutFamily, axes: SampleAxes) throws {
        for seed in UInt64(0)..<6 {
            var random = SplitMix64(seed: seed)
            let world = try EditedWorld(family, axes, isList: seed % 2 == 0, using: &random, pins: false)
            let layout = world.layout.current
            let directory = layout.directory
            let key = try LayoutKey(world.layout.configuration)
            let isHorizontal = key.scrollDirection == .horizontal
            let size = directory.contentSize
            let extent = isHorizontal ? size.width : size.height
            let frames = (0..<directory.itemCount).map { layout.frame(forItemAt: $0) }
            func ends(_ frame: PixelRect) -> Int64 {
                guard isHorizontal else { return frame.maxY }
                return key.layoutDirection == .rightToLeft ? extent - frame.x : frame.maxX
            }
            for count in [1, 2, 7, 40] {
                let places = layout.scrubberPlaces(count)
                #expect(places.count == (directory.itemCount == 0 ? 0 : count))
                for (step, place) in places.enumerated() {
                    #expect(place.offset == (count == 1 ? 0 : extent * Int64(step) / Int64(count - 1)))
                    let index = frames.firstIndex { frame in frame.map { ends($0) > place.offset } ?? false }
                    #expect(place.index == index ?? directory.itemCount - 1, "seed \(seed), \(place)")
                    let section = directory.sections.lastIndex { $0.origin <= place.offset } ?? 0
                    #expect(place.section == section, "seed \(seed), \(place)")
                }
            }
        }
    }
}
