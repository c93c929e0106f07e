/// Which bytes of a file a request asks for.
enum ByteRangeSelection: Equatable {
    /// All of them.
    case whole
    /// Some, at least one, inside the file.
    case part(Range<Int64>)
    /// None that the file has.
    case unsatisfiable

    /// Reads the field `Range`.
    ///
    /// Whatever is no range of bytes counts as no field, and so do several ranges: all bytes hold them all, and nobody can
    /// ask for the same ones a hundred times.
    ///
    /// - Parameters:
    ///   - field: The field, such as `bytes=0-499`, `bytes=500-` or `bytes=-500`; `nil` without it.
    ///   - byteCount: The length of the file.
    ///
    /// Source: RFC 9110, section 14.
    init(_ field: String?, of byteCount: Int64) {
        self = .whole
        guard let sides = field?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false),
            sides.count == 2,
            sides[0].trimmingSpaces.lowercased() == "bytes"
        else { return }
        // A list may have empty elements.
        let ranges = sides[1].split(separator: ",").map(\.trimmingSpaces).filter { !$0.isEmpty }
        guard ranges.count == 1, let range = ranges.first else { return }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else { return }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let count?):
            self = count == 0 || byteCount == 0 ? .unsatisfiable : .part(max(0, byteCount - count)..<byteCount)
        case (let first?, let last):
            if let last, last < first { return }
            self = first >= byteCount ? .unsatisfiable : .part(first..<min(last ?? byteCount, byteCount - 1) + 1)
        }
    }

    /// A number of digits, saturating; `.some(nil)` for no digits, `nil` for anything else.
    private static func number(_ text: Substring) -> Int64?? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return text.isEmpty ? .some(nil) : Int64(text) ?? .max - 1
    }
}
