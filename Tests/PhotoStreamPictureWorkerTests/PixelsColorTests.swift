import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Formats and colour spaces: the pixels of a thumbnail have the colours of the picture in sRGB.
@Suite(.serialized, .enabled(if: PictureFolder.hasCommands))
struct PixelsColorTests {
    let folder: PictureFolder

    init() throws {
        folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
    }

    private func difference(_ name: String, _ colors: [[UInt8]] = Quarters.colors) throws -> Int {
        let picture = try folder.decode(
            name, [ThumbnailKind(.pixels160, as: .webP), ThumbnailKind(.pixels160, as: .jpeg)])
        return try picture.thumbnails.map { try Quarters.difference(TestPixels($0), colors) }.max() ?? .max
    }

    @Test(arguments: [
        "b.png", "b.jpg", "b.webp", "b.tif", "b.gif", "b.heic[Q=95]", "b.avif[Q=95]", "b.png[interlace]",
        "b.jpg[interlace]", "b.png[palette]", "b.tif[compression=jpeg,Q=95]", "b.tif[compression=lzw,tile]",
        "b.webp[lossless]", "b.tif[compression=deflate,predictor=horizontal]",
    ]) func format(target: String) throws {
        try folder.run("vips", "copy", "a.png", target)
        let name = String(target.prefix { $0 != "[" })
        #expect(try difference(name) <= 16)
        // Once more from a descriptor, as large files are read.
        let streamed = try folder.decode(name, isMeasured: true, maximumByteCountInMemory: 0)
        #expect(try Quarters.difference(TestPixels(streamed.thumbnails[0])) <= 16)
        #expect(streamed.measures?.content.fileHash == ContentHash.hash(of: try folder.bytes(name)))
    }

    /// A picture with many colours outside sRGB is clipped to sRGB, one inside is shown unchanged.
    @Test(arguments: ["b.jpg[Q=95]", "b.png", "b.tif", "b.webp[Q=95]", "b.heic[Q=95]"])
    func displayP3(target: String) throws {
        try folder.run("vips", "icc_transform", "a.png", target, "p3", "--input-profile", "srgb")
        let name = String(target.prefix { $0 != "[" })
        // Encoders of HEIC change strong colours; the encoded colours count.
        #expect(try difference(name, name == "b.heic" ? converted(name) : Quarters.colors) <= 14)
        // The file's own numbers are others, so it matters that the profile is applied.
        try folder.run("vips", "icc_transform", "a.png", "p3.png", "p3", "--input-profile", "srgb")
        try folder.run("exiftool", "-q", "-overwrite_original", "-icc_profile=", "p3.png")
        #expect(try difference("p3.png") >= 20)
    }

    @Test(arguments: ["b.jpg[Q=95]", "b.tif"]) func cmyk(target: String) throws {
        let name = String(target.prefix { $0 != "[" })
        try folder.run("vips", "icc_transform", "a.png", target, "cmyk", "--input-profile", "srgb")
        let colors = try converted(name)
        #expect(try difference(name, colors) <= 8)
        // Without its profile a general one is assumed, which is the one that libvips wrote it with.
        try folder.run("exiftool", "-q", "-overwrite_original", "-icc_profile=", name)
        #expect(try difference(name, colors) <= 8)
    }

    @Test func cmykWithAlpha() throws {
        try folder.run("vips", "icc_transform", "a.png", "c.tif", "cmyk", "--input-profile", "srgb")
        try folder.run("vips", "bandjoin_const", "c.tif", "d.tif", "255")
        #expect(try difference("d.tif", converted("c.tif")) <= 8)
    }

    /// The colours of a picture as libvips converts them to sRGB: CMYK has fewer of them.
    private func converted(_ name: String) throws -> [[UInt8]] {
        try folder.run("vips", "icc_transform", name, "back.png", "srgb", "--embedded", "--intent", "relative")
        let source = PictureBytes.memory(try folder.bytes("back.png"))
        let pixels = TestPixels(
            try source.decode(width: Quarters.width, height: Quarters.height, isTolerant: false))
        return (0..<4).map { index in
            let x = pixels.width * (1 + 2 * (index % 2)) / 4
            let y = pixels.height * (1 + 2 * (index / 2)) / 4
            return pixels.pixel(x, y).map { UInt8($0) }
        }
    }

    @Test(arguments: ["rgb16", "scrgb", "lab", "xyz"]) func otherSpaces(space: String) throws {
        try folder.run("vips", "colourspace", "a.png", "b.tif", space)
        #expect(try difference("b.tif") <= 8)
    }

    @Test func sixteenBits() throws {
        try folder.run("vips", "colourspace", "a.png", "b.png", "rgb16")
        #expect(try difference("b.png") <= 8)
        let picture = try folder.decode("b.png", [ThumbnailKind(.pixels160, as: .jpeg)])
        #expect(try TestPixels(picture.thumbnails[0]).bandCount == 3)
    }

    @Test(arguments: ["b-w", "grey16"]) func grey(space: String) throws {
        let levels: [UInt8] = [20, 90, 160, 230]
        try folder.makePNG("g.png", pixels: Quarters.pixels(levels.map { [$0] }), width: 64, height: 48, bands: 1)
        for target in ["h.png", "h.tif"] + (space == "b-w" ? ["h.jpg[Q=95]"] : []) {
            try folder.run("vips", "colourspace", "g.png", target, space)
            #expect(try difference(String(target.prefix { $0 != "[" }), levels.map { [$0, $0, $0] }) <= 6)
        }
    }

