import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
import Testing

@testable import photostream_pictures

/// The content of files, with exiftool as the program that writes metadata into them.
@Suite(.serialized, .enabled(if: PictureFolder.hasCommands, "vips or exiftool is missing"))
struct ContentTests {
    /// The metadata that programs write, each with the arguments of exiftool.
    private static let writings: [(name: String, arguments: [String])] = [
        ("rating", ["-Rating=4", "-XMP:Rating=3"]), ("keywords", ["-IPTC:Keywords=sea", "-XMP:Subject=sea"]),
        ("date", ["-DateTimeOriginal=2016:05:04 03:02:01"]), ("turn", ["-Orientation#=6"]),
        (
            "position",
            [
                "-GPSLatitude=48.25", "-GPSLatitudeRef=S", "-GPSLongitude=11.5", "-GPSLongitudeRef=W",
                "-XMP:GPSAltitude=3",
            ]
        ),
        (
            "texts",
            ["-XMP:Title=Tïtle", "-Comment=words", "-XMP:Description=\(String(repeating: "words ", count: 9_000))"]
        ),
    ]

    private let folder: PictureFolder

    init() throws {
        folder = try PictureFolder()
        try folder.makePNG("seed.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
    }

    private func content(_ name: String) throws -> FileContent {
        try ContentHash.content(of: OpenedPicture(root: folder.url.path, path: name))
    }

    private func content(of bytes: [UInt8]) throws -> FileContent {
        let format = PictureSignature.format(of: Array(bytes.prefix(PictureSignature.byteCount)))
        return try ContentHash.content(of: .memory(bytes), format: format)
    }

    /// Makes a picture in a format.
    private func make(_ name: String, _ options: String = "") throws {
        try folder.run("vips", "copy", "seed.png", name + options)
    }

    @Test(arguments: [
        "a.jpg", "a.jpg[interlace]", "a.png", "a.webp", "a.webp[lossless]", "a.gif", "a.tif", "a.tif[compression=lzw]",
        "a.tif[tile]", "a.tif[compression=jpeg]", "a.heic", "a.avif",
    ])
    func `metadata that a program writes does not change the content, and pixels do`(file: String) throws {
        let name = String(file.prefix { $0 != "[" })
        try make(name, String(file.dropFirst(name.count)))
        let (before, bytes) = (try content(name), try folder.bytes(name))
        #expect(before.pictureHash != before.fileHash)
        #expect(before.fileHash == ContentHash.hash(of: bytes))
        for (writing, arguments) in Self.writings {
            try folder.write("b-\(name)", bytes)
            try folder.run("exiftool", ["-q", "-q", "-overwrite_original"] + arguments + ["b-\(name)"])
            let written = try folder.bytes("b-\(name)")
            let after = try content("b-\(name)")
            #expect(after.pictureHash == before.pictureHash, "\(file): \(writing)")
            #expect(after.fileHash == ContentHash.hash(of: written))
            // In memory, as in a decode, it is the same.
            #expect(try content(of: written) == after)
        }
        // The decoder is the judge of which bytes are pixels.
        var random = SplitMix64(seed: UInt64(bytes.count))
        let pixels = try pixels(of: bytes)
        var changed = 0
        for _ in 0..<200 {
            var other = bytes
            other[random.int(in: 0...(bytes.count - 1))] ^= UInt8(random.int(in: 1...255))
            guard let decoded = try? self.pixels(of: other), decoded != pixels else { continue }
            changed += 1
            #expect(try content(of: other).pictureHash != before.pictureHash)
        }
        #expect(changed > 0, "\(file)")
    }

    private func pixels(of bytes: [UInt8]) throws -> [UInt8] {
        try PictureBytes.memory(bytes).decode(width: 64, height: 48, isTolerant: true).pixels
    }

    @Test(arguments: ["a.jpg", "a.png", "a.webp", "a.gif", "a.tif", "a.heic"])
    func `damaged files have a content that depends on their bytes alone`(name: String) throws {
        try make(name)
        let bytes = try folder.bytes(name)
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            var other = Array(bytes.prefix(random.int(in: 1...bytes.count)))
            for _ in 0..<random.int(in: 0...4) {
                other[random.int(in: 0...(other.count - 1))] = UInt8(random.int(in: 0...255))
            }
            try folder.write("damaged", other)
            #expect(try content("damaged") == content(of: other))
        }
    }

    @Test(arguments: [UInt16(1), 6])
    func `a raw file is known by the values of its sensor`(orientation: UInt16) throws {
        try folder.write("a.dng", Negative.bytes(orientation: orientation))
        let before = try content("a.dng")
        try folder.run("exiftool", "-q", "-q", "-overwrite_original", "-XMP:Rating=4", "-Orientation#=3", "a.dng")
        #expect(try content("a.dng").pictureHash == before.pictureHash)
        #expect(try content("a.dng").fileHash != before.fileHash)
    }

