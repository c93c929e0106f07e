/// A reason for the failure of a request, in one sentence without a path.
package struct PictureFailure: Error, Hashable, Sendable {
    /// The kind of a failure.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// There is no such file beneath the root.
        case missing = 0
        /// The file, or a folder on its path, may not be read.
        case denied = 1
        /// It is not a regular file, or not a picture of a known format.
        case notAPicture = 2
        /// The format is known, but its pixels cannot be decoded here.
        case unsupported = 3
        /// The file is truncated or damaged.
        case damaged = 4
        /// It has more pixels, bytes or scans than the limit.
        case tooLarge = 5
        /// The file was written meanwhile.
        case changed = 6
        /// The system is out of descriptors or memory; another try may succeed.
        case exhausted = 7
        /// It took longer than the deadline. Reported by the pool.
        case timedOut = 8
        /// The worker crashed. Reported by the pool.
        case crashed = 9
        /// There is no worker. Reported by the pool.
        case noWorker = 10
    }

    /// The kind.
    package var kind: Kind
    /// A sentence without a path.
    package var reason: String

    /// Creates a failure.
    package init(_ kind: Kind, reason: String) {
        (self.kind, self.reason) = (kind, reason)
    }
}

extension PictureFailure {
    /// The failure of the picture of a video, which ffmpeg decodes.
    package static let withoutFFmpeg = PictureFailure(
        .unsupported, reason: "The picture of a video needs ffmpeg, which is not installed.")
    /// The failure of a video whose size only exiftool reads.
    package static let withoutExifTool = PictureFailure(
        .unsupported, reason: "The size of a video of its kind needs exiftool, which is not installed.")

    /// Whether it has no other reason than the lack of a program that is installed now, so another try may succeed.
    package var isRemedied: Bool {
        switch self {
        case .withoutFFmpeg: ProgramSearch.path(of: "ffmpeg") != nil
        case .withoutExifTool: ProgramSearch.path(of: "exiftool") != nil
        default: false
        }
    }
}
