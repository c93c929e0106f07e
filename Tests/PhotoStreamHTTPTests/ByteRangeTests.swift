import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// The bytes that a request asks for.
@Suite struct ByteRangeTests {
    private static let cases: [(field: String?, selection: ByteRangeSelection)] = [
        (nil, .whole), ("", .whole), ("bytes", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("=0-1", .whole),
        ("bytes=0-0", .part(0..<1)), ("bytes=0-9", .part(0..<10)), ("bytes=3-5", .part(3..<6)),
        ("bytes=9-9", .part(9..<10)), ("bytes=0-", .part(0..<10)), ("bytes=9-", .part(9..<10)),
        ("bytes=5-100", .part(5..<10)), ("bytes=-1", .part(9..<10)), ("bytes=-10", .part(0..<10)),
        ("bytes=-11", .part(0..<10)), ("bytes=-99999999999999999999", .part(0..<10)),
        ("bytes=0-99999999999999999999", .part(0..<10)), ("BYTES=1-2", .part(1..<3)), (" bytes = 1-2", .part(1..<3)),
        ("bytes=,1-2,", .part(1..<3)), ("bytes= 1-2 ", .part(1..<3)), ("bytes=001-002", .part(1..<3)),
        ("bytes=10-", .unsatisfiable), ("bytes=10-20", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=9223372036854775807-", .unsatisfiable),
        ("bytes=5-4", .whole), ("bytes=a-b", .whole), ("bytes=1-2-3", .whole), ("bytes=+1-2", .whole),
        ("bytes=1 - 2", .whole), ("bytes=--1", .whole), ("bytes=0x1-2", .whole), ("bytes=١-٢", .whole),
        ("bytes=0-1,2-3", .whole), ("bytes=0-,0-,0-", .whole), ("items=0-1", .whole), ("bytes:0-1", .whole),
    ]

    @Test(arguments: cases) func `valid ranges are parsed`(field: String?, selection: ByteRangeSelection) {
        #expect(ByteRangeSelection(field, of: 10) == selection)
    }

    @Test func `an empty file has no satisfiable range`() {
        for field in ["bytes=0-", "bytes=-1", "bytes=0-0"] {
            #expect(ByteRangeSelection(field, of: 0) == .unsatisfiable)
        }
        #expect(ByteRangeSelection(nil, of: 0) == .whole)
    }

    @Test func `every selected range lies inside the file`() {
        var random = SplitMix64(seed: 416)
        let pieces = ["bytes", "=", "-", "0", "1", "9", "10", "4294967296", ",", " ", "9223372036854775807", "x"]
        for _ in 0..<20_000 {
            let length = Int64(random.int(in: 0...12))
            let tail = (0..<random.int(in: 0...7)).map { _ in pieces[random.int(in: 0...pieces.count - 1)] }.joined()
            guard case .part(let range) = ByteRangeSelection("bytes=" + tail, of: length) else { continue }
            #expect(range.lowerBound >= 0 && !range.isEmpty && range.upperBound <= length, "\(tail) of \(length)")
        }
    }
}
