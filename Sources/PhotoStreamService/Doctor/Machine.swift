import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures

/// The properties of the machine that a ``Doctor`` checks.
package struct Machine: Sendable {
    /// The time in milliseconds since 1970.
    package var now: Int64
    /// The number of files that a process may have open.
    package var openFileLimit: Int
    /// The number of folders that a user's processes may watch; `nil` if the system has no such limit.
    package var watchLimit: Int?
    /// The free bytes on the disk with the file.
    package var freeByteCount: Int64
    /// The name of the network file system that contains the file; `nil` for a local one.
    package var networkFileSystem: String?
    /// The path of the program that decodes pictures; `nil` if there is none.
    package var workerPath: String?
    /// The path of exiftool, which reads the metadata of many formats; `nil` if there is none.
    package var exifToolPath: String?
    /// The path of ffmpeg, which decodes the pictures of videos; `nil` if there is none.
    package var ffmpegPath: String?

    /// Reads the current properties of the machine.
    ///
    /// - Parameter path: The path of the file.
    package init(for path: String) {
        now = Int64(Date().timeIntervalSince1970 * 1_000)
        openFileLimit = OpenFileLimits.ofProcess.all
        let watches = try? String(contentsOfFile: "/proc/sys/fs/inotify/max_user_watches", encoding: .utf8)
        watchLimit = watches.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        let parent = (path as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        freeByteCount = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? .max
        let absolute = URL(filePath: folder).resolvingSymlinksInPath().path(percentEncoded: false)
        networkFileSystem = FileSystem(of: absolute).flatMap { $0.isRemote ? $0.type : nil }
        workerPath = PictureWorkers.locate()
        exifToolPath = ProgramSearch.path(of: "exiftool")
        ffmpegPath = ProgramSearch.path(of: "ffmpeg")
    }
}
