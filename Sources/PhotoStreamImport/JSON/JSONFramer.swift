/// A framer for the elements of a JSON array, or for consecutive objects.
///
/// It matches brackets and strings only.
///
/// The contents of an element are not validated here, so an invalid element does not hide the next one.
struct JSONFramer: RecordFramer {
    private enum Phase {
        case start
        /// After `[`.
        case firstElement
        /// After a comma.
        case nextElement
        /// Inside an element of the array.
        case element
        case afterElement
        case afterArray
        /// Inside an object that is not in an array.
        case object
        case afterObject
        case ended
    }

    private var phase = Phase.start
    private var fault: FrameFault?
    private var scan = BracketScan()

    mutating func step(_ bytes: Bytes, isAtEnd: Bool) -> FrameStep {
        if phase == .element || phase == .object { return stepInElement(bytes, isAtEnd: isAtEnd) }
        guard let first = bytes.firstNonBlankOffset else {
            guard bytes.isEmpty else { return .skip(bytes.count) }
            return isAtEnd ? stepAtEnd() : .needsMore
        }
        return first > 0 ? .skip(first) : step(at: bytes[0])
    }

    mutating func dropScanned() { scan.dropScanned() }

    private mutating func step(at byte: UInt8) -> FrameStep {
        switch (phase, byte) {
        case (.start, UInt8(ascii: "[")): return move(to: .firstElement)
        case (.start, UInt8(ascii: "{")), (.afterObject, UInt8(ascii: "{")): return begin(.object)
        case (.start, _): return end(with: .notJSON)
        case (.afterObject, _): return end(with: .textAfterObject)
        case (.afterArray, _): return end(with: .textAfterArray)
        case (.firstElement, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")): return move(to: .afterArray)
        case (.nextElement, UInt8(ascii: "]")):
            phase = .afterArray
            return .fault(.trailingComma, consumed: 1)
        case (.firstElement, UInt8(ascii: ",")), (.nextElement, UInt8(ascii: ",")):
            phase = .nextElement
            return .fault(.missingElement, consumed: 1)
        case (.afterElement, UInt8(ascii: ",")): return move(to: .nextElement)
        case (.afterElement, _):
            fault = .missingComma
            return begin(.element)
        default: return begin(.element)
        }
    }

    private mutating func move(to phase: Phase) -> FrameStep {
        self.phase = phase
        return .skip(1)
    }

    private mutating func begin(_ phase: Phase) -> FrameStep {
        self.phase = phase
        scan.restart()
        return .skip(0)
    }

    private mutating func end(with fault: FrameFault) -> FrameStep {
        phase = .ended
        return .fatal(fault)
    }

    private mutating func stepAtEnd() -> FrameStep {
        switch phase {
        case .firstElement, .nextElement, .afterElement: end(with: .openArray)
        default: .end
        }
    }

    private mutating func stepInElement(_ bytes: Bytes, isAtEnd: Bool) -> FrameStep {
        let isInArray = phase == .element
        guard let end = scan.end(in: bytes, isInArray: isInArray) else {
            guard isAtEnd else { return .needsMore }
            phase = .ended
            return .record(Frame(range: 0..<bytes.count, consumed: bytes.count, isCut: true, fault: fault))
        }
        phase = isInArray ? .afterElement : .afterObject
        defer { fault = nil }
        return .record(Frame(range: 0..<end, consumed: end, fault: fault))
    }
}

/// Finds the end of a JSON value by matching brackets and strings.
///
/// - Complexity: O(bytes): each bracket is opened once and closed once.
struct BracketScan {
    /// Deeper brackets are counted but their kinds are not compared; such a value is rejected anyway.
    private static let trackedDepth = 1_024

    private var scanned = 0
    private var depth = 0
    /// The number of open brackets of each kind, up to ``trackedDepth``.
    private var (openBraces, openSquares) = (0, 0)
    private var isInString = false
    private var isEscaped = false
    private var beginsWithBracket = false
    private var isStarted = false
    /// One bit per depth: whether the bracket is `{`.
    private var openedByBrace = [UInt64](repeating: 0, count: Self.trackedDepth / 64)

    /// Starts a new value.
    ///
    /// The bits need no clearing, since opening a bracket sets its own.
    mutating func restart() {
        (scanned, depth, openBraces, openSquares) = (0, 0, 0, 0)
        (isInString, isEscaped, beginsWithBracket, isStarted) = (false, false, false, false)
    }

    mutating func dropScanned() { scanned = 0 }

    /// Returns the offset after the value; `nil` until it is complete.
    ///
    /// A closing bracket of the wrong kind closes everything up to the nearest one of its kind. In an array, an
    /// unmatched `]` closes the array, and the value ends before it.
    mutating func end(in bytes: Bytes, isInArray: Bool) -> Int? {
        while scanned < bytes.count {
            if isInString {
                skipString(bytes)
                continue
            }
            let byte = bytes[scanned]
            if !isStarted {
                isStarted = true
                beginsWithBracket = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
            }
            switch byte {
            case .quote: isInString = true
            case UInt8(ascii: "{"): open(isBrace: true)
            case UInt8(ascii: "["): open(isBrace: false)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                let isBrace = byte == UInt8(ascii: "}")
                if close(isBrace: isBrace) {
                    if depth == 0, beginsWithBracket { return scanned + 1 }
                } else if isInArray, !isBrace {
                    return scanned
                }
            case UInt8(ascii: ","):
                if depth == 0, isInArray { return scanned }
            default: break
            }
            scanned += 1
        }
        return nil
    }

    private mutating func skipString(_ bytes: Bytes) {
        if isEscaped {
            isEscaped = false
            scanned += 1
            return
        }
        let stop = bytes.offsetOfQuoteOrBackslash(from: scanned)
        scanned = min(stop + 1, bytes.count)
        guard stop < bytes.count else { return }
        if bytes[stop] == .quote { isInString = false } else { isEscaped = true }
    }

    private mutating func open(isBrace: Bool) {
        if depth < Self.trackedDepth {
            let bit: UInt64 = 1 << UInt64(depth % 64)
            if isBrace { openedByBrace[depth / 64] |= bit } else { openedByBrace[depth / 64] &= ~bit }
            count(isBrace: isBrace, by: 1)
        }
        depth += 1
    }

    /// Closes the nearest open bracket of the kind and everything inside it; returns `false` if there is none.
    private mutating func close(isBrace: Bool) -> Bool {
        guard depth <= Self.trackedDepth else {
            depth -= 1
            return true
        }
        guard (isBrace ? openBraces : openSquares) > 0 else { return false }
        while depth > 0 {
            depth -= 1
            let isOpenBrace = openedByBrace[depth / 64] >> UInt64(depth % 64) & 1 == 1
            count(isBrace: isOpenBrace, by: -1)
            if isOpenBrace == isBrace { break }
        }
        return true
    }

    private mutating func count(isBrace: Bool, by change: Int) {
        if isBrace { openBraces += change } else { openSquares += change }
    }
}
