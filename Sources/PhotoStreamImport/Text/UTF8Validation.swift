/// The first place where bytes stop being UTF-8.
struct UTF8Fault: Equatable {
    /// Where the offending sequence begins.
    let offset: Int
    /// Whether the bytes end within a sequence that is right so far.
    let isCut: Bool
}

extension UnsafeRawBufferPointer {
    /// The first fault in the UTF-8, overlong forms and surrogates included; `nil` for valid text.
    ///
    /// Source: The Unicode Standard 15, table 3-7, "Well-Formed UTF-8 Byte Sequences".
    var firstUTF8Fault: UTF8Fault? {
        var offset = 0
        while offset < count {
            // ASCII is the rule: eight bytes at a time as long as no high bit is set.
            while offset + 8 <= count,
                loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                offset += 8
            }
            guard offset < count else { return nil }
            guard self[offset] >= 0x80 else {
                offset += 1
                continue
            }
            switch sequenceLength(at: offset) {
            case .valid(let length): offset += length
            case .invalid: return UTF8Fault(offset: offset, isCut: false)
            case .cut: return UTF8Fault(offset: offset, isCut: true)
            }
        }
        return nil
    }

    private enum Sequence {
        case valid(Int)
        case invalid
        case cut
    }

    private func sequenceLength(at offset: Int) -> Sequence {
        let lead = self[offset]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return .invalid
        }
        for step in 1..<length {
            guard offset + step < count else { return .cut }
            let byte = self[offset + step]
            guard step == 1 ? second.contains(byte) : byte.isContinuation else { return .invalid }
        }
        return .valid(length)
    }
}
