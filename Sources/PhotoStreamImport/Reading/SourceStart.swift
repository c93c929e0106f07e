#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The start of a source, before its first record.
enum SourceStart {
    /// The number of bytes searched for a first character that is not blank.
    private static let searchedByteCount = 1 << 20

    /// The magic numbers of compressed files, and the programs that decompress them.
    private static let compressions: [(format: String, bytes: [UInt8], program: String)] = [
        ("gzip", [0x1F, 0x8B], "zcat"), ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD], "zstdcat"),
        ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xzcat"),
        ("bzip2", [0x42, 0x5A, 0x68, 0x39, 0x31, 0x41], "bzcat"), ("zip", [0x50, 0x4B, 0x03, 0x04], "unzip -p"),
    ]

    /// Skips a byte order mark and checks that text follows.
    ///
    /// - Throws: ``ImportError`` if the source is empty, blank or compressed, or is UTF-16.
    static func check(_ buffer: InputBuffer, name: String) throws(ImportError) {
        while buffer.bytes.count < 6, !buffer.isAtEnd { try buffer.fill() }
        guard !buffer.bytes.isEmpty else { throw ImportError("\(name.capitalizedFirst) is empty.") }
        if buffer.bytes.starts(with: [0xFF, 0xFE]) || buffer.bytes.starts(with: [0xFE, 0xFF]) {
            throw ImportError("\(name.capitalizedFirst) is UTF-16 text; convert it to UTF-8.")
        }
        if let compression = compressions.first(where: { buffer.bytes.starts(with: $0.bytes) }) {
            throw ImportError(
                "\(name.capitalizedFirst) is compressed with \(compression.format); decompress it with: "
                    + "\(compression.program) FILE | photostream import --stream NAME -")
        }
        if buffer.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { buffer.consume(3) }
        while buffer.bytes.firstNonBlankOffset == nil, buffer.bytes.count < searchedByteCount {
            guard !buffer.isAtEnd else {
                throw ImportError("\(name.capitalizedFirst) is empty: it contains only white space.")
            }
            try buffer.fill()
        }
    }

    /// Returns the requested format, or else that of the extension, or else that of the first line.
    static func format(of buffer: InputBuffer, path: String, options: ImportOptions) throws(ImportError) -> ImportFormat
    {
        guard options.format == .auto else { return options.format }
        if let format = FormatDetection.format(ofPath: path) { return format }
        return FormatDetection.format(ofFirstLine: try firstLine(of: buffer))
    }

    /// Checks that a source to be read as JSON does not begin with a valid CSV or TSV header, which would make every
    /// record invalid.
    ///
    /// - Throws: ``ImportError`` with the format that the source appears to have.
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

    /// Returns the separator of a file of cells: a tab in TSV, and in CSV a comma, or a semicolon if the header has more of
    /// those, as the files of spreadsheets do in countries that write decimals with a comma.
    ///
    /// - Throws: ``ImportError`` if the source cannot be read.
    static func separator(of format: ImportFormat, in buffer: InputBuffer) throws(ImportError) -> UInt8 {
        guard format == .csv else { return UInt8(ascii: "\t") }
        let line = try firstLine(of: buffer)
        var (isQuoted, balance) = (false, 0)
        for offset in 0..<line.count {
            switch line[offset] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: balance += 1
            case UInt8(ascii: ";") where !isQuoted: balance -= 1
            default: break
            }
        }
        return balance < 0 ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }

    /// Returns the first line that is not blank, up to the number of bytes that are examined.
    private static func firstLine(of buffer: InputBuffer) throws(ImportError) -> Bytes {
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
    /// The text with an upper-case first letter, for the start of a sentence.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// A source with an open descriptor.
struct OpenSource {
    /// Returns the name of a source in errors.
    static func name(of path: String) -> String { path == "-" ? "standard input" : "\"\(path)\"" }

    let path: String
    /// The name of the source in positions: its path, or a label that hides the path.
    let label: String
    let descriptor: Int32
    let closesDescriptor: Bool

    var name: String { label == path ? Self.name(of: path) : label }

    /// Opens a file, or uses standard input for `-`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limits: The memory limits and the descriptor of standard input.
    ///   - label: The name of the source in positions and errors; `nil` for its path.
    /// - Throws: ``ImportError`` with the path.
    init(path: String, limits: ReaderLimits, label: String? = nil) throws(ImportError) {
        self.path = path
        self.label = label ?? path
        guard path != "-" else {
            descriptor = limits.standardInput
            closesDescriptor = false
            return
        }
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        closesDescriptor = true
        guard descriptor >= 0 else { throw Self.error(errno, path: path) }
    }

    /// Returns the number of unread bytes of a regular file; `nil` for a pipe or the like.
    ///
    /// - Throws: ``ImportError`` if the path is missing, not readable, or a directory.
    static func regularByteCount(of path: String, limits: ReaderLimits) throws(ImportError) -> Int64? {
        var status = stat()
        guard path != "-" else {
            guard unsafe fstat(limits.standardInput, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            return Int64(status.st_size) - Int64(max(0, lseek(limits.standardInput, 0, SEEK_CUR)))
        }
        guard unsafe stat(path, &status) == 0 else { throw error(errno, path: path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw ImportError("\(name(of: path)) is a directory, not a file.")
        }
        guard unsafe access(path, R_OK) == 0 else { throw error(errno, path: path) }
        return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    private static func error(_ code: Int32, path: String) -> ImportError {
        switch code {
        case ENOENT where path.unicodeScalars.contains("\u{FFFD}"):
            // Process arguments arrive as text, in which invalid bytes have been replaced.
            ImportError(
                "The file \(name(of: path)) cannot be opened by name, because its name is not valid UTF-8; rename it, or pass its "
                    + "contents to standard input: photostream import --stream NAME - < FILE")
        case ENOENT: ImportError("There is no file \(name(of: path)).")
        case EACCES: ImportError("There is no permission to read \(name(of: path)).")
        default: ImportError("\(name(of: path)) cannot be opened: \(String(errorNumber: code)).")
        }
    }
}

/// Detects the format of a source.
enum FormatDetection {
    /// The number of bytes of the first line that are examined.
    static let sniffedByteCount = 65_536

    /// Returns the format of a path's extension.
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

    /// Returns the format that a first line suggests.
    ///
    /// The line must begin with a character that is not blank.
    ///
    /// A `[` begins an array. A `{` begins JSON Lines if its object ends on the same line, and an object of several
    /// lines otherwise. Anything else is a header: tab-separated if it contains a tab.
    static func format(ofFirstLine line: Bytes) -> ImportFormat {
        switch line.first {
        case UInt8(ascii: "["): return .json
        case UInt8(ascii: "{"):
            var scan = BracketScan()
            return scan.end(in: line, isInArray: false) == nil ? .json : .jsonl
        default: return line.firstOffset(of: UInt8(ascii: "\t")) == nil ? .csv : .tsv
        }
    }
}
