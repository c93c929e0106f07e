import CVips
import Glibc
import PhotoStreamModel
import PhotoStreamPictureMessages

/// Reads the size and the metadata of a picture without decoding its pixels.
///
/// Our own readers are certain of plain JPEG files, and of files of other formats without any metadata. exiftool reads
/// the metadata of all others; without it, our own readers read a part of it.
struct HeaderReader {
    /// The maximum length of a sidecar, in bytes.
    static let maximumSidecarByteCount: Int64 = 4 << 20
    /// The number of bytes at the start of a file built like a TIFF in which our own reader looks for EXIF.
    private static let scannedByteCount = 1 << 20

    /// exiftool; `nil` if it is not installed.
    let exifTool: ExifTool?

    /// The result of our own reader.
    private struct QuickHeader {
        var size: PixelSize
        var orientation = Orientation.up
        var sources = MetadataSources()
        /// The values of libraw, for fields without any other.
        var fallback = PictureMetadata()
        var preview: PicturePreview?
        var warnings: [PictureWarning] = []
        /// Whether another reader cannot know more.
        var isCertain = true
        /// The properties of a video.
        var video: VideoHeader?
    }

    /// Reads the header of a picture.
    ///
    /// - Parameters:
    ///   - file: The picture.
    ///   - sidecars: The XMP files next to it, nearest first.
    /// - Returns: The header.
    /// - Throws: ``PictureFailure`` if the size cannot be read. Damaged metadata is a warning.
    func header(of file: OpenedPicture, sidecars: [OpenedPicture] = []) throws(PictureFailure) -> PictureHeader {
        guard file.byteCount > 0 else { throw PictureFailure(.damaged, reason: "The file is empty.") }
        let head = try file.read(at: 0, count: PictureSignature.byteCount)
        guard var format = PictureSignature.format(of: head) else {
            throw PictureFailure(.notAPicture, reason: "The content is not a picture of a known format.")
        }
        try PictureStructure.check(file, format: format)
        var quick =
            switch format {
            case .bmp: try Self.small(SmallHeaders.sizeOfBMP(head), isCertain: true)
            case .jpegXL: try Self.small(SmallHeaders.sizeOfJPEGXL(head), isCertain: head[0] == 0xFF)
            case .raw: try Self.raw(file)
            case .video: try video(file, head: head)
            default: try Self.byVips(file, format: &format, head: head)
            }
        if !quick.isCertain, PictureStructure.mayContainMetadata(file, format: format) {
            askExifTool(about: file, for: &quick)
            if format == .png, let text = quick.sources.tags[.orientation]?.first {
                quick.orientation = UInt8(text).flatMap(Orientation.init(rawValue:)) ?? .up
            }
        }
        var embedded = quick.sources.metadata(warnings: &quick.warnings)
        embedded.takenAt = embedded.takenAt ?? quick.fallback.takenAt
        embedded.caption = embedded.caption ?? quick.fallback.caption
        embedded.camera = embedded.camera ?? quick.fallback.camera
        (embedded.duration, embedded.codec) = (quick.video?.duration, quick.video?.codec)
        embedded.instant = quick.video?.instant
        var header = PictureHeader(
            format: format, size: quick.size, orientation: quick.orientation, embedded: embedded,
            preview: quick.preview, film: try MotionFilm.range(in: file, format: format), warnings: quick.warnings)
        try Self.addSidecars(sidecars, to: &header)
        return header
    }

    /// Replaces the metadata by that of exiftool.
    private func askExifTool(about file: OpenedPicture, for quick: inout QuickHeader) {
        guard let exifTool else {
            quick.warnings.append(
                PictureWarning(
                    .withoutExifTool, reason: "Some metadata may be missing, because exiftool is not installed."))
            return
        }
        do throws(ChildProgram.Failure) {
            let answer =
                if let known = quick.video?.answer { known } else {
                    try exifTool.answer(for: file, isVideo: quick.video != nil)
                }
            quick.warnings = []
            quick.sources = MetadataSources(tags: answer.tags, xmp: answer.xmp.flatMap { XMPPacket(bytes: $0) })
            if answer.xmp != nil, quick.sources.xmp == nil {
                quick.warnings.append(PictureWarning(.damaged, reason: "The XMP metadata is damaged."))
            }
            if let problem = answer.problem {
                quick.warnings.append(
                    PictureWarning(.damaged, reason: "A part of the metadata cannot be read: \(problem)"))
            }
        } catch {
            quick.warnings.append(
                PictureWarning(
                    .exifToolFailed, reason: "Some metadata may be missing, because exiftool \(error.rawValue)."))
        }
    }

    private static func addSidecars(_ sidecars: [OpenedPicture], to header: inout PictureHeader) throws(PictureFailure)
    {
        for sidecar in sidecars {
            guard sidecar.byteCount <= maximumSidecarByteCount else {
                header.warnings.append(
                    PictureWarning(
                        .sidecar,
                        reason: "A sidecar has \(sidecar.byteCount) bytes, more than \(maximumSidecarByteCount)."))
                continue
            }
            guard let bytes = try? sidecar.read(at: 0, count: Int(sidecar.byteCount)), let xmp = XMPPacket(bytes: bytes)
            else {
                header.warnings.append(PictureWarning(.sidecar, reason: "A sidecar is not well-formed XMP."))
                continue
            }
            let next = MetadataSources(xmp: xmp).metadata(warnings: &header.warnings)
            header.sidecar = header.sidecar?.completed(by: next) ?? next
        }
    }

