import Foundation

extension String {
    /// The text on one line, safe for terminals: runs of white space become one space; other control characters and
    /// those that reorder text are removed.
    var onOneLine: String {
        var result = String.UnicodeScalarView()
        var needsSpace = false
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace {
                needsSpace = !result.isEmpty
            } else if !scalar.isUnprintable {
                if needsSpace { result.append(" ") }
                needsSpace = false
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The text cut to `width` cells, with an ellipsis in place of the rest.
    func cut(toCells width: Int) -> String {
        guard cellWidth > width else { return self }
        var result = ""
        var rest = width - 1
        for character in self {
            rest -= character.cellWidth
            guard rest >= 0 else { break }
            result.append(character)
        }
        return result + "…"
    }
}

extension Unicode.Scalar {
    /// Whether it changes the direction of the text after it, beyond its own text.
    private var isReordering: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }

    /// Whether it is a control character, reorders text, or is not a character.
    fileprivate var isUnprintable: Bool {
        properties.generalCategory == .control || isReordering || properties.isNoncharacterCodePoint
    }
}

extension BinaryInteger {
    /// The number with a comma after every three digits.
    var grouped: String {
        let digits = Array(magnitude.description)
        var text = self < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// The number with a noun: `1 photo`, `1,200 photos`.
    func counting(_ noun: String) -> String {
        grouped + " " + noun + (self == 1 ? "" : "s")
    }
}

extension StringProtocol {
    /// The width of the text in terminal cells: two for CJK and emoji, none for combining marks.
    ///
    /// - Complexity: O(scalars).
    var cellWidth: Int { reduce(0) { $0 + $1.cellWidth } }
}

extension Character {
    /// The width in terminal cells.
    var cellWidth: Int {
        if let ascii = asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        return isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.cellWidth }
    }

    /// Whether it is displayed as a colour image.
    private var isEmoji: Bool {
        unicodeScalars.contains { $0 == "\u{FE0F}" || $0.properties.isEmojiPresentation }
    }
}

extension Unicode.Scalar {
    /// The width in terminal cells without combining marks.
    ///
    /// Source: Unicode Standard Annex 11, the ranges with an East Asian Width of W or F, merged into blocks.
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

/// The size of the terminal window.
enum Terminal {
    /// The width of standard output in cells: the window's, or 120 without a terminal.
    static var lineWidth: Int { width(of: STDOUT_FILENO) ?? 120 }

    /// Returns the width of a terminal in cells; `nil` if the descriptor is not a terminal.
    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
