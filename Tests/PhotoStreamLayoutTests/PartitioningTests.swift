import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayout

@Suite struct PartitioningTests {
    @Test func `any guess leads to the same position as a linear search`() {
        for count in [0, 1, 2, 7, 8, 9, 60] {
            for border in 0...count {
                let flags = (0..<count).map { $0 >= border }
                #expect(flags.partitioningIndex { $0 } == border)
                for guess in -3...count + 3 {
                    #expect(flags.partitioningIndex(near: guess) { $0 } == border, "\(guess) of \(count)")
                }
                // A slice of an array has the array's indices.
                let part = ([false, false] + flags)[2...]
                #expect(part.partitioningIndex(near: 5) { $0 } == border + 2)
            }
        }
    }
}
