import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// A ring of records by row id, compared with a dictionary.
@Suite struct RowRingTests {
    private func bytes(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8(generator.below(256)) }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `the latest records are found, and no dropped ones`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        // Far too short for all rows, and with far too few slots: everything is written over all the time.
        var ring = RowRing(byteCount: 8 * generator.int(in: 40...400), hashBits: generator.int(in: 1...4))
        var model: [Int64: [UInt8]] = [:]
        var foundCount = 0
        for step in 0..<20_000 {
            let rowID = Int64(generator.below(60)) << Int64(generator.element(of: [0, 0, 16, 40]))
            switch generator.below(100) {
            case 0:
                ring.removeAll()
                model = [:]
            case 1..<15:
                ring.remove(rowID)
                model[rowID] = nil
            case 15..<60:
                let record = bytes(generator.element(of: [0, 1, 4, 5, 11, 12, 13, 60, 200]), &generator)
                record.withUnsafeBytes { ring.insert(rowID, record: $0) }
                model[rowID] = record
            default:
                // In the order in which some were kept, and in none.
                let rowIDs = (0..<8).map { rowID + Int64($0) } + model.keys.sorted().prefix(generator.below(9))
                var found: [Int: [UInt8]] = [:]
                let missing = ring.find(rowIDs) { found[$0] = Array($1) }
                #expect(missing == rowIDs.indices.filter { found[$0] == nil })
                for (position, record) in found {
                    #expect(model[rowIDs[position]] == record, "step \(step), row \(rowIDs[position])")
                }
                foundCount += found.count
            }
        }
        #expect(foundCount > 1_000)
    }

    @Test func `no record is dropped before it is overwritten`() {
        var ring = RowRing(byteCount: 64 << 10, hashBits: 8)
        // Two units of 8 bytes hold the head of 12 bytes and four more: a ring of 4,096 records, 2,048 slots.
        for rowID in 1...1_000 as ClosedRange<Int64> {
            withUnsafeBytes(of: UInt32(rowID)) { ring.insert(rowID, record: $0) }
        }
        for order in [Array(1...1_000), Array((1...1_000).reversed())] as [[Int64]] {
            var sum = 0
            #expect(ring.find(order) { sum += Int($1.loadUnaligned(as: UInt32.self)) } == [])
            #expect(sum == 500_500)
        }
    }

    @Test func `a record that exceeds the ring or the limit is not kept, nor is the one it replaces`() {
        for (byteCount, length) in [(1 << 10, 1_100), (1 << 20, RowRing.recordLimit + 1)] {
            var ring = RowRing(byteCount: byteCount, hashBits: 4)
            [1, 2, 3].withUnsafeBytes { ring.insert(5, record: $0) }
            [UInt8](repeating: 1, count: length).withUnsafeBytes { ring.insert(5, record: $0) }
            #expect(ring.find([5]) { _, _ in Issue.record("it is there") } == [0])
        }
    }
}
