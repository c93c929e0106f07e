import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Headers of videos that ffmpeg makes, compared with exiftool.
@Suite(.serialized, .enabled(if: Clip.hasCommands, "vips, exiftool or ffmpeg is missing"))
struct VideoHeaderTests {
    private let folder: PictureFolder

    init() throws {
        folder = try PictureFolder()
    }

    @Test(arguments: Clip.kinds)
    func `size, duration and codec agree with exiftool`(kind: Clip.Kind) throws {
        try Clip.make(kind.name, in: folder, kind.options)
        let header = try Clip.header(of: kind.name, in: folder)
        let found = try Clip.values(of: kind.name, in: folder, "ImageWidth", "ImageHeight", "Duration")
        #expect(header.format == .video && header.orientation == .up && header.warnings.isEmpty)
        #expect(header.size.description == "320x240" && found.prefix(2) == ["320", "240"])
        // A file in fragments has no duration, and in programme streams exiftool does not know it.
        // In Matroska, a text repeats it with hours and minutes.
        let parts = found[2].split(separator: ":").compactMap { Double($0) }
        let duration = parts.isEmpty ? nil : parts.reduce(0) { $0 * 60 + $1 } as Double?
        let isUnknown = kind.name.hasPrefix("fragments") || kind.name.hasPrefix("a.mp")
        #expect(header.embedded.duration == (isUnknown ? nil : duration) && isUnknown == ((duration ?? 0) == 0))
        #expect(header.embedded.codec == kind.codec)
        #expect(PictureFormat.video.fileExtensions.contains { kind.name.hasSuffix("." + $0) })
        let isOfBoxes = VideoContainer(try folder.bytes(kind.name)) == .iso
        if isOfBoxes {
            let own = try Clip.header(of: kind.name, in: folder, by: nil)
            #expect(own.size == header.size && own.embedded == header.embedded)
            #expect(own.warnings.map(\.kind) == [.withoutExifTool])
        } else {
            #expect(throws: PictureFailure.withoutExifTool) { try Clip.header(of: kind.name, in: folder, by: nil) }
        }
    }

    @Test func `the pixels of a video may have another shape than a square`() throws {
        let wide = Clip.h264 + ["-vf", "scale=320:240,setsar=2/1"]
        for name in ["a.mp4", "a.mov", "a.mkv"] {
            try Clip.make(name, in: folder, wide)
            let header = try Clip.header(of: name, in: folder)
            #expect(header.size.description == "640x240", "\(name)")
            // Of the others, exiftool has the size of the frames.
            let found = try Clip.values(of: name, in: folder, "ImageWidth", "ImageHeight")
            #expect(found == (name == "a.mp4" ? ["640", "240"] : ["320", "240"]))
        }
        // Some programs write the size before, or none.
        for side in [[UInt32(320) << 16, 240 << 16], [0, 0], [320, 240]] {
            var bytes = try folder.bytes("a.mp4")
            try Boxes.set(side, at: 76, in: ["moov", "trak", "tkhd"], of: &bytes)
            try folder.write("b.mp4", bytes)
            #expect(try Clip.header(of: "b.mp4", in: folder).size.description == "640x240")
        }
    }

    @Test(
        arguments: [
            ("2023-11-04T14:30:12Z", nil, 1_699_108_212_000, nil),
            ("2023-11-04T14:30:12Z", "2023-11-04T15:30:12+0100", 1_699_108_212_000, "2023-11-04T15:30:12+01:00"),
            (nil, "2023-11-04T15:30:12+0100", nil, "2023-11-04T15:30:12+01:00"),
            (nil, "2023-11-04T15:30:12Z", nil, "2023-11-04T15:30:12Z"), (nil, "2023-11", nil, "2023-11"),
            (nil, "nonsense", nil, nil), (nil, nil, nil, nil), ("1904-01-01T00:00:00Z", nil, nil, nil),
        ] as [(String?, String?, Int64?, String?)])
    func `a local time is the capture time, and a time in UTC an instant`(
        made: String?, local: String?, instant: Int64?, takenAt: String?
    ) throws {
        var options = Clip.h264 + ["-movflags", "use_metadata_tags"]
        if let made { options += ["-metadata", "creation_time=\(made)"] }
        if let local { options += ["-metadata", "com.apple.quicktime.creationdate=\(local)"] }
        try Clip.make("a.mov", in: folder, options, seconds: 0.2)
        for exifTool in [nil, ExifTool(path: "/usr/bin/exiftool")] {
            let found = try Clip.header(of: "a.mov", in: folder, by: exifTool).embedded
            #expect(found.instant == instant && found.takenAt?.description == takenAt)
        }
        // Asked for UTC, exiftool reads times from before 1970, which this program does not write, as they are.
        guard made?.hasPrefix("1969") != true else { return }
        let other = try Clip.values(of: "a.mov", in: folder, "QuickTime:CreateDate").first ?? ""
        // Asked for UTC, it also prints the time of 0, which is 1904.
        #expect(MetadataTime.read(other)?.milliseconds == instant ?? -2_082_844_800_000)
    }

