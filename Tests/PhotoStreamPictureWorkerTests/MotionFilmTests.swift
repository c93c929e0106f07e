import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Films in the files of motion photos: in each form that cameras write, and files that have none.
@Suite(.serialized, .enabled(if: Clip.hasCommands, "vips, exiftool or ffmpeg is missing"))
struct MotionFilmTests {
    private let folder: PictureFolder

    init() throws {
        folder = try PictureFolder()
    }

    /// A short film, and pictures of two formats.
    private func make() throws -> (film: [UInt8], jpeg: [UInt8], heic: [UInt8]) {
        try Clip.make("film.mp4", in: folder, seconds: 0.2)
        try folder.run("vips", "copy", "quarters.png", "a.jpg")
        try folder.run("vips", "copy", "quarters.png", "a.heic")
        return (try folder.bytes("film.mp4"), try folder.bytes("a.jpg"), try folder.bytes("a.heic"))
    }

    private func film(in bytes: [UInt8], _ name: String = "b.jpg") throws -> [UInt8]? {
        try folder.write(name, bytes)
        return try Clip.header(of: name, in: folder, by: nil).film.map {
            Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)])
        }
    }

    /// A trailer of Samsung's, with a name before the film and the list of its parts after it.
    private static func trailer(_ film: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [0, 0, 0x30, 0x0A, 16, 0, 0, 0] + Array("MotionPhoto_Data".utf8)
        let list: [UInt8] = Array("SEFH".utf8) + [107, 0, 0, 0, 1, 0, 0, 0] + [0, 0, 0x30, 0x0A] + [0, 1, 0, 0]
        return head + film + list + [28, 0, 0, 0] + Array("SEFT".utf8)
    }

    @Test func `a film is found after a JPEG, among zeros, trailers and gain maps`() throws {
        let (film, jpeg, _) = try make()
        let padding = [UInt8](repeating: 0, count: 5_000)
        let gainMap = jpeg
        for (name, bytes) in [
            ("alone", jpeg + film), ("with zeros before", jpeg + padding + film),
            ("in a trailer", jpeg + Self.trailer(film)),
            ("after a gain map", jpeg + gainMap + film), ("with zeros after", jpeg + film + padding),
        ] {
            #expect(try self.film(in: bytes) == film, "\(name)")
        }
    }

    @Test func `the name of a film's first box may lie across two blocks`() throws {
        let (film, jpeg, _) = try make()
        for place in (1 << 20) - 8...(1 << 20) + 1 {
            let padding = [UInt8](repeating: 0, count: place - jpeg.count)
            #expect(try self.film(in: jpeg + padding + film) == film, "\(place)")
        }
    }

    @Test func `a film is found in a box of HEIF, and after its boxes`() throws {
        let (film, _, heic) = try make()
        #expect(try self.film(in: heic + Boxes.box("mpvd", film), "b.heic") == film)
        #expect(try self.film(in: heic + film, "b.heic") == film)
        #expect(try self.film(in: heic + film + Boxes.box("sefd", [1, 2, 3]), "b.heic") == film)
    }

    @Test func `whatever else follows a picture is not a film`() throws {
        let (film, jpeg, heic) = try make()
        let brand = Array(film.prefix(32))
        for (name, bytes) in [
            ("nothing", jpeg), ("a gain map", jpeg + jpeg), ("a cut off picture", Array(jpeg.dropLast(2))),
            ("zeros", jpeg + [0, 0, 0]), ("a name", jpeg + Array("ftyp".utf8)), ("a brand", jpeg + brand),
            ("a brand and no samples", jpeg + brand + Boxes.box("free", [1])),
            ("a cut off film", jpeg + film.dropLast(9)),
            ("a HEIC picture", jpeg + heic),
        ] {
            #expect(try self.film(in: bytes) == nil, "\(name)")
        }
        for (name, bytes) in [
            ("nothing", heic), ("a box", heic + Boxes.box("free", film)), ("an empty box", heic + Boxes.box("mpvd")),
            ("another picture", heic + heic), ("a cut off film", heic + film.dropLast(9)),
        ] {
            #expect(try self.film(in: bytes, "b.heic") == nil, "\(name)")
        }
    }

    @Test func `names of films without end are not followed`() throws {
        let (film, jpeg, _) = try make()
        let name = Boxes.box("ftyp")
        let names = (0..<20_000).flatMap { _ in name }
        #expect(try self.film(in: jpeg + names + film) == nil)
        #expect(try self.film(in: jpeg + name + name + film)?.suffix(film.count) == film[...])
    }

    @Test func `a motion photo is the same picture without its film`() throws {
        let (film, jpeg, heic) = try make()
        for (name, still, moving) in [
            ("b.jpg", jpeg, jpeg + film), ("b.jpg", jpeg, jpeg + Self.trailer(film)),
            ("b.heic", heic, heic + Boxes.box("mpvd", film)),
        ] {
            let hashes = try [still, moving].map { bytes in
                try folder.write(name, bytes)
                return try ContentHash.content(of: OpenedPicture(root: folder.url.path, path: name)).pictureHash
            }
            #expect(hashes[0] == hashes[1])
        }
    }
}
