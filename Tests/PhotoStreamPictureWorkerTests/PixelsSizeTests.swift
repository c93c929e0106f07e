import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Sizes and orientations of thumbnails.
@Suite(.serialized)
struct PixelsSizeTests {
    @Test func longerSideFitsAndNothingIsEnlarged() {
        for width in [1, 2, 99, 100, 101, 640, 4_000, 999_983] {
            for height in [1, 3, 100, 427, 3_000, 65_537] {
                for side in ThumbnailSize.allCases.map({ Int($0.rawValue) }) {
                    let size = Raster.size(fitting: side, width: width, height: height)
                    #expect(max(size.width, size.height) == min(side, max(width, height)))
                    #expect(size.width >= 1 && size.height >= 1 && size.width <= width && size.height <= height)
                    let exact = Double(min(width, height)) * Double(side) / Double(max(width, height))
                    if max(width, height) > side {
                        #expect(abs(Double(min(size.width, size.height)) - max(1, exact)) <= 0.5)
                    } else {
                        #expect(size == (width, height))
                    }
                }
            }
        }
    }

    @Test(.enabled(if: PictureFolder.hasCommands)) func thumbnailsComeInTheOrderOfTheRequest() throws {
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "resize", "a.png", "b.jpg", "12", "--kernel", "nearest")
        let kinds = [
            ThumbnailKind(.pixels240, as: .jpeg), ThumbnailKind(.pixels640, as: .webP),
            ThumbnailKind(.pixels1280, as: .webP),
            ThumbnailKind(.pixels240, as: .webP), ThumbnailKind(.pixels240, as: .jpeg),
        ]
        let picture = try folder.decode("b.jpg", kinds, isMeasured: true)
        #expect(picture.thumbnails.map(\.kind) == kinds)
        #expect(picture.thumbnails.map(\.width) == [240, 640, 768, 240, 240])
        #expect(picture.thumbnails.map(\.height) == [180, 480, 576, 180, 180])
        for thumbnail in picture.thumbnails {
            let pixels = try TestPixels(thumbnail)
            #expect((pixels.width, pixels.height) == (thumbnail.width, thumbnail.height))
            #expect(Quarters.difference(pixels) <= 6)
            #expect(thumbnail.bytes.starts(with: thumbnail.kind.format == .jpeg ? [0xFF, 0xD8] : Array("RIFF".utf8)))
        }
        #expect(picture.displayedSize.description == "768x576")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("b.jpg"))
        #expect(picture.stamp.byteCount == (attributes[.size] as? NSNumber)?.int64Value)
        let modified = try #require(attributes[.modificationDate] as? Date)
        #expect(abs(Double(picture.stamp.modifiedNanoseconds) / 1e9 - modified.timeIntervalSince1970) < 0.01)
        #expect(picture.measures?.contentHash == ContentHash.hash(of: try folder.bytes("b.jpg")))
    }

    /// The pixel that an orientation puts at a position, by the definition of EXIF: the sides of row 0 and column 0.
    private static func naive(_ pixels: TestPixels, _ orientation: Orientation, _ x: Int, _ y: Int) -> [Int] {
        let (right, bottom) = (pixels.width - 1, pixels.height - 1)
        return switch orientation {
        case .up: pixels.pixel(x, y)
        case .upMirrored: pixels.pixel(right - x, y)
        case .down: pixels.pixel(right - x, bottom - y)
        case .downMirrored: pixels.pixel(x, bottom - y)
        case .leftMirrored: pixels.pixel(y, x)
        case .right: pixels.pixel(y, bottom - x)
        case .rightMirrored: pixels.pixel(right - y, bottom - x)
        case .left: pixels.pixel(right - y, x)
        }
    }

    @Test(arguments: Orientation.allCases, [3, 4]) func turnsPixelByPixel(orientation: Orientation, bands: Int) throws {
        precondition(SharedImages.isStarted)
        let (width, height) = (7, 5)
        let bytes = (0..<width * height * bands).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: bytes, width: width, height: height, bands: bands)
        let raster = try PictureBytes.memory(folder.bytes("a.png")).decode(
            width: width, height: height, isTolerant: false)
        let before = TestPixels(raster)
        try raster.turn(orientation)
        let after = TestPixels(raster)
        #expect((after.width, after.height) == (orientation.swapsSides ? (5, 7) : (7, 5)))
        for y in 0..<after.height {
            for x in 0..<after.width {
                #expect(after.pixel(x, y) == Self.naive(before, orientation, x, y))
            }
        }
    }

    /// Files that all show one picture once they are turned.
    @Test(arguments: ["jpg", "webp", "tif"]) func filesAreTurnedByTheirOrientation(format: String) throws {
        guard PictureFolder.hasCommands else { return }
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        for orientation in Orientation.allCases {
            let name = "\(orientation.rawValue).\(format)"
            try folder.run("vips", "copy", "a.png", format == "webp" ? name + "[Q=95]" : name)
            try folder.run("exiftool", "-q", "-n", "-overwrite_original", "-Orientation=\(orientation.rawValue)", name)
            let own = try folder.decode(name)
            #expect(own.orientation == orientation)
            #expect(own.displayedSize.description == (orientation.swapsSides ? "48x64" : "64x48"))
            let pixels = try TestPixels(own.thumbnails[0])
            let upright = try TestPixels(folder.decode(name, orientation: .up).thumbnails[0])
            #expect(Quarters.difference(upright) <= 12)
            for (x, y) in [(pixels.width / 4, pixels.height / 4), (pixels.width * 3 / 4, pixels.height / 4)] {
                let wanted = Self.naive(upright, orientation, x, y)
                #expect(zip(pixels.pixel(x, y), wanted).allSatisfy { abs($0 - $1) <= 12 })
            }
        }
    }

    @Test func orientationOfTheRequestWins() throws {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "SampleData/pictures").resolvingSymlinksInPath()
        precondition(SharedImages.isStarted)
        let decoder = Decoder(limits: WorkerLimits())
        func decoded(_ number: UInt8, _ orientation: Orientation?) throws -> DecodedPicture {
            let name = PictureFileName(root: samples.path, path: "orientation-\(number).jpg")
            let request = DecodeRequest(
                file: name, orientation: orientation, thumbnails: [ThumbnailKind(.pixels160, as: .webP)],
                isMeasured: false)
            return try decoder.decode(request, file: OpenedPicture(root: name.root, path: name.path))
        }
        /// The place of the white letter of a sample: the samples have other colours, and other dots below it.
        func letter(_ pixels: TestPixels) -> [Bool] {
            (0..<pixels.height * 3 / 4).flatMap { y in
                (0..<pixels.width).map { x in pixels.pixel(x, y).allSatisfy { $0 > 235 } }
            }
        }
        let first = try TestPixels(decoded(1, nil).thumbnails[0])
        for number in UInt8(2)...8 {
            let own = try decoded(number, nil)
            #expect(own.orientation.rawValue == number)
            let pixels = try TestPixels(own.thumbnails[0])
            try #require((pixels.width, pixels.height) == (first.width, first.height))
            let differences = zip(letter(pixels), letter(first)).count { $0 != $1 }
            #expect(differences * 100 < letter(first).count, "\(number)")
            #expect(letter(first).count { $0 } * 100 > letter(first).count)
            let raw = try decoded(number, .up)
            #expect(raw.displayedSize == own.displayedSize.applying(own.orientation))
        }
    }
}
