/// Frames a source in which every line is a record.
struct LineFramer: RecordFramer {
    private var scanned = 0
    private var ending = LineEnding.unknown

    mutating func step(_ bytes: UnsafeRawBufferPointer, isAtEnd: Bool) -> FrameStep {
        if ending == .unknown { findEnding(in: bytes, isAtEnd: isAtEnd) }
        guard ending != .unknown, let end = bytes.firstOffset(of: ending.byte, from: scanned) else {
            return stepWithoutEnd(bytes, isAtEnd: isAtEnd)
        }
        scanned = 0
        let hasReturn = end > 0 && bytes[end - 1] == .carriageReturn
        return .record(Frame(range: 0..<(hasReturn ? end - 1 : end), consumed: end + 1, isWholeLine: true))
    }

    mutating func dropScanned() { scanned = 0 }

    private mutating func stepWithoutEnd(_ bytes: UnsafeRawBufferPointer, isAtEnd: Bool) -> FrameStep {
        guard isAtEnd else {
            // A CR at the very end stays unscanned until it is known what follows it.
            scanned = ending == .unknown && bytes.last == .carriageReturn ? bytes.count - 1 : bytes.count
            return .needsMore
        }
        scanned = 0
        guard !bytes.isEmpty else { return .end }
        let end = bytes.last == .carriageReturn ? bytes.count - 1 : bytes.count
        return .record(Frame(range: 0..<end, consumed: bytes.count, isCut: true))
    }

    private mutating func findEnding(in bytes: UnsafeRawBufferPointer, isAtEnd: Bool) {
        let lineFeed = bytes.firstOffset(of: .lineFeed, from: scanned)
        let line = bytes.slice(0..<(lineFeed ?? bytes.count))
        if let carriageReturn = line.firstOffset(of: .carriageReturn, from: min(scanned, line.count)),
            carriageReturn + 1 < line.count
        {
            ending = .carriageReturn
        } else if lineFeed != nil {
            ending = .lineFeed
        } else if isAtEnd, line.last == .carriageReturn {
            ending = .carriageReturn
        }
    }
}
