import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct RowIDSetTests {
    @Test(arguments: 1...3) func `a mask tells of each row id whether it is in the set`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // Near the ends of pages, and in pages without any.
        var candidates: [Int64] = []
        for page in Int64(0)..<8 {
            for offset: Int64 in [-3, -2, -1, 0, 1, 2, 3, 30_000] { candidates.append(page * 65_536 + offset) }
        }
        var (set, plain): (RowIDSet, Set<Int64>) = (RowIDSet(), [])
        for step in 0..<200 {
            let rowID = random.element(of: candidates)
            // The fourth page stays empty.
            if rowID >> 16 != 3, random.oneIn(2) {
                #expect(set.insert(rowID) == plain.insert(rowID).inserted)
            } else {
                set.remove(rowID)
                plain.remove(rowID)
            }
            guard step % 10 == 9 else { continue }
            let asked = (0..<100).map { _ in random.element(of: candidates) }
            #expect(set.mask(of: asked) == PhotoMask(count: 100) { plain.contains(asked[$0]) })
            #expect(candidates.allSatisfy { set.contains($0) == plain.contains($0) })
        }
        #expect(RowIDSet().mask(of: candidates) == PhotoMask(count: candidates.count))
    }
}
