extension StringProtocol {
    /// How many cells of a terminal the text takes: CJK and emoji two, combining marks none.
    ///
    /// - Complexity: O(scalars).
    var cellWidth: Int { reduce(0) { $0 + $1.cellWidth } }
}

extension Character {
    /// How many cells of a terminal it takes.
    var cellWidth: Int {
        if let ascii = asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        return isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.cellWidth }
    }

    /// Whether it is an ideograph, a syllable block or the like, which lines may break around.
    var isWide: Bool { isEmoji || unicodeScalars.first.map { $0.cellWidth == 2 } ?? false }

    /// Whether it is shown as a coloured picture.
    var isEmoji: Bool {
        unicodeScalars.contains { $0 == "\u{FE0F}" || $0.properties.isEmojiPresentation }
    }
}

extension Unicode.Scalar {
    /// How many cells of a terminal it takes by itself.
    ///
    /// Source: Unicode Standard Annex 11, the ranges whose East Asian Width is W or F, in blocks.
    fileprivate var cellWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
