import PhotoStreamModel
import PhotoStreamPictureMessages

/// ffmpeg, a separate program that decodes one frame of a video.
///
/// It reads the file in the format of its first bytes alone, because others, such as playlists, name further files, and
/// it does not turn the frame: the orientation is that of the header.
struct FFmpeg {
    /// The longer side of a frame, in pixels: that of the largest thumbnail.
    private static let maximumSide = Int(ThumbnailSize.allCases.map(\.rawValue).max() ?? 0)
    /// The maximum length of a frame as PNG, in bytes: more than that of its pixels.
    private static let maximumByteCount = 32 << 20
    /// The processor time for one frame, in seconds.
    private static let seconds: Int64 = 20
    /// The address space, in bytes.
    private static let addressSpaceByteCount: Int64 = 2 << 30
    /// The time of the frame, in seconds, of a video that is longer than ten times that.
    private static let latestTime = 1.0

    /// The path of the program.
    let path: String
    /// The time for one frame by the clock, in milliseconds: more, because the machine may be busy.
    var deadlineMilliseconds: Int32 = 40_000

    /// Decodes the frame at a second or a tenth of the duration, whichever is earlier, or else the first frame.
    ///
    /// - Parameters:
    ///   - file: The video.
    ///   - video: Its header.
    /// - Returns: The frame as a PNG, before rotation, as large as the video or the largest thumbnail.
    /// - Throws: ``PictureFailure``.
    func frame(of file: OpenedPicture, _ video: VideoHeader) throws(PictureFailure) -> [UInt8] {
        let time = min(Self.latestTime, (video.duration ?? 0) / 10)
        var frame = time > 0 ? try png(of: file, video, at: time) : []
        if frame.isEmpty { frame = try png(of: file, video, at: nil) }
        guard !frame.isEmpty else {
            throw PictureFailure(.damaged, reason: "No picture of the video can be decoded.")
        }
        return frame
    }

    private func png(
        of file: OpenedPicture, _ video: VideoHeader, at time: Double?
    ) throws(PictureFailure) -> [UInt8] {
        let size = Raster.size(
            fitting: Self.maximumSide, width: Int(video.size.width), height: Int(video.size.height))
        // Each option belongs to the next file: those before `-i` to the input.
        let arguments =
            ["-nostdin", "-v", "quiet", "-protocol_whitelist", "file,pipe", "-threads", "1", "-noautorotate"]
            + ["-f", video.container.demuxer] + (time.map { ["-ss", "\($0)"] } ?? [])
            + ["-i", ChildProgram.path(of: file), "-map", "0:V:0", "-an", "-sn", "-dn", "-frames:v", "1"]
            + ["-vf", "scale=\(size.width):\(size.height)", "-filter_threads", "1", "-threads", "1"]
            + ["-pix_fmt", "rgb24", "-c:v", "png", "-compression_level", "1", "-f", "image2pipe", "pipe:1"]
        do throws(ChildProgram.Failure) {
            return try ChildProgram.output(
                of: path, arguments: arguments, addressSpaceByteCount: Self.addressSpaceByteCount,
                seconds: Self.seconds, maximumByteCount: Self.maximumByteCount, within: deadlineMilliseconds)
        } catch {
            switch error {
            case .unavailable:
                throw PictureFailure(
                    .unsupported, reason: "The picture of a video needs ffmpeg, which cannot be started.")
            case .stopped: throw PictureFailure(.tooLarge, reason: "Decoding a picture of the video takes too long.")
            }
        }
    }
}
