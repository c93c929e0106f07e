import PhotoStreamStorage

/// A file of an older version that is about to be brought up to date, in one transaction: interrupted, it stays as it was.
public struct FileUpdate: Hashable, Sendable, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// How many photos it has.
    public let photoCount: Int

    init(_ update: SchemaUpdate) {
        (path, photoCount) = (update.path, update.photoCount)
    }

    /// About how long it takes: 4 seconds per million photos.
    public var seconds: Int { max(1, photoCount * 4 / 1_000_000) }

    /// What happens, how long it takes, and what to do first where the older version is still needed, in sentences.
    public var description: String {
        "\(path) was made by version 0.1.0 and is brought up to date, which takes about \(seconds) s for \(photoCount) "
            + "photo\(photoCount == 1 ? "" : "s"). Version 0.1.0 cannot open it afterwards: to keep a copy for it, interrupt "
            + "this and run `photostream backup` first"
    }
}
