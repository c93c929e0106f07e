import PhotoStreamModel
package import PhotoStreamPictureMessages

/// A file that may be a picture, with its sidecars.
package struct FolderFile: Hashable, Sendable {
    /// A file with metadata for another file.
    package struct Sidecar: Hashable, Sendable {
        /// The path from the root.
        package let path: String
        /// The version of its content.
        package let stamp: FileStamp

        /// Creates a sidecar.
        package init(path: String, stamp: FileStamp) {
            (self.path, self.stamp) = (path, stamp)
        }
    }

    /// The path from the root.
    package let path: String
    /// The version of its content.
    package let stamp: FileStamp
    /// The sidecars, with that of the whole name first: `a.jpg.xmp`, then `a.xmp`.
    package let sidecars: [Sidecar]

    /// Creates a file.
    package init(path: String, stamp: FileStamp, sidecars: [Sidecar]) {
        (self.path, self.stamp, self.sidecars) = (path, stamp, sidecars)
    }
}

/// A file or folder that cannot be imported.
package struct FolderProblem: Hashable, Sendable {
    /// The path from the root; bytes that are not UTF-8 are replaced.
    package let path: String
    /// The reason, in one sentence.
    package let reason: String
    /// Whether there may be files beneath it that the walk could not see.
    package let hidesFiles: Bool
}

/// The names of files that are never pictures.
package enum IgnoredNames {
    /// Extensions of videos of formats that are not read.
    private static let videos: Set<String> = ["flv", "insv", "ogv", "vob", "wmv"]
    /// Extensions of other files that are never pictures.
    ///
    /// For all others, the content decides.
    private static let extensions: Set<String> = [
        "aac", "aae", "csv", "db", "doc", "docx", "flac", "html", "ini", "json", "jsonl", "lrv", "m4a", "md", "modd",
        "moff", "mp3", "ods", "odt", "ogg", "pdf", "pp3", "py", "sh", "sqlite", "sqlite-shm", "sqlite-wal", "srt",
        "thm", "toml", "tsv", "txt", "wav", "xls", "xlsx", "xml", "xmp", "yaml", "yml", "zip",
    ]
    /// Extensions of unfinished files, which get another name at their end.
    private static let unfinished: Set<String> = ["crdownload", "download", "part", "partial", "tmp"]
    /// The end of the name of a file that exiftool is writing.
    private static let exifToolEnd = "_exiftool_tmp"

    /// Whether a file is left out in any folder.
    package static func ignoresFile(_ name: String) -> Bool { isHidden(name) || reasonToLeaveOut(name) != nil }

    /// The reason to leave out a file because of its extension; `nil` if there is none.
    static func reasonToLeaveOut(_ name: String) -> LeftOutReason? {
        guard !name.hasSuffix(exifToolEnd) else { return .unfinished }
        guard let ending = fileExtension(of: name) else { return nil }
        if videos.contains(ending) { return .video }
        if unfinished.contains(ending) { return .unfinished }
        return extensions.contains(ending) ? .notAPicture : nil
    }

    /// Whether a file is a sidecar, which belongs to a picture.
    static func isSidecar(_ name: String) -> Bool { fileExtension(of: name) == "xmp" }

    /// The extension in lower case; `nil` if there is none.
    private static func fileExtension(of name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return name[name.utf8.index(after: dot)...].lowercased()
    }

    /// Whether a name begins with a dot, compared as a byte, because a combining mark after the dot forms another
    /// character.
    package static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }
}
