import PhotoStreamLayout

/// A masonry's state as bytes: the format of cursors and of stored chunks, read and written by hand.
struct MasonryBytes: Equatable {
    /// The section's mark and one; 0 before the first section.
    var mark: UInt64 = 1
    var hasItems = true
    var nextColumn: UInt64 = 0
    var fronts: [UInt64]

    private struct Damaged: Error {}

    init(nextColumn: UInt64 = 0, fronts: [UInt64]) {
        self.nextColumn = nextColumn
        self.fronts = fronts
    }

    init(_ state: LayoutState) throws {
        var numbers: [UInt64] = []
        var (number, shift): (UInt64, UInt64) = (0, 0)
        for byte in state.encoded {
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 {
                numbers.append(number)
                (number, shift) = (0, 0)
            }
        }
        guard shift == 0, numbers.count > 3, numbers[1] <= 1 else { throw Damaged() }
        (mark, hasItems, nextColumn) = (numbers[0], numbers[1] == 1, numbers[2])
        fronts = Array(numbers[3...])
    }

    /// Every number seven bits a byte from the lowest, the high bit set on all but the last.
    var bytes: [UInt8] {
        ([mark, hasItems ? 1 : 0, nextColumn] + fronts).flatMap { number in
            var (bytes, rest): ([UInt8], UInt64) = ([], number)
            while rest >= 128 {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            return bytes + [UInt8(rest)]
        }
    }
}
