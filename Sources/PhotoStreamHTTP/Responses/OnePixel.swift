import CZlib
import PhotoStreamModel

enum OnePixel {
    /// The colour of pictures without a known one.
    static let unknownColor = RGBColor(rawValue: 0x808080)

    /// Returns a PNG file of one pixel.
    ///
    /// Source: PNG (ISO/IEC 15948), section 5; RFC 1950 and RFC 1951 for its one stored block.
    static func png(_ color: RGBColor) -> [UInt8] {
        let rgb = [16, 8, 0].map { UInt8(truncatingIfNeeded: color.rawValue >> $0) }
        // A line begins with its filter: none.
        let line = [0] + rgb
        let size: [UInt8] = [0, 0, 0, 1]
        let deflated: [UInt8] =
            [0x78, 0x01, 1, 4, 0, 0xFB, 0xFF] + line + bigEndian(unsafe adler32(1, line, uInt(line.count)))
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", holding: size + size + [8, 2, 0, 0, 0]) + chunk("IDAT", holding: deflated)
            + chunk("IEND", holding: [])
    }

    private static func chunk(_ type: String, holding content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bigEndian(uLong(content.count)) + body + bigEndian(unsafe crc32(0, body, uInt(body.count)))
    }

    /// Returns a number of 32 bits.
    private static func bigEndian(_ number: uLong) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
