import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Metadata of pictures is in no thumbnail.
@Suite(.enabled(if: PictureFolder.hasCommands))
struct PixelsPrivacyTests {
    private static let planted = ["PLANTED-SERIAL", "PLANTED-OWNER", "PLANTED-TITLE", "PLANTED-CITY"]

    @Test(arguments: ["a.jpg", "a.png", "a.webp", "a.tif", "a.heic", "a.avif", "a.gif"])
    func noOutputCarriesMetadata(name: String) throws {
        let folder = try PictureFolder()
        try folder.makePNG("base.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "resize", "base.png", "large.png", "12")
        try folder.run("vips", "copy", "large.png", name)
        let isGIF = name == "a.gif"
        if !isGIF {
            try folder.run(
                "exiftool", "-q", "-overwrite_original", "-EXIF:SerialNumber=PLANTED-SERIAL",
                "-EXIF:OwnerName=PLANTED-OWNER", "-EXIF:GPSLatitude=48.123456", "-EXIF:GPSLatitudeRef=N",
                "-EXIF:GPSLongitude=11.654321", "-EXIF:GPSLongitudeRef=E", name)
        }
        try folder.run(
            "exiftool", "-q", "-overwrite_original", "-XMP-dc:Title=PLANTED-TITLE", "-Comment=PLANTED-CITY", name)
        if name == "a.jpg" || name == "a.tif" {
            try folder.run("exiftool", "-q", "-overwrite_original", "-IPTC:City=PLANTED-CITY", name)
        }
        let file = try folder.bytes(name)
        #expect(Self.contains(file, Self.planted[2]), "the file carries what is planted")
        #expect(isGIF || Self.contains(file, Self.planted[0]))
        let kinds = [ThumbnailSize.pixels160, .pixels640, .pixels2560].flatMap { size in
            [ThumbnailKind(size, as: .webP), ThumbnailKind(size, as: .jpeg)]
        }
        let picture = try folder.decode(name, kinds, isMeasured: true)
        #expect(picture.thumbnails.count == kinds.count)
        for thumbnail in picture.thumbnails {
            let bytes = thumbnail.bytes
            for text in Self.planted + [
                "Exif", "EXIF", "XMP ", "http://ns.adobe.com", "Photoshop", "8BIM", "ICCP", "GPS",
            ] {
                #expect(!Self.contains(bytes, text), "\(name): \(thumbnail.kind) carries \(text)")
            }
            // A second opinion: exiftool finds no person or place in it.
            try folder.write("thumbnail", bytes)
            let found = Self.output(
                "exiftool", "-a", "-G1", "-s", "-EXIF:all", "-XMP:all", "-IPTC:all", "-Photoshop:all",
                "-ICC_Profile:all",
                "-MakerNotes:all", "-Comment", folder.path("thumbnail"))
            #expect(found == "")
        }
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    private static func output(_ command: String, _ arguments: String...) -> String? {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/\(command)")
        process.arguments = arguments
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }
}
