import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// The pictures of videos, and ffmpeg as a separate program.
@Suite(.serialized, .enabled(if: Clip.hasCommands, "vips, exiftool or ffmpeg is missing"))
struct VideoFrameTests {
    private let folder: PictureFolder

    init() throws {
        folder = try PictureFolder()
    }

    /// The largest difference of a decoded frame from the four colours of a clip.
    private func difference(_ name: String) throws -> Int {
        let picture = try folder.decode(name, [ThumbnailKind(.pixels320, as: .webP)])
        return Quarters.difference(try TestPixels(picture.thumbnails[0]))
    }

    @Test(arguments: Clip.kinds)
    func `a frame of each kind is decoded, and the file is hashed`(kind: Clip.Kind) throws {
        try Clip.make(kind.name, in: folder, kind.options)
        #expect(try difference(kind.name) < 30)
        let picture = try folder.decode(kind.name, isMeasured: true)
        #expect(picture.displayedSize.description == "320x240" && picture.orientation == .up)
        #expect(picture.measures?.content.fileHash == ContentHash.hash(of: try folder.bytes(kind.name)))
        #expect(picture.measures?.placeholder.isEmpty == false)
    }

    /// The rows (a, b) and (c, d) of the matrices of all orientations.
    private static let matrices: [[Int32]] = [
        [1, 0, 0, 1], [-1, 0, 0, 1], [-1, 0, 0, -1], [1, 0, 0, -1], [0, 1, 1, 0], [0, 1, -1, 0], [0, -1, -1, 0],
        [0, -1, 1, 0],
    ]

    @Test(arguments: zip(Orientation.allCases, matrices))
    func `the orientation of the header is that in which ffmpeg shows the video`(
        orientation: Orientation, matrix: [Int32]
    ) throws {
        try Clip.make("seed.mp4", in: folder, seconds: 0.2)
        var bytes = try folder.bytes("seed.mp4")
        let parts = [matrix[0], matrix[1], 0, matrix[2], matrix[3]].map { $0 << 16 }
        try Boxes.set(parts, at: 40, in: ["moov", "trak", "tkhd"], of: &bytes)
        try folder.write("a.mp4", bytes)
        #expect(try Clip.header(of: "a.mp4", in: folder).orientation == orientation)
        try compareWithFFmpeg("a.mp4", orientation: orientation)
    }

    @Test(arguments: [0, 90, 180, 270])
    func `rotations by ffmpeg agree with it and with exiftool`(degrees: Int) throws {
        try Clip.make("seed.mp4", in: folder, seconds: 0.2)
        for name in ["a.mp4", "a.mov"] {
            try Clip.copy("seed.mp4", to: name, in: folder, ["-metadata:s:v", "rotate=\(degrees)"])
            let rotation = try #require(try Clip.values(of: name, in: folder, "Rotation").first.flatMap { Int($0) })
            let orientation = try #require([0: Orientation.up, 90: .right, 180: .down, 270: .left][rotation])
            let header = try Clip.header(of: name, in: folder)
            #expect(header.orientation == orientation)
            #expect(rotation % 180 == degrees % 180)
            try compareWithFFmpeg(name, orientation: orientation)
        }
    }

    /// Compares a thumbnail with the frame that ffmpeg itself turns.
    private func compareWithFFmpeg(_ name: String, orientation: Orientation) throws {
        try folder.run("ffmpeg", "-nostdin", "-y", "-i", name, "-frames:v", "1", "turned.png")
        let kinds = [ThumbnailKind(.pixels320, as: .webP)]
        let (picture, expected) = (try folder.decode(name, kinds), try folder.decode("turned.png", kinds))
        #expect(picture.orientation == orientation && picture.displayedSize == expected.displayedSize)
        let (own, other) = (try TestPixels(picture.thumbnails[0]), try TestPixels(expected.thumbnails[0]))
        try #require((own.width, own.height) == (other.width, other.height))
        #expect(own.difference(other) < 4)
        // A person may display it otherwise.
        #expect(try folder.decode(name, orientation: .up).displayedSize.description == "320x240")
    }

