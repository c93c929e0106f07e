import PhotoStreamPictureMessages

/// The parts of a file that make its picture, in the order in which they are hashed.
///
/// Each begins with its length, so that no two lists of parts have the same bytes.
struct ContentParts {
    /// A part.
    enum Part: Hashable {
        case bytes([UInt8])
        case range(Range<Int64>)
    }

    /// The number of bytes beyond which only some blocks of a film are hashed.
    static let boundedByteCount: Int64 = 64 << 20
    /// The length of such a block.
    private static let blockByteCount: Int64 = 1 << 20
    /// The maximum number of parts: a picture with more is hashed as a whole.
    static let maximumCount = 200_000

    private(set) var all: [Part] = []

    /// Begins with the name of a format, so that the pictures of different formats have different hashes.
    init(_ format: StaticString) {
        add(Array("photostream 1 \(format)".utf8))
    }

    /// Whether there are too many parts.
    var isFull: Bool { all.count > 2 * Self.maximumCount }

    /// Adds bytes.
    mutating func add(_ bytes: [UInt8]) {
        all += [.bytes(Self.bytes(of: Int64(bytes.count))), .bytes(bytes)]
    }

    /// Adds bytes of the file.
    mutating func add(_ range: Range<Int64>) {
        all += [.bytes(Self.bytes(of: Int64(range.count))), .range(range)]
    }

    /// Adds numbers.
    mutating func add(_ numbers: Int...) { add(numbers.flatMap { Self.bytes(of: Int64($0)) }) }

    /// Adds ranges as one part: all of their bytes, or beyond ``boundedByteCount`` the first MiB, the last MiB and 62
    /// evenly spaced ones between them.
    mutating func addBounded(_ ranges: [Range<Int64>]) {
        let total = ranges.reduce(0) { $0 + Int64($1.count) }
        add(Self.bytes(of: total))
        guard total > Self.boundedByteCount else {
            all += ranges.map(Part.range)
            return
        }
        let last = Self.boundedByteCount / Self.blockByteCount - 1
        let room = total - Self.blockByteCount
        for number in 0...last {
            let start = room / last * number + room % last * number / last
            all += Self.slice(of: ranges, start..<(start + Self.blockByteCount)).map(Part.range)
        }
    }

    /// Returns the bytes of some ranges, as if they were one, at some of their positions.
    private static func slice(of ranges: [Range<Int64>], _ wanted: Range<Int64>) -> [Range<Int64>] {
        var (found, start) = ([Range<Int64>](), Int64(0))
        for range in ranges {
            let own = wanted.clamped(to: start..<(start + Int64(range.count)))
            if !own.isEmpty {
                found.append((range.lowerBound + own.lowerBound - start)..<(range.lowerBound + own.upperBound - start))
            }
            start += Int64(range.count)
        }
        return found
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

extension PictureBytes {
    /// The number of bytes.
    var byteCount: Int64 {
        switch self {
        case .memory(let bytes): Int64(bytes.count)
        case .file(let file): file.byteCount
        }
    }

    /// Reads up to `count` bytes at an offset; fewer at the end.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read them.
    func read(at offset: Int64, count: Int) throws(PictureFailure) -> [UInt8] {
        switch self {
        case .memory(let bytes):
            guard offset >= 0, offset < Int64(bytes.count), count > 0 else { return [] }
            return Array(bytes[Int(offset)..<(Int(offset) + min(count, bytes.count - Int(offset)))])
        case .file(let file): return try file.read(at: offset, count: count)
        }
    }
}
