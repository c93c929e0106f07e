import CVips
import PhotoStreamModel
import PhotoStreamPictureMessages

/// Decodes a picture and computes everything that is requested.
///
/// The bytes of a thumbnail depend only on the file and the orientation, and not on the rest of the request, because
/// the thumbnail's address never changes: the sizes that are made in advance, and all smaller ones, are scaled from one
/// raster (``RasterChain``), and each larger one is decoded separately.
struct Decoder {
    /// The maximum number of pixels of a picture.
    static let maximumPixelCount = 1_000_000_000
    /// The maximum number of pixels times scans of a progressive JPEG.
    ///
    /// Each scan may touch each pixel, and an empty scan has only a few bytes.
    static let maximumScannedPixelCount = 10_000_000_000
    /// The longer side of the raster for measurements; a ThumbHash needs no larger one.
    static let measuredSide = 100
    /// The thumbnail from whose pixels the placeholder and the colour are computed.
    private static let measuredSize = ThumbnailSize.pixels240

    let limits: WorkerLimits
    /// exiftool, which reads the sizes of some videos; `nil` if it is not installed.
    var exifTool: ExifTool?
    /// ffmpeg, which decodes the pictures of videos; `nil` if it is not installed.
    var ffmpeg: FFmpeg?
    /// The maximum length of files that are read into memory.
    var maximumByteCountInMemory = PictureBytes.maximumByteCount

    /// Decodes a picture.
    ///
    /// - Throws: ``PictureFailure``. A truncated file does not fail if a part of it is visible.
    func decode(_ request: DecodeRequest, file: OpenedPicture) throws(PictureFailure) -> DecodedPicture {
        guard file.byteCount > 0 else { throw PictureFailure(.damaged, reason: "The file is empty.") }
        let head = try file.read(at: 0, count: PictureSignature.byteCount)
        let picture: DecodedPicture
        do throws(PictureFailure) {
            picture = try decode(request, file: file, head: head)
        } catch {
            // The file was being written, so the failure does not mean that the picture is damaged.
            throw file.hasChanged ? OpenedPicture.changed : error
        }
        guard !file.hasChanged else { throw OpenedPicture.changed }
        return picture
    }

    private func decode(
        _ request: DecodeRequest, file: OpenedPicture, head: [UInt8]
    ) throws(PictureFailure) -> DecodedPicture {
        guard let format = PictureSignature.format(of: head) else {
            throw PictureFailure(.notAPicture, reason: "The content is not a picture of a known format.")
        }
        guard format != .bmp, format != .jpegXL else {
            throw PictureFailure(.unsupported, reason: "Pictures of its kind cannot be decoded.")
        }
        try PictureStructure.check(file, format: format)
        // Another program reads a video, so only its hash needs the bytes.
        let bytes = try PictureBytes.read(
            file, maximumByteCount: format == .video ? 0 : maximumByteCountInMemory)
        let source =
            switch format {
            case .raw: try preview(of: file)
            case .video: try frame(of: file, head: head)
            case .heic, .avif: try opened(bytes.readableHEIF, turnsItself: true)
            default: try opened(bytes, turnsItself: false)
            }
        let orientation = request.orientation ?? source.orientation
        var result = DecodedPicture(
            stamp: file.stamp, displayedSize: source.size.applying(orientation), orientation: orientation,
            measures: nil, thumbnails: [])
        let baseSize = source.baseSize
        let (small, large) = (
            request.thumbnails.filter { $0.size.rawValue <= baseSize.rawValue },
            request.thumbnails.filter { $0.size.rawValue > baseSize.rawValue }
        )
        var encoded: [ThumbnailKind: Thumbnail] = [:]
        if !small.isEmpty || large.isEmpty || request.isMeasured {
            var chain = RasterChain(try raster(of: source, size: baseSize, turned: orientation), size: baseSize)
            try Self.encode(small, into: &encoded) { kind throws(PictureFailure) in try chain.raster(kind.size) }
            if request.isMeasured {
                let sample = try chain.raster(Self.measuredSize).fitting(Self.measuredSide)
                result.measures = PictureMeasures(
                    content: try ContentHash.content(of: bytes, format: format),
                    placeholder: ThumbHash.bytes(of: sample),
                    color: DominantColor.color(of: sample))
            }
        }
        for size in Set(large.map(\.size)) {
            let own = try raster(of: source, size: size, turned: orientation)
            try Self.encode(large.filter { $0.size == size }, into: &encoded) { _ throws(PictureFailure) in own }
        }
        result.thumbnails = request.thumbnails.compactMap { encoded[$0] }
        return result
    }

    /// A picture whose header was read.
    private struct Source {
        let bytes: PictureBytes
        /// The width of the pixels before rotation.
        let width: Int
        /// The height of the pixels before rotation.
        let height: Int
        /// The size of the picture before rotation; that of a raw file, not of its preview.
        let size: PixelSize
        /// The file's own orientation.
        let orientation: Orientation

        /// The largest size that is scaled from the common raster.
        var baseSize: ThumbnailSize { ThumbnailSize.prepared(for: size).last ?? .pixels960 }
    }

    /// Reads a picture's header, and checks it against the limits.
    private func opened(_ bytes: PictureBytes, turnsItself: Bool) throws(PictureFailure) -> Source {
        let header = try bytes.probe()
        let size = try PixelSize(readWidth: Int(header.width), height: Int(header.height))
        try check(header, bytes: bytes)
        let written = Orientation(rawValue: UInt8(clamping: header.orientation)) ?? .up
        return Source(
            bytes: bytes, width: Int(header.width), height: Int(header.height), size: size,
            orientation: turnsItself ? .up : written)
    }

