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

/// The numbers of files that a walk has skipped because of their extensions.
package struct SkippedFiles: Hashable, Sendable {
    /// The number of videos.
    package var videoCount = 0
    /// The number of other files, without sidecars.
    package var otherCount = 0

    /// Creates numbers of zero.
    package init() {}

    /// Adds the files of two walks.
    package static func + (left: SkippedFiles, right: SkippedFiles) -> SkippedFiles {
        var sum = left
        sum.videoCount += right.videoCount
        sum.otherCount += right.otherCount
        return sum
    }
}

/// The names that a walk skips.
package enum IgnoredNames {
    /// Folders that programs and file systems create next to pictures; names that begin with a dot are skipped anyway.
    private static let folders: Set<String> = ["@eaDir", "#recycle", "lost+found", "$RECYCLE.BIN"]

    /// Extensions of videos.
    private static let videos: Set<String> = [
        "3g2", "3gp", "avi", "flv", "insv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "ogv", "vob",
        "webm",
        "wmv",
    ]
    /// Extensions of other files that are never pictures, and of unfinished ones, which get another name at their end.
    ///
    /// For all others, the content decides.
    private static let extensions: Set<String> = [
        "aac", "aae", "crdownload", "csv", "db", "doc", "docx", "download", "flac", "html", "ini", "json", "jsonl",
        "lrv",
        "m4a", "md", "modd", "moff", "mp3", "ods", "odt", "ogg", "part", "partial", "pdf", "pp3", "py", "sh", "sqlite",
        "sqlite-shm", "sqlite-wal", "srt", "thm", "tmp", "toml", "tsv", "txt", "wav", "xls", "xlsx", "xml", "xmp",
        "yaml",
        "yml", "zip",
    ]
    /// The end of the name of a file that exiftool is writing.
    private static let exifToolEnd = "_exiftool_tmp"

    /// Whether a folder is skipped.
    package static func ignoresFolder(_ name: String) -> Bool { isHidden(name) || folders.contains(name) }

    /// Whether a file is skipped.
    package static func ignoresFile(_ name: String) -> Bool {
        guard !isHidden(name), !name.hasSuffix(exifToolEnd) else { return true }
        return fileExtension(of: name).map { videos.contains($0) || extensions.contains($0) } ?? false
    }

    /// Whether a name is that of a video, judged by its extension.
    package static func isVideo(_ name: String) -> Bool { fileExtension(of: name).map(videos.contains) ?? false }

    /// The extension in lower case; `nil` if there is none.
    private static func fileExtension(of name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return name[name.utf8.index(after: dot)...].lowercased()
    }

    /// Whether a name begins with a dot, compared as a byte, because a combining mark after the dot forms another
    /// character.
    package static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }
}
