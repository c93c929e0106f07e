/// A framer for CSV and TSV rows whose quotes may enclose line endings (RFC 4180).
struct RowFramer: RecordFramer {
    private enum State {
        /// At the start of a cell.
        case cellStart
        /// In an unquoted cell, or after the closing quote of a quoted one.
        case plain
        /// Between quotes.
        case quoted
        /// After a quote that either closes the cell or is the first of a doubled quote.
        case quoteInQuoted
    }

    private let separator: UInt8
    private var scanned = 0
    private var state = State.cellStart
    private var ending = LineEnding.unknown
    private var hasInnerLineEnd = false

    init(separator: UInt8) {
        self.separator = separator
    }

    mutating func step(_ bytes: Bytes, isAtEnd: Bool) -> FrameStep {
        if let frame = wholeLineWithoutQuotes(bytes) { return .record(frame) }
        while scanned < bytes.count {
            let byte = bytes[scanned]
            if state == .quoted {
                let quote = bytes.firstOffset(of: .quote, from: scanned)
                hasInnerLineEnd = true
                state = quote == nil ? .quoted : .quoteInQuoted
                scanned = quote.map { $0 + 1 } ?? bytes.count
            } else if byte == .lineFeed || byte == .carriageReturn {
                guard ending != .unknown || byte == .lineFeed || scanned + 1 < bytes.count || isAtEnd else {
                    return .needsMore
                }
                if let frame = frameAtLineEnd(bytes) { return .record(frame) }
            } else {
                step(over: byte)
                scanned += 1
            }
        }
        return isAtEnd ? lastFrame(bytes) : .needsMore
    }

    mutating func dropScanned() { scanned = 0 }

    /// Handles the common case without examining every byte.
    private mutating func wholeLineWithoutQuotes(_ bytes: Bytes) -> Frame? {
        guard scanned == 0, state == .cellStart, ending != .unknown,
            let end = bytes.firstOffset(of: ending.byte), bytes.slice(0..<end).firstOffset(of: .quote) == nil
        else { return nil }
        let hasReturn = end > 0 && bytes[end - 1] == .carriageReturn
        return Frame(range: 0..<(hasReturn ? end - 1 : end), consumed: end + 1, isWholeLine: true)
    }

    private mutating func step(over byte: UInt8) {
        switch (state, byte) {
        case (_, separator): state = .cellStart
        case (.cellStart, .quote): state = .quoted
        case (.quoteInQuoted, .quote): state = .quoted
        default: state = .plain
        }
    }

    /// Returns the row that ends here.
    ///
    /// If the byte does not end lines in this source, steps over it and returns `nil`.
    private mutating func frameAtLineEnd(_ bytes: Bytes) -> Frame? {
        if ending == .unknown {
            let isPair = scanned + 1 < bytes.count && bytes[scanned + 1] == .lineFeed
            ending = bytes[scanned] == .lineFeed || isPair ? .lineFeed : .carriageReturn
        }
        guard bytes[scanned] == ending.byte else {
            state = .plain
            scanned += 1
            return nil
        }
        let hasReturn = scanned > 0 && bytes[scanned - 1] == .carriageReturn
        let frame = Frame(
            range: 0..<(hasReturn ? scanned - 1 : scanned),
            consumed: scanned + 1,
            isWholeLine: !hasInnerLineEnd
        )
        reset()
        return frame
    }

    private mutating func lastFrame(_ bytes: Bytes) -> FrameStep {
        guard !bytes.isEmpty else { return .end }
        let isCut = state == .quoted
        reset()
        let end = bytes.last == .carriageReturn && !isCut ? bytes.count - 1 : bytes.count
        return .record(Frame(range: 0..<end, consumed: bytes.count, isCut: isCut))
    }

    private mutating func reset() {
        scanned = 0
        state = .cellStart
        hasInnerLineEnd = false
    }
}
