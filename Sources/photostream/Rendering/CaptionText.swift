/// A caption broken into lines.
///
/// Character widths are estimates, since no font is available.
struct CaptionText {
    /// The lines.
    ///
    /// The last one ends with an ellipsis if text is missing.
    let lines: [String]
    /// Whether the text is written from right to left.
    let isRightToLeft: Bool

    /// Breaks a caption into lines.
    ///
    /// - Parameters:
    ///   - text: The caption.
    ///   - width: The maximum width of a line, in units of the font size.
    ///   - maximumLines: The maximum number of lines.
    init(_ text: String, width: Double, maximumLines: Int) {
        isRightToLeft = text.unicodeScalars.first { $0.properties.isAlphabetic }?.isRightToLeft ?? false
        var rest = Self.pieces(of: text.onOneLine)[...]
        var lines: [String] = []
        while !rest.isEmpty, lines.count < maximumLines {
            lines.append(Self.line(from: &rest, width: width))
        }
        if !rest.isEmpty, let last = lines.popLast() { lines.append(Self.truncated(last, width: width)) }
        self.lines = lines
    }

    /// Returns the width of a text, in units of the font size.
    static func width(of text: some StringProtocol) -> Double {
        text.reduce(0) { $0 + $1.emWidth }
    }

    /// Takes the pieces that fit a line.
    ///
    /// A piece that fits no line is split.
    private static func line(from rest: inout ArraySlice<Substring>, width: Double) -> String {
        var line = ""
        var left = width
        while let piece = rest.first {
            let needed = self.width(of: piece.last == " " ? piece.dropLast() : piece)
            if needed <= left {
                line += piece
                left -= self.width(of: piece)
                rest.removeFirst()
            } else if line.isEmpty {
                // A word longer than the line; at least one character of it, so that the loop ends.
                let head = prefix(of: piece, width: width)
                rest[rest.startIndex] = piece.dropFirst(head.count)
                return String(head)
            } else {
                break
            }
        }
        return line.last == " " ? String(line.dropLast()) : line
    }

    private static func truncated(_ line: String, width: Double) -> String {
        let head = self.width(of: line) + 0.9 <= width ? line[...] : prefix(of: line[...], width: width - 0.9)
        let end = head.lastIndex { !" .,;:–—-…".contains($0) }
        return (end.map { head[...$0] } ?? head) + "…"
    }

    private static func prefix(of text: Substring, width: Double) -> Substring {
        var left = width
        var end = text.startIndex
        for index in text.indices {
            left -= text[index].emWidth
            guard left >= 0 || index == text.startIndex else { break }
            end = text.index(after: index)
        }
        return text[..<end]
    }

    /// Splits a text where lines may break: after spaces, and around the characters of scripts without spaces.
    private static func pieces(of text: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        for index in text.indices {
            let next = text.index(after: index)
            let breaksHere = text[index] == " " || text[index].isWide
            let breaksBefore = next < text.endIndex && text[next].isWide
            guard breaksHere || breaksBefore || next == text.endIndex else { continue }
            pieces.append(text[start..<next])
            start = next
        }
        return pieces
    }
}

extension Character {
    /// The width in a typical sans-serif font, in units of the font size; too wide rather than too narrow.
    fileprivate var emWidth: Double {
        guard let scalar = unicodeScalars.first else { return 0 }
        switch self {
        case " ": return 0.27
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", "’": return 0.3
        case "f", "t", "r", "(", ")", "-", "\"", "“", "”": return 0.42
        case "m", "w", "M", "W", "@", "%", "—", "…": return 0.95
        default: break
        }
        if cellWidth == 0 { return 0 }
        if isWide { return isEmoji ? 1.3 : 1.02 }
        if (0x0600...0x06FF).contains(scalar.value) { return 0.52 }
        // Scripts whose marks are placed next to the letter.
        if (0x0B80...0x0DFF).contains(scalar.value) { return 0.86 * Double(min(cellWidth, 3)) }
        if (0x0900...0x0B7F).contains(scalar.value) { return 0.64 * Double(min(cellWidth, 3)) }
        if (0x0E00...0x109F).contains(scalar.value) { return 0.62 * Double(min(cellWidth, 2)) }
        return scalar.properties.isUppercase ? 0.7 : 0.59
    }
}

extension Unicode.Scalar {
    /// Whether its script is written from right to left.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
