import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
import Testing

@testable import photostream_pictures

/// Files that viewers show, and that the decoders here refuse as they are.
@Suite(.serialized, .enabled(if: PictureFolder.hasCommands, "vips or exiftool is missing"))
struct RepairTests {
    private let folder: PictureFolder

    init() throws {
        folder = try PictureFolder()
    }

    /// Makes a HEIC with alpha, a date, a position and a camera.
    private func heic() throws -> HEIFEditing {
        let pixels = (0..<(64 * 48)).flatMap { place -> [UInt8] in
            [UInt8(truncatingIfNeeded: place), 90, 200, place < 1_000 ? 90 : 255]
        }
        try folder.makePNG("a.png", pixels: pixels, width: 64, height: 48, bands: 4)
        try folder.run("vips", "copy", "a.png", "a.heic")
        try folder.run(
            "exiftool", "-q", "-overwrite_original", "-EXIF:DateTimeOriginal=2019:09:09 09:09:09", "-GPSLatitude=48.5",
            "-GPSLatitudeRef=N", "-GPSLongitude=11.5", "-GPSLongitudeRef=E", "-Make=Maker", "-Model=M1", "a.heic")
        return HEIFEditing(try folder.bytes("a.heic"))
    }

    private func expectMetadata(of name: String) throws {
        let reader = HeaderReader(exifTool: ExifTool(path: "/usr/bin/exiftool"))
        let header = try reader.header(of: OpenedPicture(root: folder.url.path, path: name))
        #expect(header.size.description == "64x48")
        #expect(header.embedded.takenAt?.description == "2019-09-09T09:09:09")
        #expect(header.embedded.coordinate == (try Coordinate(latitude: 48.5, longitude: 11.5)))
        #expect(header.embedded.camera == "Maker M1")
        #expect(header.warnings.isEmpty)
    }

    @Test func `a picture of an iPhone since iOS 18 is whole`() throws {
        var file = try heic()
        try file.shareAuxiliary()
        try folder.write("b.heic", file.bytes)
        try expectMetadata(of: "b.heic")
        let picture = try folder.decode("b.heic", isMeasured: true)
        #expect(picture.displayedSize.description == "64x48")
        #expect(picture.measures?.content.fileHash == ContentHash.hash(of: file.bytes))
    }

    @Test func `the offset of EXIF in HEIC is obeyed`() throws {
        var file = try heic()
        try file.putMarkerBeforeExif()
        try folder.write("b.heic", file.bytes)
        try expectMetadata(of: "b.heic")
    }

    @Test func `files without shared pictures are not copied`() throws {
        let file = try heic().bytes
        #expect(RepairedBytes.withoutSharedAuxiliaries(file) == nil)
        for count in stride(from: 0, to: file.count, by: 7) {
            #expect(RepairedBytes.withoutSharedAuxiliaries(Array(file.prefix(count))) == nil)
        }
    }

    // MARK: - Restart markers

    /// The bytes of a JPEG: a header with bytes that look like markers, then scans of intervals between markers.
    private func jpeg(scans: [[(marker: UInt8?, data: [UInt8])]]) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 8, 0xFF, 0xD3, 0xFF, 0xD9, 0xFF, 0xDA]
        for scan in scans {
            bytes += [0xFF, 0xDA, 0, 4, 1, 2]
            for (marker, data) in scan { bytes += (marker.map { [0xFF, 0xD0 | $0] } ?? []) + data }
        }
        return bytes + [0xFF, 0xD9]
    }

    @Test func `lost restart markers are put back`() {
        var random = SplitMix64(seed: 36)
        for _ in 0..<500 {
            var (whole, damaged) = ([[(marker: UInt8?, data: [UInt8])]](), [[(marker: UInt8?, data: [UInt8])]]())
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                var (all, rest) = ([(marker: UInt8?, data: [UInt8])](), [(marker: UInt8?, data: [UInt8])]())
                let count = Int.random(in: 1...40, using: &random)
                let gap = Int.random(in: 1...max(1, count), using: &random)
                let lost = Int.random(in: 0...7, using: &random)
                for index in 0..<count {
                    let data: [UInt8] = [UInt8.random(in: 0...254, using: &random), 0xFF, 0x00, 7]
                    let isLost = (gap..<(gap + lost)).contains(index)
                    let marker = index == 0 ? nil : UInt8((index - 1) & 7)
                    // Of a gap at the end nothing shows.
                    guard gap + lost < count else {
                        all.append((marker, data))
                        rest.append((marker, data))
                        continue
                    }
                    all.append((marker, isLost ? [] : data))
                    if !isLost { rest.append((marker, data)) }
                }
                whole.append(all)
                damaged.append(rest)
            }
            let repaired = RepairedBytes.withLostRestartMarkers(jpeg(scans: damaged))
            #expect(repaired ?? jpeg(scans: damaged) == jpeg(scans: whole))
        }
    }

    @Test func `a marker with a damaged number is left to libjpeg`() {
        for (place, number) in [(3, UInt8(7)), (5, 0), (9, 3)] {
            var scan: [(marker: UInt8?, data: [UInt8])] = [(nil, [0])]
            for index in 1..<20 { scan.append((UInt8((index - 1) & 7), [UInt8(index)])) }
            scan[place].marker = number
            #expect(RepairedBytes.withLostRestartMarkers(jpeg(scans: [scan])) == nil)
        }
    }

    @Test func `markers without pixels do not fill the memory`() {
        var markers: [(marker: UInt8?, data: [UInt8])] = []
        for index in 0..<200_000 { markers.append((UInt8(index * 7 & 7), [])) }
        let repaired = RepairedBytes.withLostRestartMarkers(jpeg(scans: [markers]))
        #expect(repaired.map(\.count) ?? 0 < 2_000_000)
    }

    @Test(arguments: [300, 600, 1_200, 2_400], [2, 3, 5])
    func `a picture with a gap is shown`(lost: Int, part: Int) throws {
        var random = SplitMix64(seed: 19)
        let pixels = (0..<(800 * 600 * 3)).map { UInt8(($0 / 40 + Int.random(in: 0...60, using: &random)) & 0xFF) }
        try folder.makePNG("a.png", pixels: pixels, width: 800, height: 600, bands: 3)
        try folder.run("vips", "jpegsave", "a.png", "a.jpg", "--Q", "85", "--restart-interval", "8")
        let bytes = try folder.bytes("a.jpg")
        let gap = try #require(
            (bytes.count / part..<bytes.count - 1).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD5 })
        try folder.write("b.jpg", Array(bytes[..<gap] + bytes[(gap + lost)...]))
        let (whole, damaged) = (try folder.decode("a.jpg"), try folder.decode("b.jpg"))
        #expect(damaged.thumbnails.count == whole.thumbnails.count)
    }
}
