import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
import Testing

@testable import photostream_pictures

/// Videos that are damaged, hostile, or without pictures.
@Suite(.serialized)
struct VideoBadInputTests {
    private static let cutOff = "The video's header is cut off or damaged."
    private static let noTrack = "The file has no video track."

    /// A file with a movie.
    private static func movie(_ parts: [UInt8]...) -> [UInt8] {
        Boxes.type + Boxes.box("moov", parts.flatMap(\.self))
    }

    private static func shape(_ horizontal: UInt32, _ vertical: UInt32) -> [UInt8] {
        Boxes.box("pasp", Boxes.number(horizontal), Boxes.number(vertical))
    }

    @Test(
        arguments: [
            (Boxes.type, .damaged, cutOff), (Boxes.type + Boxes.box("moov"), .damaged, cutOff),
            (movie(Boxes.movieHeader()), .damaged, cutOff),
            (Array(movie(Boxes.movieHeader(), Boxes.track()).dropLast()), .damaged, cutOff),
            (Boxes.type + Boxes.number(UInt32.max) + Array("mdat".utf8), .damaged, cutOff),
            (Boxes.type + Boxes.number(UInt32(7)) + Array("moov".utf8), .damaged, cutOff),
            (
                Boxes.type + Boxes.number(UInt32(1)) + Array("mdat".utf8) + Boxes.number(UInt64.max), .damaged,
                cutOff
            ),
            (Boxes.box("wide") + Boxes.box("mdat"), .damaged, cutOff), (Boxes.box("skip"), .damaged, cutOff),
            (movie(Boxes.track(handler: "soun")), .notAPicture, noTrack),
            (movie(Boxes.box("trak")), .notAPicture, noTrack),
            (
                movie(Boxes.track(width: 0, height: 0, coded: (0, 0))), .damaged,
                "Its size cannot be used: width 0 is not positive."
            ),
            (
                movie(Boxes.track(width: 2_001 << 16, height: 2)), .tooLarge,
                "Its size cannot be used: 2001 by 2 is a ratio over 1000 to 1."
            ),
            (
                movie(Boxes.track(further: shape(.max, 1))), .tooLarge,
                "Its size cannot be used: width 1374389534400 is over 1000000 pixels."
            ),
        ] as [([UInt8], PictureFailure.Kind, String)])
    func `a damaged header has its failure`(bytes: [UInt8], kind: PictureFailure.Kind, reason: String) {
        #expect(throws: PictureFailure(kind, reason: reason)) { try HeaderFiles.header([("a.mp4", bytes)]) }
    }

    @Test(
        arguments: [
            (movie(Boxes.track(), Boxes.movieHeader()), 2), (movie(Boxes.track()), nil),
            (movie(Boxes.movieHeader(duration: 0), Boxes.track()), nil),
            (movie(Boxes.movieHeader(scale: 0), Boxes.track()), nil),
            (movie(Boxes.movieHeader(duration: .max), Boxes.track()), nil),
            (movie(Boxes.movieHeader(duration: 36_000_000), Boxes.track()), 36_000),
            (movie(Boxes.movieHeader(), Boxes.track(handler: "soun"), Boxes.track(further: shape(0, 0))), 2),
            // The duration of fragments.
            (
                movie(
                    Boxes.movieHeader(duration: 0),
                    Boxes.box("mvex", Boxes.box("mehd", Boxes.number(UInt32(0)), Boxes.number(UInt32(7_500)))),
                    Boxes.track()), 7.5
            ),
            (
                movie(
                    Boxes.movieHeader(duration: .max),
                    Boxes.box("mvex", Boxes.box("mehd", Boxes.number(UInt32(1 << 24)), Boxes.number(UInt64(1_500)))),
                    Boxes.track()), 1.5
            ),
            // An old file without a type.
            (Array(movie(Boxes.movieHeader(), Boxes.track()).dropFirst(Boxes.type.count)), 2),
            // A box that reaches to the end.
            (
                Boxes.type + Boxes.number(UInt32(0)) + Array("moov".utf8) + Boxes.movieHeader() + Boxes.track(), 2
            ),
        ] as [([UInt8], Double?)])
    func `a strange header has its size, and a duration if it is known`(bytes: [UInt8], duration: Double?) throws {
        let header = try HeaderFiles.header([("a.mp4", bytes)])
        #expect(header.format == .video && header.size.description == "320x240" && header.embedded.codec == "avc1")
        #expect(header.embedded.duration == duration)
        #expect(header.warnings.map(\.kind) == [.withoutExifTool])
    }

    @Test func `times and durations may have 64 bits`() throws {
        // 2050, and a duration of 2^33 units.
        let times = Boxes.number(UInt64(4_607_452_800)) + Boxes.number(UInt64(0))
        let header = Boxes.box(
            "mvhd", Boxes.number(UInt32(1 << 24)), times, Boxes.number(UInt32(1_000)), Boxes.number(UInt64(1) << 33),
            [UInt8](repeating: 0, count: 80))
        let found = try HeaderFiles.header([("a.mp4", Self.movie(header, Boxes.track()))]).embedded
        #expect(found.instant == 2_524_608_000_000 && found.duration == 8_589_934.592)
    }

