/// The paths of albums: names between slashes, from the outermost album to the album itself.
///
/// An album is what the photos say that it is, as a tag is: it exists while a photo is in it. `Italy/2025` is in `Italy`, and so
/// are its photos. Paths are compared without case and accents.
public enum PhotoAlbum: Sendable {
    /// The maximum length of a path, in bytes of UTF-8: a condition has room for it.
    public static let maximumByteCount = 255
    /// The maximum number of names of a path.
    public static let maximumDepth = 16

    /// Whether a path is that of an album, or of one in it.
    public static func isPath(_ path: String, in album: String) -> Bool {
        let (names, outer) = (FoldedText.path(of: path), FoldedText.path(of: album))
        return !outer.isEmpty && names.starts(with: outer)
    }

    /// Returns the path with another album in place of an outer one.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - album: The outer album, or the album itself.
    ///   - newAlbum: The other album.
    /// - Returns: The new path; `nil` if the album is not in the outer one.
    public static func path(_ path: String, moving album: String, to newAlbum: String) -> String? {
        let (names, outer) = (names(of: path), FoldedText.path(of: album))
        let end = names.indices.first { FoldedText.path(of: names[...$0].joined(separator: "/")) == outer }
        return end.map { ([newAlbum] + names[($0 + 1)...]).joined(separator: "/") }
    }

    /// The names of a path.
    package static func names(of path: String) -> [String] {
        path.unicodeScalars.split(separator: "/").map { String($0) }
    }

    /// Returns why a text is not the path of an album, or `nil` if it is.
    ///
    /// - Returns: The reason as a clause.
    package static func problem(of path: String) -> String? {
        let names = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard names.allSatisfy({ !FoldedText.folded($0).isEmpty }) else {
            return "the path of the album \"\(path)\" has a slash without a name next to it"
        }
        // Signs that searches read as a slash, such as the one of full width, and spaces that imports remove.
        guard names.allSatisfy({ FoldedText.path(of: $0).count == 1 && isTrimmed($0) }) else {
            return "the path of the album \"\(path)\" has spaces or signs next to a slash, or signs that look like one"
        }
        guard names.count <= maximumDepth else {
            return "the path of an album has \(names.count) names, more than \(maximumDepth)"
        }
        return nil
    }

    private static func isTrimmed(_ name: String) -> Bool {
        name.first?.isWhitespace == false && name.last?.isWhitespace == false
            && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
