extension String {
    /// The text on one line, without what a terminal or a reader could trip over: white space of any length is one
    /// space, other control characters and the marks that reorder what follows are gone.
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

    /// The text in at most `width` cells; what is left out shows as an ellipsis.
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
    /// Whether it turns the order of what follows around, beyond the text that it stands in.
    private var isReordering: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }

    /// Whether it is a control character, reorders text, or is no character at all.
    fileprivate var isUnprintable: Bool {
        properties.generalCategory == .control || isReordering || properties.isNoncharacterCodePoint
    }
}

extension BinaryInteger {
    /// The number with a comma between groups of three digits.
    var grouped: String {
        let digits = Array(magnitude.description)
        var text = self < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// The number and what it counts: `1 photo`, `1,200 photos`.
    func counting(_ noun: String) -> String {
        grouped + " " + noun + (self == 1 ? "" : "s")
    }
}