    @Test func `what follows a JPEG, its resolution and its comments are not the picture, and its profile is`() throws {
        try make("a.jpg")
        let bytes = try folder.bytes("a.jpg")
        let before = try content(of: bytes).pictureHash
        #expect(try content(of: bytes + [0, 1, 2, 3]).pictureHash == before)
        try folder.run("exiftool", "-q", "-q", "-overwrite_original", "-JFIF:XResolution=300", "-Comment=a", "a.jpg")
        #expect(try content("a.jpg").pictureHash == before)
        for adobe: [UInt8] in [[0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]] {
            #expect(try content(of: bytes.prefix(2) + adobe + bytes.dropFirst(2)).pictureHash != before)
        }
        let profile = [0xFF, 0xE2, 0, 18] + Array("ICC_PROFILE\0".utf8) + [1, 1, 0, 0]
        #expect(try content(of: bytes.prefix(2) + profile + bytes.dropFirst(2)).pictureHash != before)
        // Without the end, the picture is the rest of the file.
        #expect(try content(of: Array(bytes.dropLast(2))).pictureHash != before)
    }

    // MARK: - Films

    /// A file of boxes.
    private static func film(_ boxes: [(kind: String, content: [UInt8])]) -> [UInt8] {
        boxes.flatMap {
            HeaderFiles.bytes(UInt32($0.content.count + 8), isBigEndian: true) + Array($0.kind.utf8) + $0.content
        }
    }

    @Test func `a film is known by its samples, wherever they lie`() throws {
        let head: [UInt8] = Array("isom".utf8) + [0, 0, 0, 0]
        let samples = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let first = try content(of: Self.film([("ftyp", head), ("mdat", samples), ("moov", [1, 2, 3])]))
        let moved = try content(of: Self.film([("ftyp", head), ("moov", [1, 2, 3, 4, 5]), ("mdat", samples)]))
        #expect(first.pictureHash == moved.pictureHash && first.fileHash != moved.fileHash)
        let other = try content(of: Self.film([("ftyp", head), ("mdat", samples.reversed()), ("moov", [1, 2, 3])]))
        #expect(first.pictureHash != other.pictureHash)
        // Without samples, all bytes are the content.
        let none = try content(of: Self.film([("ftyp", head), ("moov", [1])]))
        #expect(none.pictureHash == none.fileHash)
    }

    @Test func `a large film is known by blocks of its samples and by their length`() throws {
        let byteCount: Int64 = 200 << 20
        func write(_ name: String, _ byteCount: Int64, changedAt place: Int64?) throws -> FileContent {
            try folder.write(name, [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 0, 0])
            let file = try FileHandle(forWritingTo: folder.url.appending(path: name))
            defer { try? file.close() }
            try file.seekToEnd()
            try file.write(
                contentsOf: Data(HeaderFiles.bytes(UInt32(byteCount + 8), isBigEndian: true) + Array("mdat".utf8)))
            // A file with a hole: nothing is written to the disk.
            try file.truncate(atOffset: UInt64(24 + byteCount))
            if let place {
                try file.seek(toOffset: UInt64(24 + place))
                try file.write(contentsOf: Data([9]))
            }
            return try content(name)
        }
        let plain = try write("a.mp4", byteCount, changedAt: nil)
        #expect(try write("b.mp4", byteCount, changedAt: nil) == plain)
        #expect(try write("c.mp4", byteCount + 1, changedAt: nil).pictureHash != plain.pictureHash)
        let last = byteCount - (1 << 20)
        for number in 0..<64 as Range<Int64> {
            let block = last * number / 63
            #expect(try write("d.mp4", byteCount, changedAt: block).pictureHash != plain.pictureHash, "\(number)")
            let end = block + (1 << 20) - 1
            #expect(try write("d.mp4", byteCount, changedAt: end).pictureHash != plain.pictureHash, "\(number)")
        }
        // Between two blocks.
        #expect(try write("e.mp4", byteCount, changedAt: last / 63 - 1).pictureHash == plain.pictureHash)
    }

    // MARK: - Real files

    @Test(.enabled(if: SharedImages.isPresent, "../shared/data is missing"))
    func `real files keep their content when metadata are written`() throws {
        let images = SharedImages.folder.appending(path: "images")
        var (checked, differing) = (0, [String]())
        for path in try FileManager.default.subpathsOfDirectory(atPath: images.path).sorted()
        where ["jpg", "png", "webp", "tif", "tiff", "heic", "avif", "gif"].contains(where: { path.hasSuffix(".\($0)") })
        {
            let bytes = Array(try Data(contentsOf: images.appending(path: path)))
            let name = "x." + path.split(separator: ".").suffix(1).joined()
            try folder.write(name, bytes)
            guard let before = try? content(name), before.pictureHash != before.fileHash else { continue }
            // exiftool refuses damaged files.
            try folder.run(
                "env", "sh", "-c",
                "exiftool -q -q -overwrite_original -Rating=4 -XMP:Subject=sea "
                    + "'-DateTimeOriginal=2016:05:04 03:02:01' '-Orientation#=6' \(name) || true")
            guard try folder.bytes(name) != bytes else { continue }
            checked += 1
            if try content(name).pictureHash != before.pictureHash { differing.append(path) }
        }
        #expect(checked > 150)
        #expect(differing.isEmpty, "\(differing.joined(separator: "\n"))")
    }
}
