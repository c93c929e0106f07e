import PhotoStreamPictureMessages

/// The limits of files that cost a decoder more than their pictures are worth.
///
/// Each is checked in the file before a library reads it, and counting stops at the limit. The processor time of a
/// request limits everything else.
enum PictureStructure {
    /// The maximum number of frames in a WebP.
    ///
    /// The library walks from the first frame to each, so 40,000 frames took 22 seconds.
    static let maximumFrameCount = 5_000
    /// The maximum number of chunks of a PNG or a WebP that are read.
    static let maximumChunkCount = 200_000
    /// The number of bytes of compressed pixels that a PNG may have in addition to twice those of the uncompressed
    /// pixels, because the library also decompresses data after the last pixel.
    static let spareByteCount = 64 << 10

    /// Checks a file.
    ///
    /// - Throws: ``PictureFailure`` of the kind `tooLarge`.
    static func check(_ file: OpenedPicture, format: PictureFormat) throws(PictureFailure) {
        switch format {
        case .png: try checkPNG(file)
        case .webP: try checkWebP(file)
        default: break
        }
    }

    /// Whether a file may contain metadata: the chunks of a PNG or a WebP show it, and the names of a HEIF file's items.
    ///
    /// A file that cannot be examined may contain it.
    static func mayContainMetadata(_ file: OpenedPicture, format: PictureFormat) -> Bool {
        do throws(PictureFailure) {
            return try hasMetadata(file, format: format)
        } catch {
            return true
        }
    }

    private static func hasMetadata(_ file: OpenedPicture, format: PictureFormat) throws(PictureFailure) -> Bool {
        switch format {
        case .png:
            return try hasChunk(
                in: file, range: 8..<max(8, file.byteCount), isLittle: false, padding: 12,
                named: ["eXIf", "tEXt", "zTXt", "iTXt", "tIME"], last: "IEND")
        case .webP:
            let head = try file.read(at: 4, count: 4)
            let end = min(file.byteCount, 8 + (head.count == 4 ? number(head[...], isLittle: true) : 0))
            return try hasChunk(
                in: file, range: 12..<max(12, end), isLittle: true, padding: 8, named: ["EXIF", "XMP "], last: nil)
        case .heic, .avif: return try HEIFSize.hasMetadata(file)
        default: return true
        }
    }

    private static func hasChunk(
        in file: OpenedPicture, range: Range<Int64>, isLittle: Bool, padding: Int64, named names: [String],
        last: String?
    ) throws(PictureFailure) -> Bool {
        var isFound = false
        try forEachChunk(of: file, in: range, isLittle: isLittle, padding: padding) { name, _ throws(PictureFailure) in
            isFound = names.contains { name.elementsEqual($0.utf8) }
            return !isFound && last.map { name.elementsEqual($0.utf8) } != true
        }
        return isFound
    }

    /// Source: the PNG specification, sections 5.3, 7.2 and 11.2.
    private static func checkPNG(_ file: OpenedPicture) throws(PictureFailure) {
        let head = try file.read(at: 8, count: 25)
        guard head.count == 25, head[4..<8].elementsEqual("IHDR".utf8) else { return }
        let (width, height) = (number(head[8..<12], isLittle: false), number(head[12..<16], isLittle: false))
        let samples: Int64 = [2: 3, 4: 2, 6: 4][head[17]] ?? 1
        let (bits, overflows) = width.multipliedReportingOverflow(by: samples * Int64(head[16]))
        let (plain, isBeyond) = (bits / 8 + 2).multipliedReportingOverflow(by: height)
        // Such sizes are refused anyway.
        guard !overflows, !isBeyond, plain < Int64.max / 4 else { return }
        let limit = 2 * plain + Int64(spareByteCount)
        var compressed: Int64 = 0
        try forEachChunk(of: file, in: 8..<max(8, file.byteCount), isLittle: false, padding: 12) {
            name, length throws(PictureFailure) in
            guard name.elementsEqual("IDAT".utf8) else { return !name.elementsEqual("IEND".utf8) }
            compressed += length
            guard compressed > limit else { return true }
            throw PictureFailure(.tooLarge, reason: "It has more than \(limit) bytes of compressed pixels.")
        }
    }

    /// Source: RFC 9649, section 2.7.
    private static func checkWebP(_ file: OpenedPicture) throws(PictureFailure) {
        let head = try file.read(at: 4, count: 4)
        guard head.count == 4 else { return }
        let end = min(file.byteCount, 8 + number(head[...], isLittle: true))
        var frameCount = 0
        try forEachChunk(of: file, in: 12..<max(12, end), isLittle: true, padding: 8) {
            name, _ throws(PictureFailure) in
            guard name.elementsEqual("ANMF".utf8) else { return true }
            frameCount += 1
            guard frameCount <= maximumFrameCount else {
                throw PictureFailure(.tooLarge, reason: "It has more than \(maximumFrameCount) frames.")
            }
            return true
        }
    }

    /// Calls a closure with the name and the length of each chunk, up to the end of the picture.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - range: The bytes of the chunks.
    ///   - isLittle: Whether the chunks are those of RIFF: the name before the length, which is little-endian, and
    ///     padding to even lengths.
    ///   - padding: The bytes of a chunk in addition to its content.
    ///   - body: The closure; returns whether more chunks follow.
    /// - Throws: The failures of `body`; ``PictureFailure`` for too many chunks.
    private static func forEachChunk(
        of file: OpenedPicture, in range: Range<Int64>, isLittle: Bool, padding: Int64,
        _ body: (ArraySlice<UInt8>, Int64) throws(PictureFailure) -> Bool
    ) throws(PictureFailure) {
        var (place, count) = (range.lowerBound, 0)
        while place < range.upperBound {
            let head = try file.read(at: place, count: 8)
            guard head.count == 8 else { return }
            count += 1
            guard count <= maximumChunkCount else {
                throw PictureFailure(.tooLarge, reason: "It has more than \(maximumChunkCount) parts.")
            }
            let length = number(isLittle ? head[4..<8] : head[0..<4], isLittle: isLittle)
            guard try body(isLittle ? head[0..<4] : head[4..<8], length) else { return }
            place += padding + length + (isLittle ? length & 1 : 0)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> Int64 {
        (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int64($1) }
    }
}
