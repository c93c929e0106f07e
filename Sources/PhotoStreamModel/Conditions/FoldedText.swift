// Compatibility forms (NFKD and NFKC) need tables that the standard library keeps to itself; Foundation has them.
import Foundation

/// Texts without the differences that conditions ignore: case, accents, width and other compatibility forms, white space.
///
///     FoldedText.folded("  Zürich\tＢＡＨＮＨＯＦ ")  // "zurich bahnhof"
///     FoldedText.folded("ﬁne Straße, Malmø")      // "fine strasse, malmo"
///
/// A folded text is its own folded form, in normalization form KC, without control and invisible characters.
package enum FoldedText {
    /// The maximum number of combining marks that follow one another; the rest of a longer run is dropped.
    ///
    /// Normalization sorts the marks of a run, in quadratic time. No language needs more than a few: the number is that of
    /// Unicode's Stream-Safe Text Format (UAX #15, D4).
    private static let maximumMarkCount = 30

    /// Returns the folded form of a text.
    ///
    /// - Complexity: O(bytes). A text in ASCII is folded without Foundation.
    package static func folded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return joined(text) }
        let folded = joined(String(withoutLongRuns(of: text)).decomposedStringWithCompatibilityMapping)
        // Most texts are in ASCII now.
        return folded.utf8.contains { $0 >= 0x80 } ? folded.precomposedStringWithCompatibilityMapping : folded
    }

    /// Folds each scalar that is not ignored, and makes one space of each run of white space, none at the ends.
    private static func joined(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.reserveCapacity(text.utf8.count)
        var isAfterSpace = false
        for scalar in text.unicodeScalars {
            let known = Int(scalar.value) < shortForms.count ? shortForms[Int(scalar.value)] : nil
            guard known != " ", known != nil || !scalar.properties.isWhitespace else {
                isAfterSpace = true
                continue
            }
            guard known != nil || !isIgnored(scalar) else { continue }
            if isAfterSpace, !scalars.isEmpty { scalars.append(" ") }
            isAfterSpace = false
            if let known {
                scalars.append(known)
            } else {
                append(scalar, to: &scalars)
            }
        }
        return String(scalars)
    }

    /// The folded forms of the first scalars, up to Hebrew, if they are one scalar: a space for white space.
    private static let shortForms: [Unicode.Scalar?] = (0..<UInt16(0x600)).map { value in
        guard let scalar = Unicode.Scalar(value), !isIgnored(scalar) else { return nil }
        guard !scalar.properties.isWhitespace else { return " " }
        var form = String.UnicodeScalarView()
        append(scalar, to: &form)
        return form.count == 1 ? form.first : nil
    }

    /// Appends the folded form of one scalar of a decomposed text.
    private static func append(_ scalar: Unicode.Scalar, to scalars: inout String.UnicodeScalarView) {
        switch scalar.properties.generalCategory {
        case .decimalNumber:
            guard let value = scalar.properties.numericValue else { break }
            scalars.append(Unicode.Scalar(UInt8(ascii: "0") + UInt8(value)))
            return
        // Letters without case, such as those of Han.
        case .otherLetter:
            scalars.append(scalar)
            return
        default: break
        }
        // Lowercase alone would keep "ß" apart from "ss" and "ς" from "σ"; uppercase joins them.
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            for upper in lower.properties.uppercaseMapping.unicodeScalars {
                for letter in upper.properties.lowercaseMapping.unicodeScalars where !isIgnored(letter) {
                    guard let plain = letterWithoutStroke(letter) else {
                        scalars.append(letter)
                        continue
                    }
                    scalars.append(contentsOf: plain.unicodeScalars)
                }
            }
        }
    }

    /// Returns the usual replacement of a Latin letter whose accent Unicode does not separate from it.
    private static func letterWithoutStroke(_ letter: Unicode.Scalar) -> String? {
        switch letter {
        case "ø": "o"
        case "ł": "l"
        case "đ", "ð": "d"
        case "ħ": "h"
        case "ŧ": "t"
        case "þ": "th"
        case "æ": "ae"
        case "œ": "oe"
        default: nil
        }
    }

    private static func withoutLongRuns(of text: String) -> String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        scalars.reserveCapacity(text.utf8.count)
        var markCount = 0
        for scalar in text.unicodeScalars where !isIgnored(scalar) {
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            markCount = isMark ? markCount + 1 : 0
            if markCount <= maximumMarkCount { scalars.append(scalar) }
        }
        return scalars
    }

    /// Whether a scalar is an accent of a letter, a control character or invisible.
    ///
    /// The vowels of Indian and South-East Asian scripts and the marks of Kana are marks too, but without them words
    /// become other words: they stay.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xC0...0x2FF: false
        // Tatweel lengthens an Arabic word.
        case 0x640: true
        case 0x300...0x36F, 0x483...0x487, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670, 0x6D6...0x6ED,
            0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F:
            scalar.properties.generalCategory == .nonspacingMark
                || scalar.properties.generalCategory == .enclosingMark
        default:
            scalar.properties.isDefaultIgnorableCodePoint
                || scalar.properties.generalCategory == .control && !scalar.properties.isWhitespace
        }
    }
}
