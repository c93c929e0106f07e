/// The part of a file's name that pictures of one moment share, by the patterns of the makers of cameras and programs.
///
///     StackName("IMG_E1234.JPG")                               // base "img_1234", edited
///     StackName("PXL_20230817_204415601.RAW-01.COVER.jpg")     // base "pxl_20230817_204415601", of a pair
///
/// Sources: <https://github.com/simulot/immich-go/issues/651> (Pixel), <https://github.com/simulot/immich-go/issues/345>
/// (Sony's bursts), and the names of Apple's and Google's edited pictures.
package struct StackName: Hashable, Sendable {
    /// The role of a file, by its name.
    package enum Role: Hashable, Sendable {
        /// A name without a pattern.
        case plain
        /// An edited version.
        case edited
        /// The picture that a phone shows of a pair: `….RAW-01.COVER.jpg`.
        case coverOfPair
        /// The other picture of a pair: `….RAW-02.ORIGINAL.dng`.
        case originalOfPair
        /// A picture of a burst; the cover is the one that the camera has chosen.
        case burst(isCover: Bool)
    }

    /// The shared part, in lower case and without the extension.
    package let base: String
    /// The role.
    package let role: Role

    /// Reads the name of a file, without its folder.
    package init(_ name: some StringProtocol) {
        let lower = name.lowercased()
        let stem = lower.lastIndex(of: ".").map { $0 > lower.startIndex ? String(lower[..<$0]) : lower } ?? lower
        (base, role) = Self.pair(stem) ?? Self.burst(stem) ?? Self.edited(stem) ?? (stem, .plain)
    }

    /// `X.RAW-01.COVER` and `X.RAW-02.ORIGINAL`, also `X.RAW-01.MP.COVER` and `X.PORTRAIT-01.COVER`.
    private static func pair(_ stem: String) -> (String, Role)? {
        let parts = stem.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, let last = parts.last, last == "cover" || last == "original",
            let mode = parts.firstIndex(where: { $0.hasPrefix("raw-0") || $0.hasPrefix("portrait-0") }), mode > 0
        else { return nil }
        return (parts[..<mode].joined(separator: "."), last == "cover" ? .coverOfPair : .originalOfPair)
    }

    /// `X_BURST20230709220904977`, `X_BURST001_COVER`, `00000IMG_00000_BURST20190101123456789_COVER`.
    private static func burst(_ stem: String) -> (String, Role)? {
        guard let mark = stem.range(of: "_burst") else { return nil }
        var digits = stem[mark.upperBound...]
        let isCover = digits.hasSuffix("_cover")
        if isCover { digits = digits.dropLast("_cover".count) }
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        // A long number is the time of the burst, the same for all its pictures; a short one counts them.
        let base = digits.count >= 14 ? "burst\(digits)" : String(stem[..<mark.lowerBound])
        return base.isEmpty ? nil : (base, .burst(isCover: isCover))
    }

    /// `X-edited`, `X_edited`, in the languages of Google Photos, and Apple's `IMG_E1234` of `IMG_1234`.
    private static func edited(_ stem: String) -> (String, Role)? {
        for ending in editedEndings where stem.hasSuffix(ending) && stem.utf8.count > ending.utf8.count {
            return (String(stem.dropLast(ending.count)), .edited)
        }
        let number = stem.dropFirst("img_e".count)
        guard stem.hasPrefix("img_e"), number.count == 4, number.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return ("img_" + number, .edited)
    }

    private static let editedEndings = [
        "-edited", "_edited", "-bearbeitet", "-modifié", "-modifie", "-modificato", "-editado", "-editada", "-bewerkt",
        "-edytowane", "-redigeret", "-redigerad", "-redigert", "-muokattu", "-upravené", "-szerkesztve", "-编辑后的",
        "-編集済み", "-수정됨",
    ]
}

extension String {
    /// The range of a text in this one; `nil` if it is not there.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
