import PhotoStreamPrimary
import PhotoStreamService

/// The condition of the file at one moment, for probes and metrics: they read no file.
struct FileCondition {
    let time = ContinuousClock.now
    /// The sizes of the file; the error if it cannot be read or is no longer at its path.
    let sizes: Result<FileSizes, any Error>
    /// A sentence for operators about its write-ahead log; `nil` while the log is short.
    let logWarning: String?
    /// The last revision; `nil` if it cannot be read.
    let revision: Int64?
    /// The distance from the primary; `nil` if the file is not a replica.
    let lag: Lag?
    /// The size of the stored thumbnails; `nil` if there are none or they cannot be read.
    let thumbnailByteCount: Int64?

    /// Reads the condition; blocks.
    init(of service: PhotoStreamService, pictures: PictureMaker?, follower: Follower?) {
        sizes = Result {
            try service.checkIsReadable()
            return try service.fileSizes()
        }
        (logWarning, revision) = (service.logWarning, try? service.lastRevision())
        (lag, thumbnailByteCount) = (follower?.lag, try? pictures?.storedByteCount)
    }
}