    @Test func twoLevels() throws {
        let levels: [UInt8] = [0, 255, 255, 0]
        try folder.makePNG("g.png", pixels: Quarters.pixels(levels.map { [$0] }), width: 64, height: 48, bands: 1)
        try folder.run("vips", "copy", "g.png", "h.png[bitdepth=1]")
        try folder.run("vips", "copy", "g.png", "h.tif[bitdepth=1,compression=ccittfax4]")
        for name in ["h.png", "h.tif"] {
            #expect(try difference(name, levels.map { [$0, $0, $0] }) <= 6)
        }
    }

    /// Colours are not darkened by transparent neighbours, WebP keeps alpha, JPEG is on white.
    @Test(arguments: [8, 16], [2, 4]) func alpha(bits: Int, bands: Int) throws {
        let colors: [[UInt8]] =
            bands == 4
            ? [[200, 40, 40, 255], [40, 160, 60, 128], [50, 70, 190, 0], [210, 200, 60, 255]]
            : [[40, 255], [90, 128], [160, 0], [230, 255]]
        try folder.makePNG("a.png", pixels: Quarters.pixels(colors), width: 64, height: 48, bands: bands)
        if bits == 16 {
            try folder.run("vips", "colourspace", "a.png", "b.png", bands == 4 ? "rgb16" : "grey16")
        } else {
            try folder.run("vips", "copy", "a.png", "b.png")
        }
        try folder.run("vips", "resize", "b.png", "c.png", "8", "--kernel", "nearest")
        let picture = try folder.decode(
            "c.png", [ThumbnailKind(.pixels160, as: .webP), ThumbnailKind(.pixels160, as: .jpeg)], isMeasured: true)
        let webP = try TestPixels(picture.thumbnails[0])
        #expect(webP.bandCount == 4)
        for (index, color) in colors.enumerated() {
            let (x, y) = (webP.width * (1 + 2 * (index % 2)) / 4, webP.height * (1 + 2 * (index / 2)) / 4)
            #expect(abs(webP.pixel(x, y)[3] - Int(color[bands - 1])) <= 2)
        }
        let flat = colors.map { color in
            (0..<3).map { band -> UInt8 in
                let (value, alpha) = (Int(color[bands == 4 ? band : 0]), Int(color[bands - 1]))
                return UInt8((value * alpha + 255 * (255 - alpha) + 127) / 255)
            }
        }
        #expect(try Quarters.difference(TestPixels(picture.thumbnails[1]), flat) <= 10)
        let placeholder = try #require(picture.measures?.placeholder)
        #expect(placeholder[2] & 0x80 != 0, "the placeholder has alpha")
    }

    /// Profiles that do not belong to the picture count as none, damaged ones too.
    @Test func profilesThatDoNotFit() throws {
        try folder.run("vips", "icc_transform", "a.png", "p3.jpg[Q=95]", "p3", "--input-profile", "srgb")
        try folder.run("exiftool", "-q", "-icc_profile", "-b", "-w", "%f.icc", "p3.jpg")
        let profile = try folder.bytes("p3.icc")
        var (ofGrey, cut, garbled) = (profile, Array(profile.prefix(100)), profile)
        ofGrey.replaceSubrange(16..<20, with: Array("GRAY".utf8))
        for index in 140..<garbled.count { garbled[index] = UInt8(truncatingIfNeeded: index &* 151) }
        try folder.run("vips", "colourspace", "a.png", "grey.jpg[Q=95]", "b-w")
        try folder.run("vips", "copy", "a.png", "rgb.jpg[Q=95]")
        try folder.run("vips", "icc_transform", "a.png", "cmyk.jpg[Q=95]", "cmyk", "--input-profile", "srgb")
        let wanted = try Dictionary(
            uniqueKeysWithValues: ["grey", "rgb", "cmyk"].map {
                ($0, try TestPixels(folder.decode("\($0).jpg").thumbnails[0]))
            })
        _ = cut.popLast()
        for (name, bytes) in [("grey", ofGrey), ("cut", cut), ("garbled", garbled), ("p3", profile)] {
            try folder.write("\(name).icc", bytes)
            for picture in wanted.keys where !(name == "p3" && picture == "rgb") {
                let file = "\(picture)-\(name).jpg"
                try folder.run("exiftool", "-q", "-icc_profile<=\(name).icc", "-o", file, "\(picture).jpg")
                let pixels = try TestPixels(folder.decode(file).thumbnails[0])
                let plain = try #require(wanted[picture])
                // For "grey" in a grey picture, a damaged profile of the right kind is tried, and may even work.
                if !(name == "grey" && picture == "grey") { #expect(pixels.difference(plain) < 3, "\(file)") }
            }
        }
    }

    @Test func animationsShowTheirFirstFrame() throws {
        try folder.run("vips", "black", "black.png", "64", "48", "--bands", "3")
        try folder.run("vips", "join", "a.png", "black.png", "two.png", "vertical")
        for target in ["two.gif", "two.webp"] {
            try folder.run("vips", "copy", "two.png", "tall.v")
            try folder.run("vips", "copy", "tall.v", target + "[page-height=48]")
            let picture = try folder.decode(target)
            #expect(picture.displayedSize.description == "64x48")
            #expect(try Quarters.difference(TestPixels(picture.thumbnails[0])) <= 16)
        }
    }
}
