import PhotoStreamModel

/// Reads one source from start to end.
final class SourceReader {
    private let source: String
    private let buffer: InputBuffer
    private let options: ImportOptions
    private let maximumRecordByteCount: Int
    private var framer: any RecordFramer = LineFramer()
    private var json: JSONRecordParser
    /// The parser of CSV and TSV; `nil` for JSON.
    private var rows: RowParser?
    /// Whether quotes enclose cells.
    private var usesQuoting = false
    private var assembler: RecordAssembler
    private var fields = RecordFields()
    private var position = TextPosition()
    /// The position of a record that is too long to buffer.
    private var oversizedStart: TextPosition?
    private var isFinished = false
    /// The step that follows, if it was taken before the first record was read.
    private var pendingStep: FrameStep?

    /// The last header that was read; `nil` if the source is not an export.
    private(set) var export: ExportHeader?

    /// The fields found in any record, one bit per ``ImportField/index``.
    private(set) var seenFields: UInt32 = 0

    var consumedCount: Int64 { buffer.consumedCount }

    /// Reads the start of a source: its format and, for CSV and TSV, its header.
    ///
    /// - Throws: ``ImportError`` if the source is empty or not UTF-8 text, or if its header does not match the mapping.
    init(source: OpenSource, options: ImportOptions, limits: ReaderLimits) throws(ImportError) {
        self.source = source.label
        self.options = options
        maximumRecordByteCount = limits.maximumRecordByteCount
        buffer = InputBuffer(
            descriptor: source.descriptor,
            closesDescriptor: source.closesDescriptor,
            name: source.name,
            blockSize: limits.blockSize
        )
        json = JSONRecordParser(options.mapping)
        assembler = RecordAssembler(options)
        try SourceStart.check(buffer, name: source.name)
        let format = try SourceStart.format(of: buffer, path: source.path, options: options)
        switch format {
        case .json: framer = JSONFramer()
        case .csv, .tsv:
            usesQuoting = options.usesQuoting(in: format)
            try readHeader(separator: try SourceStart.separator(of: format, in: buffer), name: source.name)
        case .jsonl, .auto: break
        }
        guard rows == nil else { return }
        try SourceStart.checkIsJSON(buffer, name: source.name, options: options)
        try readExportHeader(name: source.name)
    }

    /// Reads the next record into `batch`.
    ///
    /// - Returns: `false` at the end of the source.
    func readNext(into batch: inout ImportBatch, warnings: inout WarningLog) throws(ImportError) -> Bool {
        while !isFinished {
            switch nextStep() {
            case .needsMore:
                // Two more bytes, for a CR LF that may follow the record.
                if buffer.bytes.count > maximumRecordByteCount + 2 { dropOversized() }
                try buffer.fill()
            case .skip(let count): consume(count)
            case .end: isFinished = true
            case .fatal(let fault):
                reject(RecordProblem(fault.rawValue, at: nil), into: &batch)
                isFinished = true
                return true
            case .fault(let fault, let count):
                reject(RecordProblem(fault.rawValue, at: nil), into: &batch)
                consume(count)
                return true
            case .record(let frame):
                let isRecord = take(frame, into: &batch, warnings: &warnings)
                consume(frame)
                if isRecord { return true }
            }
        }
        return false
    }

    /// Reads the header of an export, if it is the first record.
    ///
    /// - Throws: ``ImportError`` for a header that this version cannot read.
    private func readExportHeader(name: String) throws(ImportError) {
        while true {
            let step = nextStep()
            switch step {
            case .needsMore where buffer.bytes.count <= ExportHeader.maximumByteCount: try buffer.fill()
            case .skip(let count): consume(count)
            case .record(let frame):
                let bytes = buffer.bytes.slice(frame.range)
                if frame.fault == nil, ExportHeader.isHeader(bytes) {
                    export = try ExportHeader(bytes, name: name)
                } else if !isBlank(bytes) {
                    return pendingStep = step
                }
                consume(frame)
                if export != nil { return }
            default: return pendingStep = step
            }
        }
    }

    private func nextStep() -> FrameStep {
        guard let step = pendingStep else { return framer.step(buffer.bytes, isAtEnd: buffer.isAtEnd) }
        pendingStep = nil
        return step
    }

    // MARK: Frames

    /// Processes a framed record; returns `false` for a blank line, which is not a record.
    private func take(_ frame: Frame, into batch: inout ImportBatch, warnings: inout WarningLog) -> Bool {
        let bytes = buffer.bytes.slice(frame.range)
        if oversizedStart != nil || bytes.count > maximumRecordByteCount {
            let limit = "the record is longer than \(maximumRecordByteCount) bytes"
            let start = importPosition(oversizedStart ?? position)
            batch.rejects.append(ImportReject(position: start, reason: limit))
            oversizedStart = nil
            return true
        }
        guard !isBlank(bytes) else { return false }
        let start = rows == nil ? bytes.firstNonBlankOffset ?? 0 : 0
        do {
            var record = try record(bytes, in: frame)
            if let export { record.exported = try export.state(in: bytes) }
            warnings.add(assembler.dropped, to: &batch) { importPosition(at: $0) }
            batch.records.append(record)
        } catch {
            reject(problem(of: bytes, otherwise: error), startingAt: start, into: &batch)
        }
        return true
    }

