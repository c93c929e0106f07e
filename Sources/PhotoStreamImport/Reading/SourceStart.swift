/// The beginning of a source, before its first record.
enum SourceStart {
    /// How far a first character that is no blank is looked for.
    private static let searchedByteCount = 1 << 20

    /// The first bytes of compressed files, and the programs that print what is in them.
    private static let compressions: [(format: String, bytes: [UInt8], program: String)] = [
        ("gzip", [0x1F, 0x8B], "zcat"), ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD], "zstdcat"),
        ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xzcat"),
        ("bzip2", [0x42, 0x5A, 0x68, 0x39, 0x31, 0x41], "bzcat"), ("zip", [0x50, 0x4B, 0x03, 0x04], "unzip -p"),
    ]

    /// Steps over a byte order mark and checks that text follows.
    ///
    /// - Throws: ``ImportError`` when the source is empty, blank or compressed, or begins as UTF-16 does.
    static func check(_ buffer: InputBuffer, name: String) throws(ImportError) {
        while buffer.bytes.count < 6, !buffer.isAtEnd { try buffer.fill() }
        guard !buffer.bytes.isEmpty else { throw ImportError("\(name.capitalizedFirst) is empty.") }
        if buffer.bytes.starts(with: [0xFF, 0xFE]) || buffer.bytes.starts(with: [0xFE, 0xFF]) {
            throw ImportError("\(name.capitalizedFirst) is UTF-16 text; convert it to UTF-8.")
        }
        if let compression = compressions.first(where: { buffer.bytes.starts(with: $0.bytes) }) {
            throw ImportError(
                "\(name.capitalizedFirst) is compressed with \(compression.format); unpack it on the way: "
                    + "\(compression.program) FILE | photostream import --stream NAME -")
        }
        if buffer.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { buffer.consume(3) }
        while buffer.bytes.firstNonBlankOffset == nil, buffer.bytes.count < searchedByteCount {
            guard !buffer.isAtEnd else {
                throw ImportError("\(name.capitalizedFirst) is empty: it holds nothing but white space.")
            }
            try buffer.fill()
        }
    }

    /// The format that is asked for, else that of the extension, else that of the first line.
    static func format(of buffer: InputBuffer, path: String, options: ImportOptions) throws(ImportError) -> ImportFormat
    {
        guard options.format == .auto else { return options.format }
        if let format = FormatDetection.format(ofPath: path) { return format }
        return FormatDetection.format(ofFirstLine: try firstLine(of: buffer))
    }

    /// Checks that what is to be read as JSON does not begin with a header that would do, which is no record's mistake.
    ///
    /// - Throws: ``ImportError`` naming the format that it looks like.
    static func checkIsJSON(_ buffer: InputBuffer, name: String, options: ImportOptions) throws(ImportError) {
        let line = try firstLine(of: buffer)
        guard let first = line.first, first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else { return }
        for (format, separator) in [(ImportFormat.tsv, UInt8(ascii: "\t")), (.csv, UInt8(ascii: ","))] {
            guard line.firstOffset(of: separator) != nil else { continue }
            var parser = RowParser(separator: separator, usesQuoting: options.usesQuoting(in: format))
            guard (try? parser.readHeader(line, mapping: options.mapping, name: name)) != nil else { continue }
            throw ImportError(
                "\(name.capitalizedFirst) begins with the header of a \(format.rawValue.uppercased()) file, not with JSON; "
                    + "import it with --format \(format.rawValue).")
        }
    }

    /// The first line that is not blank, or as much of it as is looked at.
    private static func firstLine(of buffer: InputBuffer) throws(ImportError) -> UnsafeRawBufferPointer {
        while true {
            let bytes = buffer.bytes
            let start = bytes.firstNonBlankOffset ?? 0
            let limit = start + FormatDetection.sniffedByteCount
            let window = bytes.slice(0..<min(bytes.count, limit))
            let end =
                window.firstOffset(of: .lineFeed, from: start)
                ?? window.firstOffset(of: .carriageReturn, from: start)
            guard end == nil, bytes.count < limit, !buffer.isAtEnd else {
                return window.slice(start..<(end ?? window.count))
            }
            try buffer.fill()
        }
    }
}

extension String {
    /// The text with its first letter upper case, for the beginning of a sentence.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
