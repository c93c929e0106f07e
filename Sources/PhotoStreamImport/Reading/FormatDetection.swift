/// Finds out how a source is written down.
enum FormatDetection {
    /// How many bytes of the first line are looked at.
    static let sniffedByteCount = 65_536

    /// The format that a path's extension names.
    static func format(ofPath path: String) -> ImportFormat? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "jsonl", "ndjson": return .jsonl
        case "json": return .json
        case "csv": return .csv
        case "tsv": return .tsv
        default: return nil
        }
    }

    /// The format that the first line shows; `bytes` begin with something that is no blank.
    ///
    /// A `[` begins an array. A `{` begins JSON Lines if its object ends in the same line, else an object of several
    /// lines. Anything else is a header: of tab-separated cells if there is a tab in it.
    static func format(ofFirstLine line: UnsafeRawBufferPointer) -> ImportFormat {
        switch line.first {
        case UInt8(ascii: "["): return .json
        case UInt8(ascii: "{"):
            var scan = BracketScan()
            return scan.end(in: line, isInArray: false) == nil ? .json : .jsonl
        default: return line.firstOffset(of: UInt8(ascii: "\t")) == nil ? .csv : .tsv
        }
    }
}
