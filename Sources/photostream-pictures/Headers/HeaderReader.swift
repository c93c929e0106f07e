import CVips
import Glibc
import PhotoStreamModel
import PhotoStreamPictureMessages

/// Reads the size and the metadata of a picture without decoding its pixels.
enum HeaderReader {
    /// The maximum length of a sidecar, in bytes.
    static let maximumSidecarByteCount: Int64 = 4 << 20
    /// The number of bytes at the start of a TIFF in which its metadata must lie.
    private static let scannedByteCount = 1 << 20

    /// Reads the header of a picture.
    ///
    /// - Parameters:
    ///   - file: The picture.
    ///   - sidecars: The XMP files next to it, nearest first.
    /// - Returns: The header.
    /// - Throws: ``PictureFailure`` if the size cannot be read. Damaged metadata is a warning.
    static func header(of file: OpenedPicture, sidecars: [OpenedPicture] = []) throws(PictureFailure) -> PictureHeader {
        guard file.byteCount > 0 else { throw PictureFailure(.damaged, reason: "The file is empty.") }
        let head = try file.read(at: 0, count: PictureSignature.byteCount)
        guard let format = PictureSignature.format(of: head) else {
            throw PictureFailure(.notAPicture, reason: "The content is not a picture of a known format.")
        }
        try PictureStructure.check(file, format: format)
        var header =
            switch format {
            case .bmp: try small(format, of: SmallHeaders.sizeOfBMP(head))
            case .jpegXL: try small(format, of: SmallHeaders.sizeOfJPEGXL(head))
            case .raw: try raw(file)
            case .png: try byVips(file, format: format, size: SmallHeaders.sizeOfPNG(head))
            case .heic, .avif:
                try byVips(file, format: format, size: HEIFSize.read(file).map { ($0.width, $0.height) })
            default: try byVips(file, format: format, size: nil)
            }
        try addSidecars(sidecars, to: &header)
        return header
    }

    private static func addSidecars(_ sidecars: [OpenedPicture], to header: inout PictureHeader) throws(PictureFailure)
    {
        for sidecar in sidecars {
            guard sidecar.byteCount <= maximumSidecarByteCount else {
                header.warnings.append(
                    "A sidecar has \(sidecar.byteCount) bytes, more than \(maximumSidecarByteCount).")
                continue
            }
            guard let bytes = try? sidecar.read(at: 0, count: Int(sidecar.byteCount)), let xmp = XMPPacket(bytes: bytes)
            else {
                header.warnings.append("A sidecar is not well-formed XMP.")
                continue
            }
            let next = MetadataSources(xmp: xmp).metadata(warnings: &header.warnings)
            guard var nearest = header.sidecar else {
                header.sidecar = next
                continue
            }
            nearest.takenAt = nearest.takenAt ?? next.takenAt
            nearest.title = nearest.title ?? next.title
            nearest.caption = nearest.caption ?? next.caption
            if nearest.keywords.isEmpty { nearest.keywords = next.keywords }
            nearest.rating = nearest.rating ?? next.rating
            nearest.coordinate = nearest.coordinate ?? next.coordinate
            nearest.camera = nearest.camera ?? next.camera
            header.sidecar = nearest
        }
    }

    private static func small(
        _ format: PictureFormat, of found: (width: Int, height: Int)?
    ) throws(PictureFailure) -> PictureHeader {
        guard let found else { throw PictureFailure(.damaged, reason: "The picture's header is damaged.") }
        let size = try PixelSize(readWidth: found.width, height: found.height)
        return PictureHeader(format: format, size: size, orientation: .up, embedded: PictureMetadata())
    }

    /// Reads metadata through libvips, and the size unless `known` contains it.
    private static func byVips(
        _ file: OpenedPicture, format: PictureFormat, size known: (width: Int, height: Int)?
    ) throws(PictureFailure) -> PictureHeader {
        var found = unsafe photostream_header()
        guard unsafe photostream_header_open(file.descriptor, &found) == 0 else {
            guard let known else {
                throw PictureFailure(.damaged, reason: "The picture's header is cut off or damaged.")
            }
            return PictureHeader(
                format: format, size: try PixelSize(readWidth: known.width, height: known.height), orientation: .up,
                embedded: PictureMetadata(), warnings: ["Only the size can be read."])
        }
        defer { unsafe photostream_header_close(&found) }
        let size = try unsafe PixelSize(
            readWidth: known?.width ?? Int(found.width), height: known?.height ?? Int(found.height))
        var (warnings, sources) = ([String](), MetadataSources())
        var exif = unsafe copy(found.exif, count: found.exif_count)
        if format == .tiff { exif = try file.read(at: 0, count: scannedByteCount) }
        if let exif {
            sources.exif = ExifBlock(bytes: exif)
            if sources.exif == nil, format != .tiff { warnings.append("The EXIF metadata is damaged.") }
        }
        if let bytes = unsafe copy(found.xmp, count: found.xmp_count) {
            sources.xmp = XMPPacket(bytes: bytes)
            if sources.xmp == nil { warnings.append("The XMP metadata is damaged.") }
        }
        if let bytes = unsafe copy(found.iptc, count: found.iptc_count) { sources.iptc = IPTCBlock(bytes: bytes) }
        let turnsItself = format == .heic || format == .avif
        let written = unsafe Orientation(rawValue: UInt8(clamping: found.orientation))
        let orientation = turnsItself ? .up : written ?? .up
        let previews = PreviewReader(size: size, orientation: orientation)
        let preview: PicturePreview? =
            switch format {
            case .jpeg: sources.exif.flatMap(previews.preview(in:))
            case .heic, .avif: previews.preview(ofHEIF: file)
            default: nil
            }
        return PictureHeader(
            format: format == .heic ? unsafe (found.is_av1 != 0 ? .avif : .heic) : format, size: size,
            orientation: orientation, embedded: sources.metadata(warnings: &warnings), preview: preview,
            warnings: warnings)
    }

    private static func raw(_ file: OpenedPicture) throws(PictureFailure) -> PictureHeader {
        var found = photostream_raw()
        guard unsafe photostream_raw_read(file.descriptor, &found) == 0 else {
            throw PictureFailure(.damaged, reason: "The raw picture's header is damaged or of an unknown camera.")
        }
        let size = try PixelSize(readWidth: Int(found.width), height: Int(found.height))
        var (warnings, sources) = ([String](), MetadataSources())
        sources.exif = ExifBlock(bytes: try file.read(at: 0, count: scannedByteCount))
        var metadata = sources.metadata(warnings: &warnings)
        if sources.exif == nil {
            // The file is not built like a TIFF, so libraw's values are used.
            if found.seconds > 0 {
                metadata.takenAt = try? CaptureTime(
                    milliseconds: found.seconds * 1_000, utcOffsetMinutes: nil, precision: .second)
            }
            metadata.caption = text(of: found.description).flatMap { MetadataText.isBoilerplate($0) ? nil : $0 }
        }
        if metadata.camera == nil {
            metadata.camera = MetadataSources.camera(make: text(of: found.make), model: text(of: found.model))
        }
        let orientation = Orientation(rawTurn: found.flip)
        return PictureHeader(
            format: .raw, size: size, orientation: orientation, embedded: metadata,
            preview: PreviewReader(size: size, orientation: orientation).preview(ofRaw: file, exif: sources.exif),
            warnings: warnings)
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
