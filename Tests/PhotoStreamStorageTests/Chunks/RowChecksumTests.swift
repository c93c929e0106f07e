import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct RowChecksumTests {
    @Test(
        arguments: [
            ("", 0xef46_db37_51d8_e999), ("a", 0xd24e_c4f1_a98c_6e5b), ("abc", 0x44bc_2cf5_ad77_0999),
            ("Nobody" + " inspects the spammish repetition", 0xfbce_a83c_8a37_8bf1),
        ] as [(String, UInt64)])
    func `hashes are those of XXH64`(text: String, hash: UInt64) {
        #expect(Array(text.utf8).withUnsafeBytes { XXH64.hash($0, seed: 0) } == hash)
    }

    @Test func `every bit of a row matters, and its position`() {
        var random = SplitMix64(seed: 5)
        func checksum(_ numbers: [Int64], _ bytes: [UInt8], _ kind: RowChecksum.Kind = .chunk) -> Int64 {
            var sum = RowChecksum(kind)
            for number in numbers { sum.add(number) }
            sum.add(bytes)
            return sum.value
        }
        let numbers = (0..<5).map { _ in Int64(truncatingIfNeeded: random.next()) }
        let bytes = (0..<77).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var seen: Set<Int64> = [checksum(numbers, bytes), checksum(numbers, bytes, .layout)]
        var count = 2
        func add(_ value: Int64) {
            seen.insert(value)
            count += 1
        }
        for position in numbers.indices {
            for bit in 0..<64 {
                var other = numbers
                other[position] ^= 1 << Int64(bit)
                add(checksum(other, bytes))
            }
        }
        for position in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[position] ^= 1 << UInt8(bit)
                add(checksum(numbers, other))
            }
        }
        for length in 0..<bytes.count { add(checksum(numbers, Array(bytes.prefix(length)))) }
        add(checksum(numbers.reversed(), bytes))
        add(checksum(numbers + [0], bytes))
        add(checksum([], []))
        #expect(seen.count == count)
        var (none, zero) = (RowChecksum(.chunk), RowChecksum(.chunk))
        none.add(optional: nil)
        zero.add(optional: 0)
        #expect(none.value != zero.value)
    }
}
