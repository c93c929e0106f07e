/// A caption cut into lines, by an estimate of what characters measure: nobody has a font here.
struct CaptionText {
    /// The lines; the last ends with an ellipsis where text is missing.
    let lines: [String]
    /// Whether it is written from right to left.
    let isRightToLeft: Bool

    /// Breaks a caption.
    ///
    /// - Parameters:
    ///   - text: The caption.
    ///   - width: How wide a line may be, in the font's size.
    ///   - maximumLines: How many lines there may be.
    init(_ text: String, width: Double, maximumLines: Int) {
        isRightToLeft = text.unicodeScalars.first { $0.properties.isAlphabetic }?.isRightToLeft ?? false
        var rest = Self.pieces(of: text.onOneLine)[...]
        var lines: [String] = []
        while !rest.isEmpty, lines.count < maximumLines {
            lines.append(Self.line(&rest, width))
        }
        if !rest.isEmpty, let last = lines.popLast() { lines.append(Self.ended(last, width)) }
        self.lines = lines
    }

    /// How wide a text is, in the font's size.
    static func width(of text: some StringProtocol) -> Double {
        text.reduce(0) { $0 + $1.emWidth }
    }

    /// Takes the pieces that fit a line, and part of one that fits no line.
    private static func line(_ rest: inout ArraySlice<Substring>, _ width: Double) -> String {
        var line = ""
        var left = width
        while let piece = rest.first {
            let needed = self.width(of: piece.last == " " ? piece.dropLast() : piece)
            if needed <= left {
                line += piece
                left -= self.width(of: piece)
                rest.removeFirst()
            } else if line.isEmpty {
                // A word that is longer than the line; at least one character of it, so that there is an end.
                let head = prefix(of: piece, width)
                rest[rest.startIndex] = piece.dropFirst(head.count)
                return String(head)
            } else {
                break
            }
        }
        return line.last == " " ? String(line.dropLast()) : line
    }

    private static func ended(_ line: String, _ width: Double) -> String {
        let head = self.width(of: line) + 0.9 <= width ? line[...] : prefix(of: line[...], width - 0.9)
        let end = head.lastIndex { !" .,;:–—-…".contains($0) }
        return (end.map { head[...$0] } ?? head) + "…"
    }

    private static func prefix(of text: Substring, _ width: Double) -> Substring {
        var left = width
        var end = text.startIndex
        for index in text.indices {
            left -= text[index].emWidth
            guard left >= 0 || index == text.startIndex else { break }
            end = text.index(after: index)
        }
        return text[..<end]
    }

    /// Where lines may break: behind spaces, and around every character of a script that is written without them.
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
    /// How wide it is in a usual sans serif font, in the font's size; rather too wide than too narrow.
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
        // Scripts whose marks stand beside the letter.
        if (0x0B80...0x0DFF).contains(scalar.value) { return 0.86 * Double(min(cellWidth, 3)) }
        if (0x0900...0x0B7F).contains(scalar.value) { return 0.64 * Double(min(cellWidth, 3)) }
        if (0x0E00...0x109F).contains(scalar.value) { return 0.62 * Double(min(cellWidth, 2)) }
        return scalar.properties.isUppercase ? 0.7 : 0.59
    }
}

extension Unicode.Scalar {
    /// Whether the script is written from right to left.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
