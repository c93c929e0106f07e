import CVips
import PhotoStreamModel
import PhotoStreamPictureMessages

/// Computes a provisional placeholder and colour from the small preview that cameras write next to the metadata.
///
/// A preview counts if its shape is that of the picture, in the same orientation. Programs that crop or turn a picture
/// often leave the preview as it was; one whose shape they changed is found by that, and one whose size they changed by
/// the size in the metadata.
struct PreviewReader {
    /// The maximum length of a preview in metadata, in bytes.
    private static let maximumByteCount = 256 << 10
    /// The maximum length of the preview of a raw file, in bytes.
    private static let maximumRawByteCount: Int64 = 4 << 20
    /// The longer side to which larger previews are decoded, in pixels: that of most previews.
    private static let decodedSide = 160
    /// The maximum side of the small copy in a HEIF file, in pixels.
    private static let maximumCopySide = 640
    /// The maximum difference between the shapes of a preview and its picture, as a part.
    private static let tolerance = 0.02
    /// The luma, 0 to 255, below which a row or column is part of a black bar.
    private static let darkestLuma = 24

    /// The size of the picture before rotation.
    let size: PixelSize
    /// The file's own orientation.
    let orientation: Orientation

    /// Returns the values of the preview in the EXIF data of a JPEG; `nil` if there is none that counts.
    func preview(in exif: ExifBlock) -> PicturePreview? {
        let sides = [Int32(0xA002), 0xA003].map { exif.number($0, in: .exif) ?? 0 }
        let isOfOtherSize =
            sides.allSatisfy { $0 > 0 } && Set(sides) != [Int(size.width), Int(size.height)]
        guard !isOfOtherSize, !isTurnedOtherwise(in: exif), let jpeg = Self.jpeg(in: exif) else { return nil }
        return preview(jpeg)
    }

    /// Returns the values of the preview in the EXIF data of a raw file, or of the JPEG that libraw finds.
    func preview(ofRaw file: OpenedPicture, exif: ExifBlock?) -> PicturePreview? {
        if let exif, !isTurnedOtherwise(in: exif), let jpeg = Self.jpeg(in: exif), let preview = preview(jpeg) {
            return preview
        }
        return (try? RawPreview(of: file, maximumByteCount: Self.maximumRawByteCount)).flatMap { preview($0.jpeg) }
    }

    /// Returns the values of the small copy in a HEIF file, which its decoder turns.
    func preview(ofHEIF file: OpenedPicture) -> PicturePreview? {
        (try? PictureBytes.file(file).decodePreview(side: Self.maximumCopySide)).flatMap(values)
    }

    private static func jpeg(in exif: ExifBlock) -> [UInt8]? {
        guard let bytes = exif.bytes(0x0201, in: .preview), bytes.count <= maximumByteCount,
            bytes.starts(with: [0xFF, 0xD8])
        else { return nil }
        return bytes
    }

    /// Whether a program turned the picture, or its preview, alone.
    private func isTurnedOtherwise(in exif: ExifBlock) -> Bool {
        guard let own = exif.number(0x0112, in: .preview) else { return false }
        return own != Int(orientation.rawValue)
    }

    private func preview(_ jpeg: [UInt8]) -> PicturePreview? {
        let bytes = PictureBytes.memory(jpeg)
        guard let header = try? bytes.probe(), header.width * header.height <= 1 << 24 else { return nil }
        let (width, height) = Raster.size(
            fitting: Self.decodedSide, width: Int(header.width), height: Int(header.height))
        guard JPEGScans.count(in: jpeg) <= 64,
            let raster = try? bytes.decode(width: width, height: height, isTolerant: false)
        else { return nil }
        return values(raster)
    }

    /// Returns the values of pixels before rotation; `nil` if they are not those of the picture.
    private func values(_ raster: Raster) -> PicturePreview? {
        guard (try? cropBars(of: raster)) == true,
            let sample = try? raster.halved(to: Decoder.measuredSide), (try? sample.turn(orientation)) != nil
        else { return nil }
        return PicturePreview(placeholder: ThumbHash.bytes(of: sample), color: DominantColor.color(of: sample))
    }

    /// Cuts off the black bars with which some cameras bring every picture to a shape of 4 to 3.
    ///
    /// - Returns: Whether the rest has the shape of the picture.
    private func cropBars(of raster: Raster) throws(PictureFailure) -> Bool {
        let ratio = Double(size.width) / Double(size.height)
        let (width, height) = (Double(raster.width), Double(raster.height))
        guard abs(width / height / ratio - 1) > Self.tolerance else { return true }
        let areRows = width / height < ratio
        // The bars and the rest, rounded so that no row or column at their border counts as either.
        let bar = areRows ? (height - width / ratio) / 2 : (width - height * ratio) / 2
        let (dark, cut) = (Int(bar - 0.5), Int(bar + 1.5))
        guard dark >= 1, 2 * cut < (areRows ? raster.height : raster.width) else { return false }
        let pixels = raster.pixels
        let count = areRows ? raster.height : raster.width
        for index in Array(0..<dark) + Array(count - dark..<count) {
            let luma = Self.luma(of: pixels, in: raster, at: index, isRow: areRows)
            guard luma < Self.darkestLuma else { return false }
        }
        try raster.crop(
            x: areRows ? 0 : cut, y: areRows ? cut : 0, width: areRows ? raster.width : count - 2 * cut,
            height: areRows ? count - 2 * cut : raster.height)
        return true
    }

    /// Returns the mean luma of a row or a column.
    private static func luma(of pixels: [UInt8], in raster: Raster, at index: Int, isRow: Bool) -> Int {
        let (width, bands) = (raster.width, raster.bandCount)
        let count = isRow ? width : raster.height
        var sum = 0
        for other in 0..<count {
            let place = (isRow ? index * width + other : other * width + index) * bands
            sum += 299 * Int(pixels[place]) + 587 * Int(pixels[place + 1]) + 114 * Int(pixels[place + 2])
        }
        return sum / (1_000 * count)
    }
}
