import CVips
import PhotoStreamModel
import PhotoStreamPictureMessages

/// Decodes a picture and computes everything that is requested.
///
/// The bytes of a thumbnail depend only on the file and the orientation, and not on the rest of the request, because
/// the thumbnail's address never changes: all sizes up to ``baseSide`` are scaled from one raster of that size, and
/// each larger one is decoded separately.
struct Decoder {
    /// The longer side of the raster from which smaller thumbnails are scaled, in pixels.
    static let baseSide = 640
    /// The maximum number of pixels of a picture.
    static let maximumPixelCount = 1_000_000_000
    /// The maximum number of pixels times scans of a progressive JPEG.
    ///
    /// Each scan may touch each pixel, and an empty scan has only a few bytes.
    static let maximumScannedPixelCount = 10_000_000_000
    /// The longer side of the raster for measurements; a ThumbHash needs no larger one.
    static let measuredSide = 100

    let limits: WorkerLimits
    /// The maximum length of files that are read into memory.
    var maximumByteCountInMemory = PictureBytes.maximumByteCount

    /// Decodes a picture.
    ///
    /// - Throws: ``PictureFailure``. A truncated file does not fail if a part of it is visible.
    func decode(_ request: DecodeRequest, file: OpenedPicture) throws(PictureFailure) -> DecodedPicture {
        guard file.byteCount > 0 else { throw PictureFailure(.damaged, reason: "The file is empty.") }
        let format = PictureSignature.format(of: try file.read(at: 0, count: PictureSignature.byteCount))
        let picture: DecodedPicture
        do throws(PictureFailure) {
            picture = try decode(request, file: file, format: format)
        } catch {
            // The file was being written, so the failure does not mean that the picture is damaged.
            throw file.hasChanged ? OpenedPicture.changed : error
        }
        guard !file.hasChanged else { throw OpenedPicture.changed }
        return picture
    }

    private func decode(
        _ request: DecodeRequest, file: OpenedPicture, format: PictureFormat?
    ) throws(PictureFailure) -> DecodedPicture {
        guard let format else {
            throw PictureFailure(.notAPicture, reason: "The content is not a picture of a known format.")
        }
        guard format != .bmp, format != .jpegXL else {
            throw PictureFailure(.unsupported, reason: "Pictures of its kind cannot be decoded.")
        }
        try PictureStructure.check(file, format: format)
        let bytes = try PictureBytes.read(file, maximumByteCount: maximumByteCountInMemory)
        func source(side: Int) throws(PictureFailure) -> DecodedSource {
            guard format != .raw else { return try decodedPreview(of: file, side: side) }
            return try decoded(bytes, side: side, turnsItself: format == .heic || format == .avif)
        }
        let (small, large) = (
            request.thumbnails.filter { Int($0.size.rawValue) <= Self.baseSide },
            request.thumbnails.filter { Int($0.size.rawValue) > Self.baseSide }
        )
        var result: DecodedPicture?
        var encoded: [ThumbnailKind: Thumbnail] = [:]
        if !small.isEmpty || large.isEmpty || request.isMeasured {
            let base = try source(side: Self.baseSide)
            let orientation = request.orientation ?? base.orientation
            try base.raster.turn(orientation)
            let thumbnails = try Self.thumbnails(small, of: base.raster)
            encoded = thumbnails.encoded
            var measures: PictureMeasures?
            if request.isMeasured {
                // The smallest raster that is large enough.
                let sample =
                    try (thumbnails.rasters.last { max($0.width, $0.height) >= Self.measuredSide } ?? base.raster)
                    .fitting(Self.measuredSide)
                measures = PictureMeasures(
                    contentHash: try bytes.hash(), placeholder: ThumbHash.bytes(of: sample),
                    color: DominantColor.color(of: sample))
            }
            result = Self.picture(base, turned: orientation, with: measures, of: file)
        }
        for size in Set(large.map(\.size)) {
            let own = try source(side: Int(size.rawValue))
            let orientation = request.orientation ?? own.orientation
            try own.raster.turn(orientation)
            encoded.merge(try Self.thumbnails(large.filter { $0.size == size }, of: own.raster).encoded) { $1 }
            result = result ?? Self.picture(own, turned: orientation, with: nil, of: file)
        }
        guard var result else { throw PictureFailure(.damaged, reason: "The picture is cut off or damaged.") }
        result.thumbnails = request.thumbnails.compactMap { encoded[$0] }
        return result
    }

    private static func picture(
        _ source: DecodedSource, turned orientation: Orientation, with measures: PictureMeasures?,
        of file: OpenedPicture
    ) -> DecodedPicture {
        DecodedPicture(
            stamp: file.stamp, displayedSize: source.size.applying(orientation), orientation: orientation,
            measures: measures, thumbnails: [])
    }

    /// Pixels before rotation.
    private struct DecodedSource {
        let raster: Raster
        /// The size of the picture before rotation.
        let size: PixelSize
        /// The file's own orientation.
        let orientation: Orientation
    }

    private func decoded(_ bytes: PictureBytes, side: Int, turnsItself: Bool) throws(PictureFailure) -> DecodedSource {
        let header = try bytes.probe()
        let size = try PixelSize(readWidth: Int(header.width), height: Int(header.height))
        try check(header, bytes: bytes)
        let (width, height) = Raster.size(fitting: side, width: Int(header.width), height: Int(header.height))
        let written = Orientation(rawValue: UInt8(clamping: header.orientation)) ?? .up
        return DecodedSource(
            raster: try raster(of: bytes, width: width, height: height), size: size,
            orientation: turnsItself ? .up : written)
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
        let raster = try bytes.decode(width: width, height: height, isTolerant: true)
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

    /// Decodes the preview in a raw file; the raw pixels are never developed.
    private func decodedPreview(of file: OpenedPicture, side: Int) throws(PictureFailure) -> DecodedSource {
        let preview = try RawPreview(of: file)
        let source = try decoded(.memory(preview.jpeg), side: side, turnsItself: false)
        let size = try PixelSize(readWidth: preview.fullWidth, height: preview.fullHeight)
        return DecodedSource(raster: source.raster, size: size, orientation: preview.orientation)
    }

    /// Creates thumbnails, each directly from the raster.
    ///
    /// - Returns: The encoded thumbnails, and their rasters, largest first.
    private static func thumbnails(
        _ kinds: [ThumbnailKind], of raster: Raster
    ) throws(PictureFailure) -> (encoded: [ThumbnailKind: Thumbnail], rasters: [Raster]) {
        let sizes = Set(kinds.map(\.size)).sorted { $0.rawValue > $1.rawValue }
        var rasters: [ThumbnailSize: Raster] = [:]
        for size in sizes { rasters[size] = try raster.fitting(Int(size.rawValue)) }
        var encoded: [ThumbnailKind: Thumbnail] = [:]
        for kind in kinds where encoded[kind] == nil {
            guard let raster = rasters[kind.size] else { continue }
            encoded[kind] = Thumbnail(
                kind: kind, width: raster.width, height: raster.height, bytes: try raster.encoded(kind.format))
        }
        return (encoded, sizes.compactMap { rasters[$0] })
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
