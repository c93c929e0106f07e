import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Provisional placeholders and colours from the previews in headers.
@Suite(.serialized, .enabled(if: PictureFolder.hasCommands))
struct HeadersPreviewTests {
    let folder: PictureFolder

    /// Makes a picture of 640 by 480 pixels, and its preview of 160 by 120.
    init() throws {
        folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "resize", "a.png", "a.jpg[Q=95]", "10", "--kernel", "nearest")
        try folder.run("vips", "resize", "a.png", "small.jpg[Q=85]", "2.5", "--kernel", "nearest")
    }

    /// Puts a preview into a copy of a picture, with further arguments of exiftool.
    private func embed(_ preview: String, in picture: String = "a.jpg", as name: String, _ tags: [String] = []) throws {
        try? FileManager.default.removeItem(atPath: folder.path(name))
        try FileManager.default.copyItem(atPath: folder.path(picture), toPath: folder.path(name))
        try folder.run(
            "exiftool", ["-q", "-n", "-overwrite_original", "-ThumbnailImage<=\(preview)"] + tags + [name])
    }

    private func preview(_ name: String) throws -> PicturePreview? {
        try HeaderReader(exifTool: nil).header(of: OpenedPicture(root: folder.url.path, path: name)).preview
    }

    private func decoded(_ name: String, _ orientation: Orientation? = nil) throws -> PictureMeasures {
        try #require(try folder.decode(name, [], orientation: orientation, isMeasured: true).measures)
    }

    /// The sum of the differences of two placeholders, digit by digit.
    private func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        guard first.count == second.count else { return .max }
        return zip(first, second).reduce(0) { sum, pair in
            sum + abs(Int(pair.0 >> 4) - Int(pair.1 >> 4)) + abs(Int(pair.0 & 15) - Int(pair.1 & 15))
        }
    }

    /// The preview is nearest to the picture in its own orientation, among all eight.
    private func checkIsTurned(_ name: String, _ orientation: Orientation) throws {
        let preview = try #require(try preview(name), "\(name) \(orientation)")
        let distances = try Orientation.allCases.map {
            distance(preview.placeholder, try decoded(name, $0).placeholder)
        }
        #expect(distances.min() == distances[Int(orientation.rawValue) - 1], "\(name) \(orientation) \(distances)")
        #expect(distances.count { $0 == distances.min() } == 1, "\(name) \(orientation) \(distances)")
        #expect(Self.difference(preview.color, try decoded(name).color) < 10)
    }

    @Test(arguments: Orientation.allCases) func previewIsTurnedAsThePicture(orientation: Orientation) throws {
        try embed("small.jpg", as: "b.jpg", ["-Orientation=\(orientation.rawValue)"])
        try checkIsTurned("b.jpg", orientation)
        let raw = Negative.bytes(preview: try folder.bytes("small.jpg"), orientation: UInt16(orientation.rawValue))
        try folder.write("b.dng", raw)
        // Of libraw's turns, only these exist.
        let turned = try HeaderReader(exifTool: nil).header(of: OpenedPicture(root: folder.url.path, path: "b.dng"))
            .orientation
        try checkIsTurned("b.dng", turned)
    }

    @Test func copyInHEIFIsThePicture() throws {
        try folder.run("vips", "copy", "small.jpg", "b.heic[Q=95]")
        let preview = try #require(try preview("b.heic"))
        #expect(distance(preview.placeholder, try decoded("b.heic").placeholder) <= 16)
    }

    @Test func thumbnailsAreNeverThoseOfThePreview() throws {
        try folder.run("vips", "invert", "small.jpg", "other.jpg")
        try embed("other.jpg", as: "b.jpg")
        let other = try #require(try preview("b.jpg"))
        let picture = try folder.decode("b.jpg", [ThumbnailKind(.pixels160, as: .webP)], isMeasured: true)
        #expect(try Quarters.difference(TestPixels(picture.thumbnails[0])) <= 16)
        #expect(distance(other.placeholder, try #require(picture.measures).placeholder) > 40)
    }

    /// Bars above and below a wide picture, and at the sides of a high one, without a rest in the placeholder.
    @Test(arguments: [("640", "427", "160", "107"), ("320", "480", "80", "120")])
    func blackBarsAreCutOff(width: String, height: String, smallWidth: String, smallHeight: String) throws {
        for (name, sides) in [("b.png", (width, height)), ("s.png", (smallWidth, smallHeight))] {
            let factors = (Double(sides.0) ?? 0, Double(sides.1) ?? 0)
            try folder.run(
                "vips", "resize", "a.png", name, "\(factors.0 / 64)", "--vscale", "\(factors.1 / 48)", "--kernel",
                "nearest")
        }
        try folder.run("vips", "copy", "b.png", "b.jpg[Q=95]")
        try folder.run("vips", "copy", "s.png", "s.jpg[Q=85]")
        for (color, isRefused) in [("black", false), ("white", true)] {
            try folder.run("vips", "gravity", "s.png", "bars.jpg[Q=85]", "centre", "160", "120", "--extend", color)
            try embed("bars.jpg", in: "b.jpg", as: "c.jpg")
            #expect(try (preview("c.jpg") == nil) == isRefused, "\(color)")
        }
        try folder.run("vips", "gravity", "s.png", "bars.jpg[Q=85]", "centre", "160", "120")
        try embed("bars.jpg", in: "b.jpg", as: "c.jpg")
        try embed("s.jpg", in: "b.jpg", as: "d.jpg")
        let (cut, whole) = (try #require(try preview("c.jpg")), try #require(try preview("d.jpg")))
        #expect(distance(cut.placeholder, whole.placeholder) <= 16)
        #expect(Self.difference(cut.color, whole.color) < 5)
    }

    @Test func previewThatMayBeOfAnotherPictureDoesNotCount() throws {
        // The picture was turned or cropped by a program that left the preview alone.
        try folder.run("vips", "rot", "a.jpg", "turned.jpg[strip]", "d90")
        try embed("small.jpg", in: "turned.jpg", as: "b.jpg")
        #expect(try preview("b.jpg") == nil)
        try folder.run("vips", "crop", "a.jpg", "cropped.jpg[strip]", "0", "0", "640", "400")
        try embed("small.jpg", in: "cropped.jpg", as: "b.jpg")
        #expect(try preview("b.jpg") == nil)
        // Cropped to the same shape; the metadata has the former size.
        try folder.run("vips", "crop", "a.jpg", "cropped.jpg[strip]", "0", "0", "320", "240")
        try embed("small.jpg", in: "cropped.jpg", as: "b.jpg", ["-ExifImageWidth=640", "-ExifImageHeight=480"])
        #expect(try preview("b.jpg") == nil)
        try embed("small.jpg", as: "b.jpg", ["-ExifImageWidth=640", "-ExifImageHeight=480"])
        #expect(try preview("b.jpg") != nil)
        // Only one of the two was turned.
        try embed("small.jpg", as: "b.jpg", ["-IFD0:Orientation=1", "-IFD1:Orientation=3"])
        #expect(try preview("b.jpg") == nil)
        try embed("small.jpg", as: "b.jpg", ["-IFD0:Orientation=3", "-IFD1:Orientation=3"])
        #expect(try preview("b.jpg") != nil)
    }

    /// A header with a bad preview is a header without one.
    @Test func badPreviewsDoNotCount() throws {
        let whole = try folder.bytes("small.jpg")
        var huge = whole
        let frame = try #require(whole.indices.first { whole[$0] == 0xFF && whole[$0 + 1] == 0xC0 })
        huge.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        for (number, bytes) in [Array(whole.prefix(whole.count / 2)), Array(whole.prefix(20)), huge].enumerated() {
            try folder.write("bad.jpg", bytes)
            try embed("bad.jpg", as: "b.jpg")
            let header = try HeaderReader(exifTool: nil).header(of: OpenedPicture(root: folder.url.path, path: "b.jpg"))
            #expect(header.preview == nil && header.size.description == "640x480", "\(number)")
        }
        // Of a format that has no preview of a camera.
        try folder.run("vips", "copy", "a.jpg", "b.png")
        #expect(try preview("b.png") == nil && preview("a.jpg") == nil)
    }

    // MARK: - Colours

    /// The difference of two colours in the CIELAB space of 1976.
    private static func difference(_ first: RGBColor, _ second: RGBColor) -> Double {
        func lab(_ color: RGBColor) -> [Double] {
            let linear = [16, 8, 0].map { shift -> Double in
                let value = Double(color.rawValue >> UInt32(shift) & 0xFF) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            let matrix = [
                [0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505],
            ]
            let white = [0.9505, 1, 1.089]
            let f = zip(matrix, white).map { row, white -> Double in
                let value = zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 } / white
                return value > 216.0 / 24_389 ? cbrt(value) : (24_389.0 / 27 * value + 16) / 116
            }
            return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
        }
        return zip(lab(first), lab(second)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }

    /// Of the sample pictures, at least 95 % have a provisional colour that is hard to tell from the final one.
    @Test func provisionalColorIsThatOfThePicture() throws {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "SampleData/pictures").resolvingSymlinksInPath()
        let names = try FileManager.default.contentsOfDirectory(atPath: samples.path).filter { $0.hasSuffix(".jpg") }
            .sorted()
        for name in names {
            try FileManager.default.copyItem(at: samples.appending(path: name), to: folder.url.appending(path: name))
            try folder.run("vips", "thumbnail", name, "tn-\(name)[Q=75,strip]", "160", "--no-rotate")
        }
        // One process for all.
        try folder.run("exiftool", ["-q", "-overwrite_original", "-ThumbnailImage<=tn-%f.jpg"] + names)
        var differences: [Double] = []
        for name in names {
            guard let preview = try preview(name) else { continue }
            differences.append(Self.difference(preview.color, try decoded(name).color))
        }
        #expect(differences.count * 10 > names.count * 8, "\(differences.count) of \(names.count)")
        #expect(differences.count { $0 < 10 } * 100 >= differences.count * 95, "\(differences.sorted().suffix(5))")
    }
}
