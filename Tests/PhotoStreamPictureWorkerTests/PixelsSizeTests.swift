import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
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

    /// The bytes at the address of a thumbnail must not depend on the request that made it.
    @Test(
        .enabled(if: PictureFolder.hasCommands),
        arguments: ["1024x768", "1201x801", "2001x701", "300x900", "200x150"], [3, 4])
    func thumbnailHasTheSameBytesInEveryRequest(size: String, bands: Int) throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        let folder = try PictureFolder()
        var random = SplitMix64(seed: UInt64(sides[0] * bands))
        // Slopes with noise, so that every filter leaves its trace.
        let pixels = (0..<sides[0] * sides[1]).flatMap { index in
            (0..<bands).map { UInt8(truncatingIfNeeded: (index % sides[0]) / 8 + $0 * 60 + random.int(in: 0...40)) }
        }
        try folder.makePNG("a.png", pixels: pixels, width: sides[0], height: sides[1], bands: bands)
        let kinds = ThumbnailSize.allCases.map { ThumbnailKind($0, as: .webP) }
        let together = try folder.decode("a.png", kinds.shuffled(using: &random), isMeasured: true).thumbnails
        for kind in kinds {
            let alone = try folder.decode("a.png", [kind]).thumbnails
            #expect(alone == together.filter { $0.kind == kind }, "\(kind.size)")
        }
        let prepared = ThumbnailSize.prepared(for: PixelSize(uncheckedWidth: Int32(sides[0]), height: Int32(sides[1])))
        #expect(prepared.contains(.pixels1280) == (size == "2001x701" || size == "300x900"))
    }

    /// A raster of half the size has the means of four pixels, by a computation with fractions.
    @Test(arguments: [3, 4]) func halfOfARaster(bands: Int) throws {
        precondition(SharedImages.isStarted)
        let (width, height) = (14, 6)
        var random = SplitMix64(seed: 3)
        let bytes = (0..<width * height * bands).map { index in
            index % bands == 3 && random.int(in: 0...2) == 0 ? 0 : UInt8(random.int(in: 0...255))
        }
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: bytes, width: width, height: height, bands: bands)
        let raster = try PictureBytes.memory(folder.bytes("a.png")).decode(
            width: width, height: height, isTolerant: false)
        let (whole, half) = (TestPixels(raster), TestPixels(try raster.fitting(width / 2)))
        try #require((half.width, half.height) == (width / 2, height / 2))
        for y in 0..<half.height {
            for x in 0..<half.width {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { whole.pixel(2 * x + $0.0, 2 * y + $0.1) }
                let alpha = four.map { bands == 4 ? Double($0[3]) : 1 }.reduce(0, +)
                for band in 0..<3 where alpha > 0 {
                    let sum = four.map { Double($0[band]) * (bands == 4 ? Double($0[3]) : 1) }.reduce(0, +)
                    #expect(abs(Double(half.pixel(x, y)[band]) - sum / alpha) <= 0.5)
                }
                if bands == 4 { #expect(abs(Double(half.pixel(x, y)[3]) - alpha / 4) <= 0.5) }
            }
        }
    }

    /// The weights of pixels for each pixel of a smaller side, by the filter of Lanczos, with the last pixel repeated.
    private static func naiveWeights(from: Int, to: Int) -> [[Double]] {
        let scale = Double(from) / Double(to)
        return (0..<to).map { place in
            let center = (Double(place) + 0.5) * scale - 0.5
            var weights = [Double](repeating: 0, count: from)
            for index in -20..<from + 20 {
                let x = (Double(index) - center) / scale
                guard abs(x) < 3 else { continue }
                let weight = x == 0 ? 1 : 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
                weights[min(max(index, 0), from - 1)] += weight
            }
            let sum = weights.reduce(0, +)
            return weights.map { $0 / sum }
        }
    }

    /// A picture that is hardly larger than wanted is filtered here, any other by libvips.
    @Test(
        .enabled(if: PictureFolder.hasCommands),
        arguments: [(40, 30, 39, 29), (40, 30, 20, 16), (41, 17, 23, 17), (5, 4, 4, 3), (2, 2, 1, 1)])
    func pixelsAreFilteredByLanczos(width: Int, height: Int, toWidth: Int, toHeight: Int) throws {
        var random = SplitMix64(seed: UInt64(width * toWidth))
        let bytes = (0..<3 * width * height).map { _ in UInt8(random.int(in: 0...255)) }
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: bytes, width: width, height: height, bands: 3)
        let found = TestPixels(
            try PictureBytes.memory(folder.bytes("a.png")).decode(width: toWidth, height: toHeight, isTolerant: false))
        try #require((found.width, found.height) == (toWidth, toHeight))
        let (across, along) = (
            Self.naiveWeights(from: width, to: toWidth), Self.naiveWeights(from: height, to: toHeight)
        )
        for y in 0..<toHeight {
            for x in 0..<toWidth {
                for band in 0..<3 {
                    var sum = 0.0
                    for row in 0..<height where along[y][row] != 0 {
                        for column in 0..<width {
                            sum += along[y][row] * across[x][column] * Double(bytes[3 * (row * width + column) + band])
                        }
                    }
                    #expect(abs(Double(found.pixel(x, y)[band]) - min(max(sum, 0), 255)) <= 0.51)
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
        #expect(picture.measures?.content.fileHash == ContentHash.hash(of: try folder.bytes("b.jpg")))
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