    private static func small(_ found: (width: Int, height: Int)?, isCertain: Bool) throws(PictureFailure)
        -> QuickHeader
    {
        guard let found else { throw PictureFailure(.damaged, reason: "The picture's header is damaged.") }
        return QuickHeader(size: try PixelSize(readWidth: found.width, height: found.height), isCertain: isCertain)
    }

    /// Reads metadata through libvips, and the size unless our own readers know it.
    private static func byVips(
        _ file: OpenedPicture, format: inout PictureFormat, head: [UInt8]
    ) throws(PictureFailure) -> QuickHeader {
        let known: (width: Int, height: Int)? =
            switch format {
            case .png: SmallHeaders.sizeOfPNG(head)
            case .heic, .avif: try HEIFSize.read(file).map { ($0.width, $0.height) }
            default: nil
            }
        var found = unsafe photostream_header()
        guard unsafe photostream_header_open(file.descriptor, &found) == 0 else {
            guard let known else {
                throw PictureFailure(.damaged, reason: "The picture's header is cut off or damaged.")
            }
            return QuickHeader(
                size: try PixelSize(readWidth: known.width, height: known.height),
                warnings: [PictureWarning(.damaged, reason: "Only the size can be read.")], isCertain: false)
        }
        defer { unsafe photostream_header_close(&found) }
        let size = try unsafe PixelSize(
            readWidth: known?.width ?? Int(found.width), height: known?.height ?? Int(found.height))
        var quick = QuickHeader(size: size, isCertain: format == .jpeg)
        let turnsItself = format == .heic || format == .avif
        let written = unsafe Orientation(rawValue: UInt8(clamping: found.orientation))
        quick.orientation = turnsItself ? .up : written ?? .up
        var bytes = unsafe copy(found.exif, count: found.exif_count)
        if format == .tiff { bytes = try file.read(at: 0, count: scannedByteCount) }
        var exif = bytes.flatMap { ExifBlock(bytes: $0) }
        if let tags = exif?.tags() { quick.sources.tags = tags }
        if bytes != nil, exif == nil, format != .tiff {
            quick.warnings.append(PictureWarning(.damaged, reason: "The EXIF metadata is damaged."))
        }
        if let bytes = unsafe copy(found.xmp, count: found.xmp_count) {
            quick.sources.xmp = XMPPacket(bytes: bytes)
            if quick.sources.xmp == nil {
                quick.warnings.append(PictureWarning(.damaged, reason: "The XMP metadata is damaged."))
            }
        }
        if let bytes = unsafe copy(found.iptc, count: found.iptc_count) {
            quick.sources.tags.merge(IPTCBlock(bytes: bytes).tags) { first, _ in first }
        }
        if exif?.isStrange == true || !quick.warnings.isEmpty { quick.isCertain = false }
        if quick.isCertain { quick.isCertain = try JPEGSegments.areKnown(in: file) }
        let previews = PreviewReader(size: size, orientation: quick.orientation)
        switch format {
        case .jpeg: quick.preview = exif.flatMap(previews.preview(in:))
        case .heic, .avif: quick.preview = previews.preview(ofHEIF: file)
        default: break
        }
        if format == .heic, unsafe found.is_av1 != 0 { format = .avif }
        return quick
    }

    private func video(_ file: OpenedPicture, head: [UInt8]) throws(PictureFailure) -> QuickHeader {
        let video = try VideoHeader(of: file, head: head, exifTool: exifTool)
        var quick = QuickHeader(size: video.size, orientation: video.orientation, isCertain: false, video: video)
        quick.sources.tags[.videoTime] = video.date.map { [$0] }
        return quick
    }

    private static func raw(_ file: OpenedPicture) throws(PictureFailure) -> QuickHeader {
        var found = photostream_raw()
        guard unsafe photostream_raw_read(file.descriptor, &found) == 0 else {
            throw PictureFailure(.damaged, reason: "The raw picture's header is damaged or of an unknown camera.")
        }
        var quick = QuickHeader(
            size: try PixelSize(readWidth: Int(found.width), height: Int(found.height)),
            orientation: Orientation(rawTurn: found.flip), isCertain: false)
        var exif = ExifBlock(bytes: try file.read(at: 0, count: scannedByteCount))
        if let tags = exif?.tags() { quick.sources.tags = tags }
        // The file is not built like a TIFF, so libraw's values are used.
        if exif == nil {
            if found.seconds > 0 {
                quick.fallback.takenAt = try? CaptureTime(
                    milliseconds: found.seconds * 1_000, utcOffsetMinutes: nil, precision: .second)
            }
            quick.fallback.caption = text(of: found.description).flatMap { MetadataText.isBoilerplate($0) ? nil : $0 }
        }
        quick.fallback.camera = MetadataSources.camera(make: text(of: found.make), model: text(of: found.model))
        quick.preview = PreviewReader(size: quick.size, orientation: quick.orientation).preview(ofRaw: file, exif: exif)
        return quick
    }

    private static func text<Bytes>(of bytes: Bytes) -> String? {
        unsafe withUnsafeBytes(of: bytes) { unsafe MetadataText.decoded(Array($0)) }
    }

    private static func copy(_ start: UnsafePointer<UInt8>?, count: Int) -> [UInt8]? {
        guard let start = unsafe start, count > 0 else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    }
}

extension PixelSize {
    /// Creates the size in a header.
    ///
    /// - Throws: ``PictureFailure`` if it is empty or too large.
    init(readWidth width: Int, height: Int) throws(PictureFailure) {
        do {
            self = try PixelSize(width: width, height: height)
        } catch {
            let kind: PictureFailure.Kind = width > 0 && height > 0 ? .tooLarge : .damaged
            throw PictureFailure(kind, reason: "Its size cannot be used: \(error.description).")
        }
    }
}
