/// The search for the end of one JSON value, by matching brackets and strings.
///
/// - Complexity: O(bytes), whatever the brackets: each is opened once and closed once.
struct BracketScan {
    /// Brackets deeper than this are counted but not told apart; such a value is refused anyway.
    private static let trackedDepth = 1_024

    private var scanned = 0
    private var depth = 0
    /// How many brackets of either kind are open up to ``trackedDepth``.
    private var (openBraces, openSquares) = (0, 0)
    private var isInString = false
    private var isEscaped = false
    private var beginsWithBracket = false
    private var isStarted = false
    /// One bit per depth: whether it was opened by `{`.
    private var openedByBrace = [UInt64](repeating: 0, count: Self.trackedDepth / 64)

    /// Starts over with another value; the bits need no clearing, since opening a bracket sets its own.
    mutating func restart() {
        (scanned, depth, openBraces, openSquares) = (0, 0, 0, 0)
        (isInString, isEscaped, beginsWithBracket, isStarted) = (false, false, false, false)
    }

    mutating func dropScanned() { scanned = 0 }

    /// The offset behind the value, or `nil` while it is not there yet.
    ///
    /// A closing bracket of the wrong kind closes up to the nearest one of its kind. In an array a `]` that has none
    /// is the array's own, and the value ends before it.
    mutating func end(in bytes: UnsafeRawBufferPointer, isInArray: Bool) -> Int? {
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

    private mutating func skipString(_ bytes: UnsafeRawBufferPointer) {
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
            count(isBrace: isBrace, 1)
        }
        depth += 1
    }

    /// Closes the nearest bracket of the kind and all within it; `false` when none is open.
    private mutating func close(isBrace: Bool) -> Bool {
        guard depth <= Self.trackedDepth else {
            depth -= 1
            return true
        }
        guard (isBrace ? openBraces : openSquares) > 0 else { return false }
        while depth > 0 {
            depth -= 1
            let isOpenBrace = openedByBrace[depth / 64] >> UInt64(depth % 64) & 1 == 1
            count(isBrace: isOpenBrace, -1)
            if isOpenBrace == isBrace { break }
        }
        return true
    }

    private mutating func count(isBrace: Bool, _ change: Int) {
        if isBrace { openBraces += change } else { openSquares += change }
    }
}
