/// The size of a file before and after it was compacted.
public struct Compaction: Hashable, Sendable {
    /// The bytes of the file before, with the content of its write-ahead log.
    public let bytesBefore: Int64
    /// The bytes of the file after.
    public let bytesAfter: Int64
    /// Whether an open read of another connection keeps the file from shrinking yet.
    ///
    /// The file shrinks with a later write, or when the last program closes it.
    public let isPending: Bool

    /// Creates the result of a compaction.
    package init(bytesBefore: Int64, bytesAfter: Int64, isPending: Bool) {
        (self.bytesBefore, self.bytesAfter, self.isPending) = (bytesBefore, bytesAfter, isPending)
    }
}

/// The result of restoring a file from a backup.
public struct Restoration: Hashable, Sendable {
    /// The bytes of the restored file.
    public let byteCount: Int64
    /// The new path of the file that was replaced; `nil` if there was none.
    public let keptPath: String?
    /// The tables, views and indexes in the file that are not PhotoStream's, such as `view recent`.
    public let strangers: [String]

    /// Creates the result of a restoration.
    package init(byteCount: Int64, keptPath: String?, strangers: [String]) {
        (self.byteCount, self.keptPath, self.strangers) = (byteCount, keptPath, strangers)
    }
}

/// A file of an older version that is about to be brought up to date, in one transaction: if that is interrupted, the
/// file stays unchanged.
public struct FileUpdate: Hashable, Sendable, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// The number of its photos.
    public let photoCount: Int

    /// Creates the update of a file.
    package init(path: String, photoCount: Int) {
        (self.path, self.photoCount) = (path, photoCount)
    }

    /// The approximate duration: 4 seconds per million photos.
    public var seconds: Int { max(1, photoCount * 4 / 1_000_000) }

    /// The update, its duration, and what to do first if the older version is still needed, in sentences.
    public var description: String {
        "\(path) was made by version 0.1.0 and is brought up to date, which takes about \(seconds) s for \(photoCount) "
            + "photo\(photoCount == 1 ? "" : "s"). Version 0.1.0 cannot open it afterwards: to keep a copy for it, interrupt "
            + "this and run `photostream backup` first"
    }
}

/// The difference between a file and this version.
public struct Upgrade: Hashable, Sendable {
    /// The names of the migrations that the file lacks, in their order; empty for a file of this version.
    public let migrations: [String]
    /// The number of its photos.
    public let photoCount: Int
    /// The approximate duration of the upgrade, in seconds.
    public let seconds: Int

    /// Creates a difference.
    package init(migrations: [String], photoCount: Int, seconds: Int) {
        (self.migrations, self.photoCount, self.seconds) = (migrations, photoCount, seconds)
    }
}