    @Test(
        arguments: [
            ("ftypisom", true), ("ftypM4A ", true), ("mdat", true), ("moov", true), ("wide", true), ("free", true),
            ("skip", true), ("ftypheic", false), ("ftypavif", false), ("ftypmif1", false), ("ftypcrx ", false),
            ("JXL ", false), ("jP  ", false),
        ])
    func `pictures in ISO files are not videos`(kind: String, isVideo: Bool) {
        let head = Boxes.number(UInt32(20)) + Array(kind.utf8) + [UInt8](repeating: 0, count: 12)
        #expect((PictureSignature.format(of: head) == .video) == isVideo)
    }

    @Test(arguments: ["The free text", "GIF", "G", "Go skip the moov", "RIFF....WAVE", "\u{1A}E", "\0\0\u{1}"])
    func `other files are not videos`(text: String) {
        #expect(PictureSignature.format(of: Array(text.utf8)) != .video)
        let letters = [UInt8](repeating: UInt8(ascii: "G"), count: 700)
        #expect(PictureSignature.format(of: letters) == nil)
    }

    @Test func `many boxes and tracks end quickly`() throws {
        let boxes = Array(repeating: Boxes.box("free"), count: 100_000).flatMap(\.self)
        let tracks = Array(repeating: Boxes.track(handler: "soun"), count: 2_000).flatMap(\.self)
        #expect(throws: PictureFailure(.damaged, reason: Self.cutOff)) {
            try HeaderFiles.header([("a.mp4", Boxes.type + boxes + Self.movie(Boxes.track()))])
        }
        #expect(throws: PictureFailure(.notAPicture, reason: Self.noTrack)) {
            try HeaderFiles.header([("a.mp4", Self.movie(tracks, Boxes.track()))])
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `any bytes are a header or a failure`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let original = Self.movie(Boxes.movieHeader(), Boxes.track(further: Self.shape(4, 3)), Boxes.track())
        try HeaderFiles.withFolder { folder in
            for _ in 0..<300 {
                var bytes = original
                for _ in 0...Int.random(in: 0...4, using: &random) {
                    bytes[Int.random(in: 24..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<400, using: &random)) }
                try Data(bytes).write(to: folder.appending(path: "a.mp4"))
                do {
                    _ = try HeaderReader(exifTool: nil).header(of: OpenedPicture(root: folder.path, path: "a.mp4"))
                } catch is PictureFailure {}
            }
        }
    }

    @Test(
        .enabled(if: Clip.hasCommands, "vips, exiftool or ffmpeg is missing"),
        arguments: [
            ("a.mp4", ["-c:a", "aac"], noTrack), ("a.mov", ["-c:a", "aac"], noTrack),
            ("a.mkv", ["-c:a", "libopus"], noTrack), ("a.webm", ["-c:a", "libopus"], noTrack),
            ("a.mts", ["-c:a", "aac", "-f", "mpegts"], "The size of the video cannot be read."),
        ])
    func `a file of sound alone is not a video`(name: String, options: [String], reason: String) throws {
        let folder = try PictureFolder()
        try folder.run(
            "ffmpeg", ["-nostdin", "-f", "lavfi", "-i", "sine=d=1", "-metadata", "title=T"] + options + [name])
        let failure = #expect(throws: PictureFailure.self) { try Clip.header(of: name, in: folder) }
        #expect(failure?.reason == reason)
        #expect(failure?.kind == (reason == Self.noTrack ? .notAPicture : .damaged))
        let decoded = #expect(throws: PictureFailure.self) { try folder.decode(name) }
        #expect(decoded?.reason == reason)
    }

    @Test(.enabled(if: Clip.hasCommands, "vips, exiftool or ffmpeg is missing"))
    func `hostile videos cost only their requests`() throws {
        let folder = try PictureFolder()
        try Clip.make("good.mp4", in: folder, seconds: 0.2)
        for name in ["a.mp4", "a.mkv", "a.avi", "a.mts", "a.mpg"] {
            try Clip.make(name, in: folder, name == "a.mts" ? Clip.h264 + ["-f", "mpegts"] : [], seconds: 0.4)
        }
        // It names another file, which must not be opened.
        try folder.write("list.mp4", Boxes.type + Array("#EXTM3U\n/etc/passwd\n".utf8))
        try folder.write("list.mkv", [0x1A, 0x45, 0xDF, 0xA3] + Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8))
        let worker = try WorkerProcess()
        var random = SplitMix64(seed: 7)
        func ask(_ name: String) throws {
            let request = DecodeRequest(
                file: folder.name(name), orientation: nil, thumbnails: [], isMeasured: false)
            #expect(try worker.ask(.header(folder.name(name), sidecars: [])) != nil)
            #expect(try worker.ask(.decode(request)) != nil)
        }
        for name in ["list.mp4", "list.mkv"] { try ask(name) }
        for name in ["a.mp4", "a.mkv", "a.avi", "a.mts", "a.mpg"] {
            let original = try folder.bytes(name)
            for number in 0..<4 {
                var bytes = original
                for _ in 0..<(bytes.count / 50) {
                    let place = Int.random(in: 32..<bytes.count, using: &random)
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
                if number == 3 { bytes.removeLast(bytes.count / 2) }
                try folder.write(name, bytes)
                try ask(name)
            }
        }
        let request = DecodeRequest(
            file: folder.name("good.mp4"), orientation: nil, thumbnails: [], isMeasured: false)
        guard case .decoded = try worker.ask(.decode(request)) else {
            Issue.record("no picture after hostile ones")
            return
        }
    }
}
