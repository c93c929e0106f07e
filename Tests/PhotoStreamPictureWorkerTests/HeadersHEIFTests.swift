import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Boxes of HEIF made here, which libheif refuses because they have no pixels.
@Suite(.serialized)
struct HeadersHEIFTests {
    private static func bytes(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { HeaderFiles.bytes($0, isBigEndian: true) }
    }

    private static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        bytes([UInt32(content.count + 8)]) + Array(kind.utf8) + content
    }

    private static func extent(width: UInt32, height: UInt32) -> [UInt8] { box("ispe", bytes([0, width, height])) }

    /// A crop to fractions, which are given as numerator and denominator.
    private static func crop(_ width: (UInt32, UInt32), _ height: (UInt32, UInt32)) -> [UInt8] {
        box("clap", bytes([width.0, width.1, height.0, height.1, 0, 1, 0, 1]))
    }

    private static func turn(_ quarters: UInt8) -> [UInt8] { box("irot", [quarters]) }

    /// A file with properties; the primary item 2 has those with `indices`.
    private static func file(
        _ properties: [[UInt8]], indices: [UInt8], isWide: Bool = false, isLong: Bool = false
    ) -> [UInt8] {
        let item: (UInt8) -> [UInt8] = { isWide ? [0, 0, 0, $0] : [0, $0] }
        let own: [UInt8] = isWide ? indices.flatMap { [0x80, $0] } : indices.map { $0 | 0x80 }
        let other: [UInt8] = isWide ? [0, 1] : [1]
        let table =
            bytes([isWide ? 0x0100_0001 : 0, 2]) + item(1) + [1] + other + item(2) + [UInt8(indices.count)] + own
        let content =
            bytes([0]) + box("pitm", bytes([isWide ? 0x0100_0000 : 0]) + item(2))
            + box("iprp", box("ipco", properties.flatMap(\.self)) + box("ipma", table))
        let brand = box("ftyp", Array("avif".utf8) + bytes([0]) + Array("mif1".utf8)) + box("free", [1, 2, 3])
        guard isLong else { return brand + box("meta", content) }
        return brand + bytes([1]) + Array("meta".utf8) + bytes([0, UInt32(content.count + 16)]) + content
    }

    private static let other = extent(width: 8, height: 8)
    private static let main = extent(width: 400, height: 300)

    @Test(
        arguments: [
            (file([other, main], indices: [2]), "400x300"),
            (file([other, main, turn(1)], indices: [2, 3]), "300x400"),
            (file([other, main, turn(2)], indices: [2, 3]), "400x300"),
            (file([other, main, turn(3), turn(1)], indices: [2, 3, 4]), "400x300"),
            // A property that the primary item does not have.
            (file([other, main, turn(1)], indices: [2]), "400x300"),
            // Cropped, then rotated, and the other way round: each applies to the result of the previous one.
            (file([other, main, crop((200, 1), (100, 1)), turn(1)], indices: [2, 3, 4]), "100x200"),
            (file([other, main, crop((200, 1), (100, 1)), turn(1)], indices: [2, 4, 3]), "200x100"),
            (file([other, main, crop((401, 2), (299, 3))], indices: [2, 3]), "201x100"),
            (file([other, main, crop((900, 1), (100, 1))], indices: [2, 3]), "400x100"),
            (file([other, main, box("imir", [1])], indices: [2, 3]), "400x300"),
            // The extent listed last, as some encoders do.
            (file([other, main, turn(1)], indices: [3, 2]), "300x400"),
            (file([other, main, crop((200, 1), (100, 1)), turn(1)], indices: [3, 4, 2]), "300x400"),
            (file([other, main, turn(1)], indices: [0, 2, 3], isWide: true), "300x400"),
            (file([other, main, turn(1)], indices: [2, 3], isLong: true), "300x400"),
        ] as [([UInt8], String)])
    func displayedSize(bytes: [UInt8], expected: String) throws {
        let header = try HeaderFiles.header([("a.avif", bytes)])
        #expect(header.format == .avif)
        #expect(header.size.description == expected)
        #expect(header.orientation == .up)
        #expect(header.warnings.map(\.reason) == ["Only the size can be read."])
    }

    @Test(
        arguments: [
            ("no property", file([other], indices: [])),
            ("a property that does not exist", file([other, main], indices: [2, 9])),
            ("a crop by zero", file([other, main, crop((1, 0), (1, 1))], indices: [2, 3])),
            ("a crop without a size", file([other, main, box("clap", [])], indices: [2, 3])),
            ("a turn without a number", file([other, main, box("irot", [])], indices: [2, 3])),
            ("an extent cut short", file([other, box("ispe", [0, 0, 0, 0, 0, 0])], indices: [2])),
        ])
    func damagedBoxes(name: String, bytes: [UInt8]) {
        #expect(throws: PictureFailure(.damaged, reason: "The picture's header is cut off or damaged."), "\(name)") {
            try HeaderFiles.header([("a.avif", bytes)])
        }
    }

    @Test func everyPrefixIsDamaged() throws {
        let whole = Self.file([Self.other, Self.main, Self.turn(1)], indices: [2, 3])
        for count in 12..<whole.count {
            #expect(throws: PictureFailure.self) { try HeaderFiles.header([("a.avif", Array(whole.prefix(count)))]) }
        }
    }
}
