import Foundation
import PhotoStreamStorage

/// The settings of a ``PictureMaker``.
public struct PictureSettings: Sendable {
    /// The program that decodes pictures; `nil` for the one next to the running program.
    public var workerPath: String?
    /// The number of pictures that are decoded concurrently.
    public var workerCount = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// The maximum size of the stored thumbnails, in bytes; `nil` for 10 GiB or a tenth of the free disk, whichever is less.
    public var budgetBytes: Int64?
    /// The number of thumbnails for which clients may wait before more requests are refused.
    public var queueLimit = 512
    /// The time for which results are collected before they are written.
    public var writingInterval = Duration.seconds(1)

    /// Creates the default settings.
    public init() {}

    /// The default budget in bytes: 10 GiB or a tenth of the free disk, whichever is less, but at least 64 MiB.
    ///
    /// - Parameter path: A file on the disk.
    /// - Returns: The budget in bytes.
    static func standardBudget(at path: String) -> Int64 {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        let free =
            (try? FileManager.default.attributesOfFileSystem(forPath: folder.isEmpty ? "." : folder))?[.systemFreeSize]
            as? NSNumber
        return max(64 << 20, min(10 << 30, (free?.int64Value ?? .max) / 10))
    }
}

extension PhotoStreamService {
    /// The path of the file with the thumbnails: `photos.pictures.sqlite` next to `photos.sqlite`.
    public var pictureStorePath: String {
        let path = database.path
        let ending = [".sqlite", ".db"].first { path.hasSuffix($0) } ?? ""
        return path.dropLast(ending.count) + ".pictures.sqlite"
    }
}
