import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Records by row id, compared with a dictionary.
@Suite struct RowMemoryTests {
    private func bytes(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8(generator.below(256)) }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `the latest records are found, and no dropped ones`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        // Far too short for all rows: it is cleared all the time.
        var rows = RowMemory(byteLimit: 8 * generator.int(in: 40...400))
        var model: [Int64: [UInt8]] = [:]
        var foundCount = 0
        for step in 0..<20_000 {
            let rowID = Int64(generator.below(60)) << Int64(generator.element(of: [0, 0, 16, 40]))
            switch generator.below(100) {
            case 0:
                rows.removeAll()
                model = [:]
            case 1..<15:
                rows.remove(rowID)
                model[rowID] = nil
            case 15..<60:
                let record = bytes(generator.element(of: [0, 1, 4, 5, 11, 12, 13, 60, 200]), &generator)
                record.withUnsafeBytes { rows.insert(rowID, record: $0) }
                model[rowID] = record
            default:
                // In the order in which some were kept, and in none.
                let rowIDs = (0..<8).map { rowID + Int64($0) } + model.keys.sorted().prefix(generator.below(9))
                var found: [Int: [UInt8]] = [:]
                let missing = rows.find(rowIDs) { found[$0] = Array($1) }
                #expect(missing == rowIDs.indices.filter { found[$0] == nil })
                for (position, record) in found {
                    #expect(model[rowIDs[position]] == record, "step \(step), row \(rowIDs[position])")
                }
                foundCount += found.count
            }
        }
        #expect(foundCount > 1_000)
    }

    @Test func `no record is dropped while there is room`() {
        var rows = RowMemory(byteLimit: 4_003)
        for rowID in 1...1_000 as ClosedRange<Int64> {
            withUnsafeBytes(of: UInt32(rowID)) { rows.insert(rowID, record: $0) }
        }
        for order in [Array(1...1_000), Array((1...1_000).reversed())] as [[Int64]] {
            var sum = 0
            #expect(rows.find(order) { sum += Int($1.loadUnaligned(as: UInt32.self)) } == [])
            #expect(sum == 500_500)
        }
        withUnsafeBytes(of: UInt32(0)) { rows.insert(1_001, record: $0) }
        #expect(rows.find([1, 1_000, 1_001]) { _, _ in } == [0, 1])
    }

    @Test func `a record that exceeds the limit is not kept, nor is the one it replaces`() {
        var rows = RowMemory(byteLimit: 1 << 10)
        [1, 2, 3].withUnsafeBytes { rows.insert(5, record: $0) }
        [UInt8](repeating: 1, count: 1_100).withUnsafeBytes { rows.insert(5, record: $0) }
        #expect(rows.find([5]) { _, _ in Issue.record("it is there") } == [0])
    }
}