    @Test func `a time from before 1970 counts from there, as in exiftool`() throws {
        try Clip.make("a.mp4", in: folder, seconds: 0.2)
        var bytes = try folder.bytes("a.mp4")
        try Boxes.set([UInt32(1_699_108_212)], at: 4, in: ["moov", "mvhd"], of: &bytes)
        try folder.write("a.mp4", bytes)
        #expect(try Clip.header(of: "a.mp4", in: folder).embedded.instant == 1_699_108_212_000)
    }

    @Test func `Matroska's time is in UTC`() throws {
        try Clip.make("a.mkv", in: folder, Clip.h264 + ["-metadata", "creation_time=2023-11-04T14:30:12Z"])
        let found = try Clip.header(of: "a.mkv", in: folder).embedded
        #expect(found.instant == 1_699_108_212_000 && found.takenAt == nil)
    }

    @Test(
        arguments: [
            ("a.mov", ["-metadata", "location=-33.5000+151.2500/"]),
            ("a.mp4", ["-metadata", "location=-33.5000+151.2500/"]),
            (
                "b.mov",
                [
                    "-movflags", "use_metadata_tags", "-metadata",
                    "com.apple.quicktime.location.ISO6709=-33.5000+151.2500+012.000/",
                ]
            ),
        ])
    func `positions agree with exiftool`(name: String, options: [String]) throws {
        try Clip.make(name, in: folder, Clip.h264 + options, seconds: 0.2)
        let found = try #require(try Clip.header(of: name, in: folder).embedded.coordinate)
        let expected = try Clip.values(of: name, in: folder, "GPSLatitude", "GPSLongitude").compactMap { Double($0) }
        #expect([found.latitude, found.longitude] == expected && expected == [-33.5, 151.25])
    }

    @Test func `texts, rating and identifiers come from exiftool`() throws {
        let keys = [
            "make=Apple", "model=iPhone 12", "content.identifier=8E3A-11", "keywords=sea, sun", "title=Title",
            "description=Two\nlines",
        ]
        let options = keys.flatMap { ["-metadata", "com.apple.quicktime.\($0)"] }
        try Clip.make("a.mov", in: folder, Clip.h264 + ["-movflags", "use_metadata_tags"] + options, seconds: 0.2)
        try folder.run("exiftool", "-q", "-overwrite_original", "-XMP:Rating=4", "a.mov")
        let header = try Clip.header(of: "a.mov", in: folder)
        let found = header.embedded
        #expect(found.title == "Title" && found.caption == "Two\nlines" && found.keywords == ["sea", "sun"])
        #expect(found.camera == "Apple iPhone 12" && found.rating == 4 && found.contentIdentifier == "8E3A-11")
        #expect(header.warnings.isEmpty)
        try Clip.make("b.mkv", in: folder, Clip.h264 + ["-metadata", "title=Title", "-metadata", "comment=Comment"])
        let other = try Clip.header(of: "b.mkv", in: folder).embedded
        #expect(other.title == "Title" && other.caption == "Comment")
    }

