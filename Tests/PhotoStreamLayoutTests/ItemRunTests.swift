import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// A mapping from runs of photos, against the same from edits one by one.
@Suite struct ItemRunTests {
    @Test func `photos keep their identity through edits`() {
        let edits: [ItemEdit] = [
            .insert(.squares(2), at: 3), .delete(0..<1), .move(4..<6, to: 0), .replace(.squares(2), at: 1),
        ]
        // 0 1 2 3 4 5, then 0 1 2 a b 3 4 5, then 1 2 a b 3 4 5, then 3 4 1 2 a b 5.
        let mapping = ItemMapping(edits, itemCount: 6)
        #expect((0..<8).map { mapping.oldIndex(of: $0) } == [3, 4, 1, 2, nil, nil, 5, nil])
        #expect((0..<7).map { mapping.newIndex(of: $0) } == [nil, 2, 3, 0, 1, 6, nil])
        #expect((0..<7).filter { mapping.isReplaced($0) } == [1, 2])
    }

    @Test(arguments: UInt64(0)..<40)
    func `runs agree with the edits that led to them`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let before = random.int(in: 0...60)
        // The former position of each photo, and whether it was replaced.
        var photos = (0..<before).map { (old: Int?.some($0), isReplaced: false) }
        var edits: [ItemEdit] = []
        for _ in 0..<random.int(in: 0...25) {
            let items = PackedMetrics(SampleMetrics.mixed(random.int(in: 1...5), using: &random))
            let index = random.int(in: 0...photos.count)
            let end = min(photos.count, index + random.int(in: 0...6))
            switch random.int(in: 0...3) {
            case 0:
                edits.append(.insert(items, at: index))
                photos.insert(contentsOf: (0..<items.count).map { _ in (nil, false) }, at: index)
            case 1:
                edits.append(.delete(index..<end))
                photos.removeSubrange(index..<end)
            case 2:
                let part = Array(photos[index..<end])
                photos.removeSubrange(index..<end)
                let target = random.int(in: 0...photos.count)
                edits.append(.move(index..<end, to: target))
                photos.insert(contentsOf: part, at: target)
            default:
                guard index + items.count <= photos.count else { continue }
                edits.append(.replace(items, at: index))
                for position in index..<index + items.count { photos[position].isReplaced = true }
            }
        }
        let expected = ItemMapping(edits, itemCount: before)
        // One run for each photo, and empty ones, which mean nothing.
        let found = ItemMapping(
            runs: photos.flatMap {
                [ItemRun(old: 7, count: 0), ItemRun(old: $0.old, count: 1, isReplaced: $0.isReplaced)]
            })
        for index in -1...photos.count {
            #expect(found.oldIndex(of: index) == expected.oldIndex(of: index))
            #expect(found.isReplaced(index) == expected.isReplaced(index))
        }
        for index in -1...before { #expect(found.newIndex(of: index) == expected.newIndex(of: index)) }
    }

    @Test func `runs that are contiguous in both orders are joined`() {
        let apart = ItemMapping(runs: (0..<1_000).map { ItemRun(old: $0, count: 1) })
        #expect(apart == ItemMapping(runs: [ItemRun(old: 0, count: 1_000)]))
        #expect(apart != ItemMapping(runs: [ItemRun(old: 0, count: 1_000, isReplaced: true)]))
    }
}
