import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Raw pictures: DNG files of 64 by 48 pixels, made here.
@Suite(.serialized)
struct HeadersRawTests {
    /// A value of a tag: shorts, longs, bytes or text.
    private enum Value {
        case shorts([UInt16])
        case longs([UInt32])
        case bytes([UInt8])
        case text(String)

        var kind: UInt16 {
            switch self {
            case .bytes: 1
            case .text: 2
            case .shorts: 3
            case .longs: 4
            }
        }

        var bytes: [UInt8] {
            switch self {
            case .shorts(let values): values.flatMap { HeaderFiles.bytes($0, isBigEndian: false) }
            case .longs(let values): values.flatMap { HeaderFiles.bytes($0, isBigEndian: false) }
            case .bytes(let values): values
            case .text(let text): Array(text.utf8) + [0]
            }
        }

        var count: Int {
            switch self {
            case .shorts(let values): values.count
            case .longs(let values): values.count
            case .bytes, .text: bytes.count
            }
        }
    }

    /// A file with one directory of raw pixels, as cameras that write DNG make it.
    private static func negative(orientation: UInt16) -> [UInt8] {
        let (width, height, pixelPlace) = (UInt16(64), UInt16(48), UInt32(1_024))
        let byteCount = UInt32(width) * UInt32(height) * 2
        let tags: [(UInt16, Value)] = [
            (0xFE, .longs([0])), (0x100, .shorts([width])), (0x101, .shorts([height])), (0x102, .shorts([16])),
            (0x103, .shorts([1])), (0x106, .shorts([32_803])), (0x10E, .text("A barn")), (0x10F, .text("Lumen")),
            (0x110, .text("Lumen One")), (0x111, .longs([pixelPlace])), (0x112, .shorts([orientation])),
            (0x115, .shorts([1])), (0x116, .shorts([height])), (0x117, .longs([byteCount])),
            (0x828D, .shorts([2, 2])), (0x828E, .bytes([0, 1, 1, 2])), (0xC612, .bytes([1, 4, 0, 0])),
            (0xC614, .text("Lumen One")),
        ]
        func little(_ value: some FixedWidthInteger) -> [UInt8] { HeaderFiles.bytes(value, isBigEndian: false) }
        var (directory, values) = (little(UInt16(tags.count)), [UInt8]())
        let valuePlace = 8 + 2 + tags.count * 12 + 4
        for (tag, value) in tags {
            directory += little(tag) + little(value.kind) + little(UInt32(value.count))
            var bytes = value.bytes
            if bytes.count <= 4 {
                directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            } else {
                directory += little(UInt32(valuePlace + values.count))
                if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
                values += bytes
            }
        }
        let head = Array("II*".utf8) + [0] + little(UInt32(8)) + directory + little(UInt32(0)) + values
        return head + [UInt8](repeating: 0, count: Int(pixelPlace) - head.count)
            + (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
    }

    @Test(arguments: Orientation.allCases)
    func sizeOrientationAndMetadata(orientation: Orientation) throws {
        let found = try HeaderFiles.header([("a.dng", Self.negative(orientation: UInt16(orientation.rawValue)))])
        #expect(found.format == .raw)
        #expect(found.size.description == "64x48")
        #expect(found.orientation == orientation)
        #expect(found.embedded.caption == "A barn")
        #expect(found.embedded.camera == "Lumen One")
    }

    @Test func headsThatAreCutOffAreDamaged() {
        let whole = Self.negative(orientation: 1)
        let reason = "The raw picture's header is damaged or of an unknown camera."
        #expect(throws: PictureFailure(.damaged, reason: reason)) {
            try HeaderFiles.header([("a.dng", Array(whole.prefix(230)))])
        }
    }
}
