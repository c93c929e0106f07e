/// Finds the boundaries of records in bytes that arrive in blocks.
///
/// A framer remembers the bytes it has scanned, so a record that spans many blocks is scanned once.
protocol RecordFramer {
    /// Scans the unconsumed bytes. Bytes that were not consumed come first in the next call.
    mutating func step(_ bytes: Bytes, isAtEnd: Bool) -> FrameStep

    /// Forgets the scanned bytes, but not the state: they belong to a record that is too long to buffer.
    mutating func dropScanned()
}

/// The result of one step of a framer.
enum FrameStep: Equatable {
    /// The next record is incomplete: more bytes are needed.
    case needsMore
    /// This number of bytes belongs to no record.
    case skip(Int)
    /// A record.
    case record(Frame)
    /// An error in place of a record, `consumed` bytes long.
    case fault(FrameFault, consumed: Int)
    /// An error after which the rest of the source cannot be read.
    case fatal(FrameFault)
    /// The end of the source.
    case end
}

/// The range of a record in the unconsumed bytes.
struct Frame: Equatable {
    /// The record's bytes, without the line ending.
    var range: Range<Int>
    /// The number of bytes to consume for this record.
    var consumed: Int
    /// Whether the source ended before the record did.
    var isCut = false
    /// Whether the record is one whole line, including its line ending.
    var isWholeLine = false
    /// An error between this record and the previous one that makes it invalid.
    var fault: FrameFault?
}

/// An error between records.
enum FrameFault: String {
    case missingComma = "a comma is missing before the record"
    case missingElement = "a record is missing before the comma"
    case trailingComma = "no record follows the last comma"
    case notJSON = "the source begins with neither an array nor an object; the rest of it is not read"
    case textAfterArray = "text follows the end of the array; the rest of the source is not read"
    case textAfterObject = "text that is not an object follows an object; the rest of the source is not read"
    case openArray = "the array is never closed: the source ends early"
}

/// The line ending of a source, judged by the first one.
enum LineEnding {
    case unknown
    /// LF, or CR LF.
    case lineFeed
    /// CR alone.
    case carriageReturn

    /// The byte that ends a line; LF until the ending is known.
    var byte: UInt8 { self == .carriageReturn ? .carriageReturn : .lineFeed }
}

/// A framer for sources with one record per line.
struct LineFramer: RecordFramer {
    private var scanned = 0
    private var ending = LineEnding.unknown

    mutating func step(_ bytes: Bytes, isAtEnd: Bool) -> FrameStep {
        if ending == .unknown { findEnding(in: bytes, isAtEnd: isAtEnd) }
        guard ending != .unknown, let end = bytes.firstOffset(of: ending.byte, from: scanned) else {
            return stepWithoutEnd(bytes, isAtEnd: isAtEnd)
        }
        scanned = 0
        let hasReturn = end > 0 && bytes[end - 1] == .carriageReturn
        return .record(Frame(range: 0..<(hasReturn ? end - 1 : end), consumed: end + 1, isWholeLine: true))
    }

    mutating func dropScanned() { scanned = 0 }

    private mutating func stepWithoutEnd(_ bytes: Bytes, isAtEnd: Bool) -> FrameStep {
        guard isAtEnd else {
            // A CR at the very end is left unscanned until the byte after it is known.
            scanned = ending == .unknown && bytes.last == .carriageReturn ? bytes.count - 1 : bytes.count
            return .needsMore
        }
        scanned = 0
        guard !bytes.isEmpty else { return .end }
        let end = bytes.last == .carriageReturn ? bytes.count - 1 : bytes.count
        return .record(Frame(range: 0..<end, consumed: bytes.count, isCut: true))
    }

    private mutating func findEnding(in bytes: Bytes, isAtEnd: Bool) {
        let lineFeed = bytes.firstOffset(of: .lineFeed, from: scanned)
        let line = bytes.slice(0..<(lineFeed ?? bytes.count))
        if let carriageReturn = line.firstOffset(of: .carriageReturn, from: min(scanned, line.count)),
            carriageReturn + 1 < line.count
        {
            ending = .carriageReturn
        } else if lineFeed != nil {
            ending = .lineFeed
        } else if isAtEnd, line.last == .carriageReturn {
            ending = .carriageReturn
        }
    }
}
