import PhotoStreamModel
import PhotoStreamPictureMessages

/// The properties of a video: of ISO files from their boxes, of all others from exiftool.
struct VideoHeader {
    /// The format of the file.
    let container: VideoContainer
    /// The size before rotation, as displayed.
    let size: PixelSize
    /// The orientation.
    private(set) var orientation = Orientation.up
    /// The duration in seconds; `nil` if it is unknown.
    private(set) var duration: Double?
    /// The codec, by its four characters in ISO files if it has such a name.
    private(set) var codec: String?
    /// The time at which the file was made, in milliseconds since 1970.
    private(set) var instant: Int64?
    /// The local time at which it was made, as written.
    private(set) var date: String?
    /// The tags of the file, if exiftool was asked for them.
    private(set) var answer: ExifToolAnswer?

    /// Reads the properties of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - head: Its first bytes, which are those of a video.
    ///   - exifTool: exiftool; `nil` if it is not installed.
    /// - Throws: ``PictureFailure`` if the size cannot be read, or if there is no video.
    init(of file: OpenedPicture, head: [UInt8], exifTool: ExifTool?) throws(PictureFailure) {
        container = VideoContainer(head) ?? .iso
        guard container != .iso else {
            let boxes = try MovieBoxes(of: file)
            size = try PixelSize(readWidth: boxes.width, height: boxes.height)
            (orientation, duration) = (boxes.orientation, boxes.duration)
            (codec, instant, date) = (boxes.codec, boxes.instant, boxes.date)
            return
        }
        guard let exifTool else { throw PictureFailure.withoutExifTool }
        let answer: ExifToolAnswer
        do throws(ChildProgram.Failure) {
            answer = try exifTool.answer(for: file, isVideo: true)
        } catch {
            throw PictureFailure(
                .unsupported, reason: "The size of the video is not known, because exiftool \(error.rawValue).")
        }
        size = try Self.size(answer.tags, container: container)
        func number(_ tag: MetadataTag) -> Double? { answer.tags[tag]?.lazy.compactMap { Double($0) }.first }
        duration = number(.videoDuration).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        codec = Self.codec(answer.tags)
        instant = answer.tags[.videoInstant]?.first.flatMap { MetadataTime.read($0) }?.milliseconds
        self.answer = answer
    }

    /// Returns the displayed size of the first track: as high as the frames, in the shape that the file requires.
    private static func size(
        _ tags: MetadataTags, container: VideoContainer
    ) throws(PictureFailure) -> PixelSize {
        func number(_ tag: MetadataTag) -> Int { tags[tag]?.first.flatMap { Int($0) } ?? 0 }
        let (width, height) = (number(.videoWidth), number(.videoHeight))
        guard width > 0, height > 0 else {
            guard container == .matroska, tags[.videoCodec] != nil else {
                throw PictureFailure(.damaged, reason: "The size of the video cannot be read.")
            }
            throw PictureFailure(.notAPicture, reason: "The file has no video track.")
        }
        let shape = Double(number(.displayWidth)) / Double(number(.displayHeight))
        guard shape.isFinite, shape > 0 else { return try PixelSize(readWidth: width, height: height) }
        let displayed = (Double(height) * shape).rounded()
        return try PixelSize(readWidth: Int(exactly: min(displayed, 1e9)) ?? 0, height: height)
    }

    /// The codecs of other containers, in capital letters, with their names in ISO files.
    private static let codecs: [String: String] = [
        "V_VP8": "vp08", "V_VP9": "vp09", "V_AV1": "av01", "V_MPEG4/ISO/AVC": "avc1", "V_MPEGH/ISO/HEVC": "hvc1",
        "V_MPEG4/ISO/SP": "mp4v", "V_MPEG4/ISO/ASP": "mp4v", "V_MPEG4/ISO/AP": "mp4v", "V_MJPEG": "jpeg",
        "H264": "avc1", "X264": "avc1", "AVC1": "avc1", "HEVC": "hvc1", "H265": "hvc1", "AV01": "av01",
        "VP80": "vp08", "VP90": "vp09", "FMP4": "mp4v", "MP4V": "mp4v", "XVID": "mp4v", "DIVX": "mp4v",
        "DX50": "mp4v", "MJPG": "jpeg",
    ]

    /// Returns the codec of the first track of video.
    private static func codec(_ tags: MetadataTags) -> String? {
        // In Matroska, those of audio begin with an A, those of subtitles with an S.
        let found = tags[.videoCodec]?.first { !$0.hasPrefix("A_") && !$0.hasPrefix("S_") }
        return found.map { codecs[$0.uppercased()] ?? $0 }
            .flatMap { $0.utf8.count <= PictureMetadata.maximumCodecByteCount ? $0 : nil }
    }
}
