import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayout

/// The boxes by which items are found whose tops may fall: complete, and worth having.
@Suite struct MasonryBoxTests {
    private static let fallingChoices: [MasonryParameters] = [
        MasonryParameters(columns: .count(4), columnChoice: .roundRobin),
        MasonryParameters(columns: .count(4), spanWiderThan: 1.4),
        MasonryParameters(columns: .count(4), orderTolerance: 60),
        MasonryParameters(columns: .count(4), spanWiderThan: 1.4, anchor: .end),
    ]

    private func frames(_ parameters: MasonryParameters, _ items: [ItemMetrics]) throws -> ChunkPlacement {
        var configuration = LayoutConfiguration(containerLength: 1_200, interitemSpacing: 10, lineSpacing: 10)
        configuration.algorithm = .masonry(parameters)
        let engine = LayoutEngine(try LayoutKey(configuration))
        let placement = engine.place(PackedMetrics(items), from: engine.initialState)
        // Boxes are not stored: they come back with the frames.
        #expect(engine.frames(decoding: placement.frames.encoded, count: items.count) == placement.frames)
        return placement
    }

    @Test(arguments: fallingChoices)
    func `boxes contain every top in a range and few others`(parameters: MasonryParameters) throws {
        var random = SplitMix64(seed: 5)
        let items = SampleMetrics.realistic(2_048, using: &random)
        let placement = try frames(parameters, items)
        guard case .narrow(let numbers) = placement.frames.of(MasonryFrames.self) else {
            Issue.record("numbers of more than four bytes")
            return
        }
        let tops = numbers.values.map { Int64($0 >> 2) }
        #expect(zip(tops, tops.dropFirst()).contains { $0 > $1 }, "no top falls, so there is nothing to find")
        for _ in 0..<100 {
            let top = Int64(random.int(in: 0...Int(placement.extents.greatestEnd)))
            var looked: [Int] = []
            _ = numbers.forEachBox(meeting: top...top + 900) { positions in
                looked += positions
                return true
            }
            let expected = tops.indices.filter { (top...top + 900).contains(tops[$0]) }
            #expect(Set(looked).isSuperset(of: expected))
            #expect(looked == looked.sorted())
            // A screen holds some 20 photos, which lie among few times 64.
            #expect(looked.count <= 5 * 64, "\(looked.count) photos for a screen")
        }
    }

    @Test func `visiting boxes stops when requested`() throws {
        var random = SplitMix64(seed: 6)
        let placement = try frames(Self.fallingChoices[0], SampleMetrics.realistic(500, using: &random))
        guard case .narrow(let numbers) = placement.frames.of(MasonryFrames.self) else {
            Issue.record("numbers of more than four bytes")
            return
        }
        var runs: [Range<Int>] = []
        let goesOn = numbers.forEachBox(meeting: 0...placement.extents.greatestEnd) { positions in
            runs.append(positions)
            return runs.count < 3
        }
        #expect(!goesOn && runs == [0..<64, 64..<128, 128..<192])
    }
}
