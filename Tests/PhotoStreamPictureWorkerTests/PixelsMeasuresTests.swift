import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Placeholders and dominant colours.
struct PixelsMeasuresTests {
    private static func pixels(
        _ width: Int, _ height: Int, _ color: (Int, Int) -> (Int, Int, Int)
    ) -> [UInt8] {
        (0..<height).flatMap { y in
            (0..<width).flatMap { x -> [UInt8] in
                let (red, green, blue) = color(x, y)
                return [red, green, blue].map { UInt8($0 % 256) }
            }
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func nibbles(_ text: String) -> [Int] { text.compactMap(\.hexDigitValue) }

    /// The expected bytes were computed with the Python port of the reference (`thumbhash` 0.1.2 of PyPI).
    @Test func placeholdersAreThoseOfTheReference() throws {
        let cases: [(Int, Int, (Int, Int) -> (Int, Int, Int), String)] = [
            (100, 75, { ($0 * 2, $1 * 3, $0 + $1) }, "98e80915968087877087877888788787878018f887"),
            (9, 100, { ($1 * 2, 200 - $1, $0 * 20) }, "5b9905491e808388888778878f85880888"),
            (
                60, 40, { ($0 * $0 + $1 * 7, $0 * 3 + $1 * $1, $0 * $1) },
                "5e080615843054652265662166379562ec7ffc878d"
            ),
        ]
        for (width, height, color, expected) in cases {
            let bytes = ThumbHash.bytes(
                pixels: Self.pixels(width, height, color), width: width, height: height, bandCount: 3)
            // Terms that are zero lie between two levels, and the last bit of a sum decides.
            let (found, wanted) = (Self.nibbles(Self.hex(bytes)), Self.nibbles(expected))
            try #require(found.count == wanted.count)
            #expect(found.prefix(10) == wanted.prefix(10), "\(width)x\(height)")
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(width)x\(height)")
        }
    }

    /// Reads the mean colour out of a placeholder, from its bits as they are documented.
    private static func mean(_ hash: [UInt8]) -> (red: Double, green: Double, blue: Double, alpha: Double) {
        let head = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
        let luminance = Double(head & 63) / 63
        let yellow = Double(head >> 6 & 63) / 31.5 - 1
        let red = Double(head >> 12 & 63) / 31.5 - 1
        let blue = luminance - 2 / 3 * yellow
        let first = (3 * luminance - blue + red) / 2
        let alpha = head >> 23 == 1 ? Double(hash[5] & 15) / 15 : 1
        return (first, first - red, blue, alpha)
    }

    @Test func meanColorComesBack() {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let color = (0..<3).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            let (width, height) = (Int.random(in: 1...100, using: &numbers), Int.random(in: 1...100, using: &numbers))
            let pixels = (0..<width * height).flatMap { _ in color }
            let hash = ThumbHash.bytes(pixels: pixels, width: width, height: height, bandCount: 3)
            #expect(hash.count <= 25)
            let mean = Self.mean(hash)
            for (found, wanted) in zip([mean.red, mean.green, mean.blue], color) {
                #expect(abs(found * 255 - Double(wanted)) <= 12, "\(color)")
            }
            // The longer side has 7 terms; the shorter one's number is written, and which side that is.
            let sides = Double(max(1, Int(hash[3]) & 7)) / 7
            let ratio = Double(min(width, height)) / Double(max(width, height))
            #expect(abs(sides - max(1.0 / 7, ratio)) <= 0.5 / 7 + 0.001)
            #expect((hash[4] & 0x80 != 0) == (width > height))
        }
    }

    @Test func transparentPixelsDoNotCount() {
        let pixels = (0..<40 * 20).flatMap { index -> [UInt8] in
            index % 40 < 20 ? [200, 60, 60, 255] : [0, 255, 0, 0]
        }
        let hash = ThumbHash.bytes(pixels: pixels, width: 40, height: 20, bandCount: 4)
        #expect(hash.count <= 25)
        let mean = Self.mean(hash)
        #expect(abs(mean.red * 255 - 200) <= 12 && abs(mean.green * 255 - 60) <= 12)
        #expect(abs(mean.alpha - 0.5) <= 0.05)
        let opaque = ThumbHash.bytes(
            pixels: (0..<40 * 20).flatMap { _ in [200, 60, 60, 255] as [UInt8] }, width: 40, height: 20, bandCount: 4)
        #expect(opaque[2] & 0x80 == 0)
    }

    @Test func transparentPictureHasPlaceholder() {
        let hash = ThumbHash.bytes(
            pixels: [UInt8](repeating: 0, count: 400), width: 10, height: 10, bandCount: 4)
        #expect(Self.mean(hash).alpha == 0)
        #expect(DominantColor.color(pixels: [UInt8](repeating: 0, count: 400), bandCount: 4) == RGBColor(rawValue: 0))
    }

    @Test func dominantColorIsTheMostFrequent() {
        var pixels = [[UInt8]](repeating: [30, 90, 200], count: 60) + [[UInt8]](repeating: [220, 30, 30], count: 40)
        let expected = RGBColor(rawValue: 0x1E5AC8)
        #expect(DominantColor.color(pixels: pixels.flatMap { $0 }, bandCount: 3) == expected)
        for _ in 0..<20 {
            pixels.shuffle()
            #expect(DominantColor.color(pixels: pixels.flatMap { $0 }, bandCount: 3) == expected)
        }
        // Invisible pixels do not count.
        let hidden = pixels.flatMap { $0 + [$0[0] == 30 ? 0 : 255] }
        #expect(DominantColor.color(pixels: hidden, bandCount: 4) == RGBColor(rawValue: 0xDC1E1E))
    }

    @Test func vividColorWinsAgainstGreyOfTheSameArea() {
        let pixels = [[UInt8]](repeating: [128, 128, 128], count: 55) + [[UInt8]](repeating: [230, 20, 60], count: 45)
        #expect(DominantColor.color(pixels: pixels.flatMap { $0 }, bandCount: 3) == RGBColor(rawValue: 0xE6143C))
    }

    @Test(.enabled(if: PictureFolder.hasCommands)) func measuresDoNotDependOnTheThumbnails() throws {
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "resize", "a.png", "b.png", "20")
        let alone = try #require(try folder.decode("b.png", [], isMeasured: true).measures)
        let kinds = ThumbnailSize.allCases.map { ThumbnailKind($0, as: .webP) }
        let among = try #require(try folder.decode("b.png", kinds, isMeasured: true).measures)
        #expect(alone == among)
        #expect(try folder.decode("b.png", kinds).measures == nil)
    }
}
