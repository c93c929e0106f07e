/// Frames the elements of a JSON array, or objects that follow one another, by brackets and strings alone.
///
/// What lies between an element's brackets is not checked here, so a broken element does not hide the next one.
struct JSONFramer: RecordFramer {
    private enum Phase {
        case start
        /// Behind `[`.
        case firstElement
        /// Behind a comma.
        case nextElement
        /// In an element of the array.
        case element
        case afterElement
        case afterArray
        /// In an object that is not in an array.
        case object
        case afterObject
        case ended
    }

    private var phase = Phase.start
    private var fault: FrameFault?
    private var scan = BracketScan()

    mutating func step(_ bytes: UnsafeRawBufferPointer, isAtEnd: Bool) -> FrameStep {
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

    private mutating func stepInElement(_ bytes: UnsafeRawBufferPointer, isAtEnd: Bool) -> FrameStep {
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