    /// Returns the reason to reject a record: that it is the header of another export, from which on its order counts, or
    /// else a problem of a photo.
    private func problem(of record: Bytes, otherwise problem: RecordProblem) -> RecordProblem {
        guard rows == nil, problem.field == .id, ExportHeader.isHeader(record) else { return problem }
        export = try? ExportHeader(record, name: source)
        return RecordProblem(
            "this is the first line of an export, but not of its source; import the files separately", at: nil)
    }

    /// Whether a line is blank.
    ///
    /// Where tabs separate cells, a line of tabs is a record.
    private func isBlank(_ bytes: Bytes) -> Bool {
        rows == nil ? bytes.firstNonBlankOffset == nil : bytes.allSatisfy { $0 == UInt8(ascii: " ") }
    }

    private func record(_ bytes: Bytes, in frame: Frame) throws(RecordProblem) -> PhotoRecord {
        if let fault = frame.fault { throw RecordProblem(fault.rawValue, at: nil) }
        if let fault = bytes.firstUTF8Fault {
            guard frame.isCut, fault.isCut else { throw RecordProblem("invalid UTF-8", at: fault.offset) }
            throw RecordProblem(Self.endsEarly, at: nil)
        }
        if rows == nil {
            do {
                try json.parse(bytes, into: &fields)
            } catch {
                guard frame.isCut, error.kind == .endsEarly else {
                    throw RecordProblem(error.reason(in: bytes), at: error.offset)
                }
                throw RecordProblem(Self.endsEarly, at: nil)
            }
        } else {
            if frame.isCut, usesQuoting {
                throw RecordProblem("a quote that opens in this row is never closed; \(Self.quotingHint)", at: nil)
            }
            if let problem = rows?.parse(bytes, into: &fields) { throw problem }
        }
        seenFields |= fields.presentMask
        return try assembler.assemble(fields)
    }

    private static let endsEarly = "the last record ends early"
    /// The advice for quotes that do not enclose cells.
    static let quotingHint = "if quotes are plain characters here, import with --no-quoting"

    private func reject(_ problem: RecordProblem, startingAt start: Int = 0, into batch: inout ImportBatch) {
        let place = importPosition(at: problem.offset ?? start)
        batch.rejects.append(ImportReject(position: place, reason: problem.reason.withoutNUL, id: problem.id))
    }

    // MARK: Bytes and positions

    private func consume(_ frame: Frame) {
        guard frame.isWholeLine else { return consume(frame.consumed) }
        position.advance(overLine: buffer.bytes.slice(0..<frame.consumed))
        buffer.consume(frame.consumed)
    }

    private func consume(_ count: Int) {
        position.advance(over: buffer.bytes.slice(0..<count))
        buffer.consume(count)
    }

    private func dropOversized() {
        if oversizedStart == nil { oversizedStart = position }
        consume(buffer.bytes.count)
        framer.dropScanned()
    }

    private func importPosition(at offset: Int) -> ImportPosition {
        guard offset > 0 else { return importPosition(position) }
        var place = position
        place.advance(over: buffer.bytes.slice(0..<offset))
        return importPosition(place)
    }

    private func importPosition(_ place: TextPosition) -> ImportPosition {
        ImportPosition(source: source, line: place.line, column: place.column)
    }

    // MARK: Header

    private func readHeader(separator: UInt8, name: String) throws(ImportError) {
        if usesQuoting { framer = RowFramer(separator: separator) }
        var parser = RowParser(separator: separator, usesQuoting: usesQuoting)
        while true {
            switch framer.step(buffer.bytes, isAtEnd: buffer.isAtEnd) {
            case .needsMore:
                guard buffer.bytes.count <= maximumRecordByteCount else {
                    throw ImportError("The header of \(name) is longer than \(maximumRecordByteCount) bytes.")
                }
                try buffer.fill()
            case .record(let frame):
                let bytes = buffer.bytes.slice(frame.range)
                guard bytes.firstNonBlankOffset == nil else {
                    guard !frame.isCut || !usesQuoting else {
                        throw ImportError(
                            "The header of \(name) has a quote that is never closed; \(Self.quotingHint).")
                    }
                    try parser.readHeader(bytes, mapping: options.mapping, name: name)
                    consume(frame)
                    rows = parser
                    return
                }
                consume(frame)
            case .skip, .fault, .fatal, .end: throw ImportError("There is no header in \(name).")
            }
        }
    }
}
