import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Videos made by ffmpeg.
enum Clip {
    /// Whether the commands that make and read videos are there.
    static let hasCommands =
        PictureFolder.hasCommands && FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

    /// The options for a codec.
    static let h264 = ["-c:v", "libx264", "-preset", "ultrafast"]
    static let mpeg4 = ["-c:v", "mpeg4", "-qscale:v", "2"]
    static let vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]

    /// A kind of video, and the codec as its header should have it.
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var options: [String]
        var codec: String?
        var testDescription: String { name }
    }

    /// A video for each container, and with the `moov` box at the end, at the start and in fragments.
    static let kinds: [Kind] = [
        Kind(name: "end.mp4", options: h264, codec: "avc1"),
        Kind(name: "start.mp4", options: h264 + ["-movflags", "+faststart"], codec: "avc1"),
        Kind(name: "fragments.mp4", options: h264 + ["-movflags", "frag_keyframe+empty_moov"], codec: "avc1"),
        Kind(name: "mpeg4.mov", options: mpeg4, codec: "mp4v"), Kind(name: "h264.mov", options: h264, codec: "avc1"),
        Kind(name: "mjpeg.mov", options: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], codec: "jpeg"),
        Kind(name: "a.m4v", options: h264, codec: "avc1"), Kind(name: "a.3gp", options: h264, codec: "avc1"),
        Kind(name: "a.webm", options: vp9, codec: "vp09"), Kind(name: "h264.mkv", options: h264, codec: "avc1"),
        Kind(name: "mpeg4.mkv", options: mpeg4, codec: "mp4v"), Kind(name: "mpeg4.avi", options: mpeg4, codec: "mp4v"),
        Kind(name: "mjpeg.avi", options: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], codec: "jpeg"),
        Kind(name: "a.mts", options: h264 + ["-f", "mpegts"], codec: nil),
        Kind(name: "a.m2ts", options: h264 + ["-f", "mpegts", "-mpegts_m2ts_mode", "1"], codec: nil),
        Kind(name: "a.mpg", options: ["-c:v", "mpeg2video"], codec: nil),
        Kind(name: "a.mpeg", options: ["-c:v", "mpeg1video", "-f", "mpeg1video"], codec: nil),
    ]

    /// Makes a video of the four colours of ``Quarters``, five times as large.
    static func make(
        _ name: String, in folder: PictureFolder, _ options: [String] = h264, seconds: Double = 2
    ) throws {
        if !FileManager.default.fileExists(atPath: folder.path("quarters.png")) {
            try folder.makePNG(
                "quarters.png", pixels: Quarters.pixels(), width: Quarters.width, height: Quarters.height, bands: 3)
        }
        try folder.run(
            "ffmpeg",
            ["-nostdin", "-y", "-loop", "1", "-framerate", "25", "-t", "\(seconds)", "-i", "quarters.png"]
                + ["-pix_fmt", "yuv420p", "-vf", "scale=320:240:flags=neighbor"] + options + ["file:" + name])
    }

    /// Makes a video from another by further options.
    static func copy(_ name: String, to new: String, in folder: PictureFolder, _ options: [String]) throws {
        try folder.run("ffmpeg", ["-nostdin", "-y", "-i", "file:" + name, "-c", "copy"] + options + ["file:" + new])
    }

    /// Reads the header.
    static func header(
        of name: String, in folder: PictureFolder, by exifTool: ExifTool? = ExifTool(path: "/usr/bin/exiftool")
    ) throws -> PictureHeader {
        try HeaderReader(exifTool: exifTool).header(of: OpenedPicture(root: folder.url.path, path: name))
    }

    /// Values that exiftool prints about a file.
    static func values(of name: String, in folder: PictureFolder, _ tags: String...) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/exiftool")
        process.arguments = ["-n", "-T", "-api", "QuickTimeUTC=1"] + tags.map { "-\($0)" } + ["./" + name]
        process.currentDirectoryURL = folder.url
        process.environment = ["TZ": "UTC", "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        return text.split(separator: "\n").first?.split(separator: "\t").map(String.init) ?? []
    }
}

/// Boxes of an ISO file that a test makes or changes.
enum Boxes {
    /// A box with a content.
    static func box(_ kind: String, _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap(\.self)
        return number(UInt32(8 + content.count)) + Array(kind.utf8) + content
    }

    /// The bytes of a number.
    static func number(_ value: some FixedWidthInteger) -> [UInt8] { HeaderFiles.bytes(value, isBigEndian: true) }

    static let type = box("ftyp", Array("isom".utf8), number(UInt32(512)), Array("isom".utf8))

    /// A box with the length, the time and the duration of the movie.
    static func movieHeader(time: UInt32 = 0, scale: UInt32 = 1_000, duration: UInt32 = 2_000) -> [UInt8] {
        box(
            "mvhd", number(UInt32(0)), number(time), number(time), number(scale), number(duration),
            [UInt8](repeating: 0, count: 80))
    }

    /// A track of a kind, whose size is in the header, and in the description of its frames.
    static func track(
        handler: String = "vide", width: UInt32 = 320 << 16, height: UInt32 = 240 << 16,
        coded: (width: UInt16, height: UInt16) = (320, 240), further: [UInt8] = []
    ) -> [UInt8] {
        let matrix = [UInt32(1 << 16), 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30].flatMap(number)
        let header = box("tkhd", [UInt8](repeating: 0, count: 40), matrix, number(width), number(height))
        let kind = box("hdlr", [UInt8](repeating: 0, count: 8), Array(handler.utf8), [UInt8](repeating: 0, count: 13))
        let entry = box(
            "avc1", [UInt8](repeating: 0, count: 24), number(coded.width), number(coded.height),
            [UInt8](repeating: 0, count: 50), further)
        let table = box("stbl", box("stsd", number(UInt32(0)), number(UInt32(1)), entry))
        return box("trak", header, box("mdia", kind, box("minf", table)))
    }

    /// The place of the content of a box of a path.
    static func content(_ path: [StaticString], of bytes: [UInt8]) throws -> Range<Int> {
        var range = 0..<bytes.count
        for kind in path {
            range = try #require(HEIFBox.children(of: bytes, in: range).first { $0.isKind(kind) }, "\(kind)").content
        }
        return range
    }

    /// Writes numbers into the content of a box.
    static func set(
        _ values: [some FixedWidthInteger & SendableMetatype], at offset: Int, in path: [StaticString],
        of bytes: inout [UInt8]
    ) throws {
        let start = try content(path, of: bytes).lowerBound + offset
        let written = values.flatMap { number($0) }
        bytes.replaceSubrange(start..<start + written.count, with: written)
    }
}