    @Test func `identifiers of Apple's notes and of Google's bursts are read`() throws {
        // The note of an iPhone: its name, and a directory whose offsets count from its start.
        let texts = [(UInt16(0x0B), "BURST-1"), (UInt16(0x11), "8E3A-11")].map { ($0.0, Array($0.1.utf8) + [0]) }
        var (entries, data) = ([UInt8](), [UInt8]())
        for (tag, text) in texts {
            entries += Boxes.number(tag) + Boxes.number(UInt16(2)) + Boxes.number(UInt32(text.count))
            entries += Boxes.number(UInt32(16 + texts.count * 12 + 4 + data.count))
            data += text
        }
        let note =
            Array("Apple iOS".utf8) + [0, 0, 1] + Array("MM".utf8) + Boxes.number(UInt16(texts.count)) + entries
            + [0, 0, 0, 0] + data
        try folder.makePNG("seed.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "copy", "seed.png", "a.jpg")
        try folder.run("exiftool", "-q", "-overwrite_original", "-EXIF:Make=Apple", "a.jpg")
        let block = Self.exif(note: note)
        var bytes = try folder.bytes("a.jpg")
        bytes.insert(contentsOf: [0xFF, 0xE1] + Boxes.number(UInt16(block.count + 2)) + block, at: 2)
        try folder.write("b.jpg", bytes)
        let own = try Clip.header(of: "b.jpg", in: folder, by: nil).embedded
        #expect(own.contentIdentifier == "8E3A-11" && own.burstIdentifier == "BURST-1")
        let expected = try Clip.values(of: "b.jpg", in: folder, "Apple:MediaGroupUUID", "Apple:BurstUUID")
        #expect(expected == ["8E3A-11", "BURST-1"])
        try folder.run("exiftool", "-q", "-overwrite_original", "-XMP-GCamera:BurstID=burst 7", "a.jpg")
        #expect(try Clip.header(of: "a.jpg", in: folder).embedded.burstIdentifier == "burst 7")
        for count in 0..<note.count { _ = AppleNote.text(0x11, in: Array(note.prefix(count))) }
        #expect(AppleNote.text(0x11, in: note) == "8E3A-11" && AppleNote.text(0x12, in: note) == nil)
    }

    /// An EXIF block with maker, model and note.
    private static func exif(note: [UInt8]) -> [UInt8] {
        func entry(_ tag: UInt16, _ format: UInt16, _ count: Int, _ value: Int) -> [UInt8] {
            Boxes.number(tag) + Boxes.number(format) + Boxes.number(UInt32(count)) + Boxes.number(UInt32(value))
        }
        let first = Boxes.number(UInt16(2)) + entry(0x010F, 2, 6, 38) + entry(0x8769, 4, 1, 44) + [0, 0, 0, 0]
        let second = Boxes.number(UInt16(1)) + entry(0x927C, 7, note.count, 62) + [0, 0, 0, 0]
        let head = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
        return Array("Exif\0\0".utf8) + head + first + Array("Apple\0".utf8) + second + note
    }

    @Test(arguments: ["a\nb.mp4", "-execute.mp4", "#a.mp4", "a\n-ver\n-execute.mkv", "-i.mp4", "%d.mp4", "file:a.mp4"])
    func `a name is never an argument`(name: String) throws {
        let end = name.hasSuffix("mkv") ? "mkv" : "mp4"
        try Clip.make("seed.\(end)", in: folder, Clip.h264 + ["-metadata", "title=Title"], seconds: 0.2)
        try FileManager.default.copyItem(atPath: folder.path("seed.\(end)"), toPath: folder.path(name))
        #expect(try Clip.header(of: name, in: folder).embedded.title == "Title")
        #expect(try folder.decode(name).displayedSize.description == "320x240")
    }

    @Test func `a header at the end of a large file is found without reading the rest`() throws {
        try Clip.make("a.mp4", in: folder, Clip.h264 + ["-metadata", "title=Title"])
        let bytes = try folder.bytes("a.mp4")
        let movie = try Boxes.content(["moov"], of: bytes).lowerBound - 8
        // Nothing of it is on the disk.
        let length = UInt64(5) << 30
        let free = Boxes.number(UInt32(1)) + Array("free".utf8) + Boxes.number(length)
        try folder.write("b.mp4", Array(bytes[..<movie]) + free)
        let file = try FileHandle(forWritingTo: folder.url.appending(path: "b.mp4"))
        try file.seek(toOffset: UInt64(movie) + length)
        try file.write(contentsOf: Data(bytes[movie...]))
        try file.close()
        let header = try Clip.header(of: "b.mp4", in: folder)
        #expect(header.size.description == "320x240" && header.embedded.title == "Title")
        #expect(header.embedded.duration == 2 && header.warnings.isEmpty)
        #expect(try folder.decode("b.mp4").displayedSize.description == "320x240")
    }
}
