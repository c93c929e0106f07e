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
    private var scanned = 0
    /// The open brackets.
    private var open: [UInt8] = []
    private var openBraceCount = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether the value is an object or an array; `nil` before its first byte.
    private var beginsWithBracket: Bool?

    /// Starts a new value.
    mutating func restart() {
        open.removeAll(keepingCapacity: true)
        (scanned, openBraceCount) = (0, 0)
        (isInString, isEscaped, beginsWithBracket) = (false, false, nil)
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
            let isObjectOrArray = beginsWithBracket ?? (byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["))
            beginsWithBracket = isObjectOrArray
            switch byte {
            case .quote: isInString = true
            case UInt8(ascii: "{"):
                openBraceCount += 1
                open.append(byte)
            case UInt8(ascii: "["): open.append(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                let isBrace = byte == UInt8(ascii: "}")
                if close(isBrace: isBrace) {
                    if open.isEmpty, isObjectOrArray { return scanned + 1 }
                } else if isInArray, !isBrace {
                    return scanned
                }
            case UInt8(ascii: ","):
                if open.isEmpty, isInArray { return scanned }
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

    /// Closes the nearest open bracket of the kind and everything inside it; returns `false` if there is none.
    private mutating func close(isBrace: Bool) -> Bool {
        guard isBrace ? openBraceCount > 0 : open.count > openBraceCount else { return false }
        while let last = open.popLast() {
            let isOpenBrace = last == UInt8(ascii: "{")
            if isOpenBrace { openBraceCount -= 1 }
            if isOpenBrace == isBrace { break }
        }
        return true
    }
}