    @Test(arguments: [(20.0, [60, 60, 200]), (2.0, [200, 60, 60])])
    func `the frame is at one second or a tenth, whichever is earlier`(seconds: Double, color: [Int]) throws {
        // Red for half a second, then blue.
        let source =
            "color=c=0xC83C3C:s=64x48:r=10:d=0.5[a];color=c=0x3C3CC8:s=64x48:r=10:d=\(seconds - 0.5)[b];[a][b]concat"
        try folder.run(
            "ffmpeg", ["-nostdin", "-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p"] + Clip.h264 + ["a.mp4"])
        let found = try TestPixels(try folder.decode("a.mp4").thumbnails[0]).pixel(32, 24)
        #expect(zip(found, color).allSatisfy { abs($0 - $1) < 30 }, "\(found)")
    }

    @Test func `a large frame has the size of the largest thumbnail, and the shape of the video`() throws {
        try folder.run(
            "ffmpeg",
            ["-nostdin", "-f", "lavfi", "-i", "testsrc2=s=3840x1600:r=5:d=0.4", "-vf", "setsar=1/2"] + Clip.h264
                + ["-pix_fmt", "yuv420p", "a.mp4"])
        let kinds = [ThumbnailSize.pixels240, .pixels2560].map { ThumbnailKind($0, as: .webP) }
        let picture = try folder.decode("a.mp4", kinds)
        #expect(picture.displayedSize.description == "1920x1600")
        #expect(picture.thumbnails.map { [$0.width, $0.height] } == [[240, 200], [1_920, 1_600]])
    }

    @Test func `the first frame is taken if there is none at the time`() throws {
        try Clip.make("a.mp4", in: folder, seconds: 0.2)
        var bytes = try folder.bytes("a.mp4")
        // Ten hours.
        try Boxes.set([UInt32(36_000_000)], at: 16, in: ["moov", "mvhd"], of: &bytes)
        try folder.write("a.mp4", bytes)
        #expect(try Clip.header(of: "a.mp4", in: folder).embedded.duration == 36_000)
        #expect(try difference("a.mp4") < 30)
    }

