/// Finds where records begin and end in bytes that arrive in blocks.
///
/// A framer remembers how far it has looked, so that a record that spans many blocks is looked at once.
protocol RecordFramer {
    /// Looks at the unconsumed bytes; the same ones come first again until they are consumed.
    mutating func step(_ bytes: UnsafeRawBufferPointer, isAtEnd: Bool) -> FrameStep

    /// Forgets all bytes that were looked at but not the state: they belong to a record that is too long to hold.
    mutating func dropScanned()
}

/// What a framer found.
enum FrameStep: Equatable {
    /// The record that begins with these bytes is not complete: more must be read.
    case needsMore
    /// These bytes belong to no record.
    case skip(Int)
    /// A record.
    case record(Frame)
    /// Something that is no record where one is due, `consumed` bytes long.
    case fault(FrameFault, consumed: Int)
    /// Nothing more can be made of this source after its next `consumed` bytes.
    case fatal(FrameFault)
    /// The source is used up.
    case end
}

/// Where a record lies in the unconsumed bytes.
struct Frame: Equatable {
    /// The record's bytes, without the line end.
    var range: Range<Int>
    /// How many bytes are done with after the record.
    var consumed: Int
    /// Whether the source ended before the record's end was seen.
    var isCut = false
    /// Whether the record is one whole line with its line end.
    var isWholeLine = false
    /// Something between this record and the one before it that makes it unreadable.
    var fault: FrameFault?
}

/// What can be wrong between records.
enum FrameFault: String {
    case missingComma = "a comma is missing before the record"
    case missingElement = "a record is missing before the comma"
    case trailingComma = "no record follows the last comma"
    case notJSON = "the source begins with neither an array nor an object; the rest of it is not read"
    case textAfterArray = "text follows the end of the array; the rest of the source is not read"
    case textAfterObject = "text that is no object follows an object; the rest of the source is not read"
    case openArray = "the array is never closed: the source ends early"
}

/// How a source ends its lines, as its first line end shows.
enum LineEnding {
    case unknown
    /// LF, or CR LF.
    case lineFeed
    /// CR alone.
    case carriageReturn

    /// The byte that ends a line; LF as long as nothing is known.
    var byte: UInt8 { self == .carriageReturn ? .carriageReturn : .lineFeed }
}