    /// Returns the preview in a raw file; the raw pixels are never developed.
    private func preview(of file: OpenedPicture) throws(PictureFailure) -> Source {
        let preview = try RawPreview(of: file)
        let source = try opened(.memory(preview.jpeg), turnsItself: false)
        return Source(
            bytes: source.bytes, width: source.width, height: source.height,
            size: try PixelSize(readWidth: preview.fullWidth, height: preview.fullHeight),
            orientation: preview.orientation)
    }

    /// Returns a frame of a video, which may be smaller than the video.
    private func frame(of file: OpenedPicture, head: [UInt8]) throws(PictureFailure) -> Source {
        guard let ffmpeg else { throw PictureFailure.withoutFFmpeg }
        let video = try VideoHeader(of: file, head: head, exifTool: exifTool)
        let source = try opened(.memory(try ffmpeg.frame(of: file, video)), turnsItself: false)
        return Source(
            bytes: source.bytes, width: source.width, height: source.height, size: video.size,
            orientation: video.orientation)
    }

    /// Decodes the pixels of a picture as those of a thumbnail.
    private func raster(
        of source: Source, size: ThumbnailSize, turned orientation: Orientation
    ) throws(PictureFailure) -> Raster {
        let (width, height) = Raster.size(
            fitting: Int(size.rawValue), width: source.width, height: source.height)
        let raster = try raster(of: source.bytes, width: width, height: height)
        try raster.turn(orientation)
        return raster
    }

    /// Decodes strictly; on failure retries and accepts a truncated picture.
    ///
    /// A photo without its lower half is worth showing, and viewers show it, too. Missing pixels are grey or black, so
    /// if all have one colour, nothing was decoded, and the picture counts as damaged.
    private func raster(of bytes: PictureBytes, width: Int, height: Int) throws(PictureFailure) -> Raster {
        let failure: PictureFailure
        do throws(PictureFailure) {
            return try bytes.decode(width: width, height: height, isTolerant: false)
        } catch {
            failure = error
        }
        guard failure.kind == .damaged else { throw failure }
        let raster = try bytes.repairedJPEG.decode(width: width, height: height, isTolerant: true)
        guard !Self.isOfOneColor(raster) else { throw failure }
        return raster
    }

    private static func isOfOneColor(_ raster: Raster) -> Bool {
        let (pixels, bandCount) = (raster.pixels, raster.bandCount)
        return pixels.indices.allSatisfy { abs(Int(pixels[$0]) - Int(pixels[$0 % bandCount])) <= 2 }
    }

    /// Throws if the header shows that the picture exceeds the limits.
    private func check(_ header: photostream_pixel_header, bytes: PictureBytes) throws(PictureFailure) {
        let pixelCount = Int(header.width) * Int(header.height)
        guard pixelCount <= Self.maximumPixelCount else {
            throw PictureFailure(
                .tooLarge, reason: "It has \(pixelCount) pixels, more than \(Self.maximumPixelCount).")
        }
        guard header.is_held != 0 else { return }
        guard Int64(pixelCount) * Int64(header.bytes_per_pixel) <= limits.pictureByteCount else {
            throw PictureFailure(.tooLarge, reason: "It needs more memory than a picture may use.")
        }
        guard case .memory(let bytes) = bytes, bytes.starts(with: [0xFF, 0xD8]) else { return }
        let scanCount = JPEGScans.count(in: bytes)
        guard scanCount * pixelCount <= Self.maximumScannedPixelCount else {
            throw PictureFailure(.tooLarge, reason: "It has \(scanCount) scans, too many for its size.")
        }
    }

    /// Encodes thumbnails, each of its raster.
    private static func encode(
        _ kinds: [ThumbnailKind], into encoded: inout [ThumbnailKind: Thumbnail],
        raster: (ThumbnailKind) throws(PictureFailure) -> Raster
    ) throws(PictureFailure) {
        for kind in kinds where encoded[kind] == nil {
            let raster = try raster(kind)
            encoded[kind] = Thumbnail(
                kind: kind, width: raster.width, height: raster.height, bytes: try raster.encoded(kind.format))
        }
    }
}

/// The rasters of thumbnails: each is scaled from that of twice its size, or else from the largest.
private struct RasterChain {
    private let base: Raster
    private let baseSize: ThumbnailSize
    private var rasters: [ThumbnailSize: Raster] = [:]

    init(_ base: Raster, size: ThumbnailSize) {
        (self.base, baseSize) = (base, size)
    }

    mutating func raster(_ size: ThumbnailSize) throws(PictureFailure) -> Raster {
        if let known = rasters[size] { return known }
        let double = ThumbnailSize(rawValue: 2 * size.rawValue).flatMap { $0.rawValue <= baseSize.rawValue ? $0 : nil }
        let source = if let double { try raster(double) } else { base }
        let raster = try source.fitting(Int(size.rawValue))
        rasters[size] = raster
        return raster
    }
}

/// The scans of a JPEG.
enum JPEGScans {
    /// Counts the markers that start a scan.
    ///
    /// Other bytes may look like one, so the result is an upper bound.
    static func count(in bytes: [UInt8]) -> Int {
        var (count, isMarked) = (0, false)
        for byte in bytes {
            if isMarked, byte == 0xDA { count += 1 }
            isMarked = byte == 0xFF
        }
        return count
    }
}