    @Test func `a video that is cut off shows its frames so far, or fails`() throws {
        try Clip.make("a.mp4", in: folder, Clip.h264 + ["-movflags", "+faststart"])
        let bytes = try folder.bytes("a.mp4")
        let frames = try Boxes.content(["mdat"], of: bytes)
        try folder.write("b.mp4", Array(bytes[..<(frames.lowerBound + frames.count * 3 / 4)]))
        #expect(try Clip.header(of: "b.mp4", in: folder).size.description == "320x240")
        #expect(try difference("b.mp4") < 30)
        try folder.write("c.mp4", Array(bytes[..<frames.lowerBound]))
        #expect(try Clip.header(of: "c.mp4", in: folder, by: nil).size.description == "320x240")
        #expect(throws: PictureFailure(.damaged, reason: "No picture of the video can be decoded.")) {
            try folder.decode("c.mp4")
        }
    }

    // MARK: - The program

    /// Makes a program that is found instead of ffmpeg.
    private func program(_ text: String) throws -> FFmpeg {
        try Clip.make("a.mp4", in: folder, seconds: 0.2)
        try folder.run("mkdir", "-p", "bin")
        try folder.write("bin/ffmpeg", Array(text.utf8))
        try folder.run("chmod", "755", "bin/ffmpeg")
        return FFmpeg(path: folder.path("bin/ffmpeg"), deadlineMilliseconds: 500)
    }

    private func decode(by ffmpeg: FFmpeg?) throws(PictureFailure) -> DecodedPicture {
        let request = DecodeRequest(
            file: folder.name("a.mp4"), orientation: nil, thumbnails: [], isMeasured: false)
        return try Decoder(limits: WorkerLimits(), ffmpeg: ffmpeg).decode(
            request, file: OpenedPicture(root: folder.url.path, path: "a.mp4"))
    }

    @Test(
        arguments: [
            ("#!/nowhere/sh\n", .unsupported, "The picture of a video needs ffmpeg, which cannot be started."),
            ("#!/bin/sh\nexec sleep 600\n", .tooLarge, "Decoding a picture of the video takes too long."),
            ("#!/bin/sh\nexec yes\n", .tooLarge, "Decoding a picture of the video takes too long."),
            ("#!/bin/sh\nexit 1\n", .damaged, "No picture of the video can be decoded."),
            ("#!/bin/sh\nkill -SEGV $$\n", .damaged, "No picture of the video can be decoded."),
            ("#!/bin/sh\necho nonsense\n", .damaged, "The picture is cut off or damaged."),
            (
                "#!/usr/bin/perl\nmy $x = 'a' x (3 << 30); print $x;\n", .damaged,
                "No picture of the video can be decoded."
            ),
        ] as [(String, PictureFailure.Kind, String)])
    func `a program that is stopped costs one picture`(
        text: String, kind: PictureFailure.Kind, reason: String
    ) throws {
        let ffmpeg = try program(text)
        #expect(throws: PictureFailure(kind, reason: reason)) { try decode(by: ffmpeg) }
        #expect(try decode(by: FFmpeg(path: "/usr/bin/ffmpeg")).displayedSize.description == "320x240")
    }

    /// A program that answers with a picture if it may do nothing else.
    private static let prisoner = """
        #!/usr/bin/perl
        use Socket;
        exit 1 if socket(my $s, PF_INET, SOCK_STREAM, 0) or socket(my $l, PF_UNIX, SOCK_STREAM, 0);
        exit 1 if open(my $f, '>', "/tmp/prisoner-$$") && syswrite($f, "x");
        close $f; unlink "/tmp/prisoner-$$";
        exit 1 if grep { $_ && !m{^/proc/|/bin/ffmpeg$} } map { readlink "/proc/self/fd/$_" } 3..63;
        exit 1 if $ENV{HOME} ne "/nonexistent" or grep { m{a.mp4} } @ARGV;
        my ($input) = grep { m{^/proc/\\d+/fd/\\d+$} } @ARGV;
        exit 1 unless open(my $i, '<', $input);
        open(my $p, '<', "FOLDER/quarters.png");
        local $/;
        print <$p>;
        """

    @Test func `it has no network, no files, no home and no name of the video`() throws {
        _ = try program(Self.prisoner.replacing("FOLDER", with: folder.url.path))
        let worker = try WorkerProcess(searchPath: folder.path("bin"))
        let request = DecodeRequest(
            file: folder.name("a.mp4"), orientation: nil, thumbnails: [], isMeasured: false)
        guard case .decoded = try worker.ask(.decode(request)) else {
            Issue.record("no picture")
            return
        }
    }

    @Test func `without ffmpeg and exiftool, each video has its sentence`() throws {
        try Clip.make("a.mp4", in: folder)
        try Clip.make("a.mkv", in: folder)
        let worker = try WorkerProcess(searchPath: folder.path("none"))
        for (name, header) in [("a.mp4", nil), ("a.mkv", PictureFailure.withoutExifTool)] {
            let found = try worker.ask(.header(folder.name(name), sidecars: []))
            if let header {
                #expect(found == .failed(header))
                #expect(header.reason == "The size of a video of its kind needs exiftool, which is not installed.")
            } else if case .header(let read)? = found {
                #expect(read.warnings.map(\.kind) == [.withoutExifTool])
            }
            let request = DecodeRequest(
                file: folder.name(name), orientation: nil, thumbnails: [], isMeasured: true)
            #expect(try worker.ask(.decode(request)) == .failed(.withoutFFmpeg))
        }
        #expect(PictureFailure.withoutFFmpeg.kind == .unsupported)
        #expect(
            PictureFailure.withoutFFmpeg.reason == "The picture of a video needs ffmpeg, which is not installed.")
        #expect(PictureFailure.withoutFFmpeg.isRemedied && PictureFailure.withoutExifTool.isRemedied)
        #expect(!PictureFailure(.unsupported, reason: "Pictures of its kind cannot be decoded.").isRemedied)
    }
}
