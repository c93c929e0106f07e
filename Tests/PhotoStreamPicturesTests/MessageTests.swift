import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamTestSupport
import Testing

@Suite struct MessageTests {
    private let file = PictureFileName(root: "/photos", path: "2026/ä.jpg")

    @Test func `requests survive a round trip`() throws {
        let requests: [PictureRequest] = [
            .header(file, sidecars: []), .header(file, sidecars: ["2026/ä.jpg.xmp", "2026/ä.xmp"]), .hash(file),
            .decode(DecodeRequest(file: file, orientation: nil, thumbnails: [], isMeasured: true)),
            .decode(
                DecodeRequest(
                    file: file, orientation: .left,
                    thumbnails: [ThumbnailKind(.pixels320, as: .webP), ThumbnailKind(.pixels2560, as: .jpeg)],
                    isMeasured: false)),
        ]
        for request in requests { #expect(try PictureRequest(bytes: request.bytes) == request) }
    }

    @Test func `answers survive a round trip, and truncated ones are refused`() throws {
        for answer in try Self.answers() {
            let bytes = answer.bytes
            #expect(try PictureAnswer(bytes: bytes) == answer)
            for count in 0..<bytes.count {
                #expect(throws: MessageError.self) { try PictureAnswer(bytes: Array(bytes.prefix(count))) }
            }
            #expect(throws: MessageError.self) { try PictureAnswer(bytes: bytes + [0]) }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any bytes are a value or an error`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for answer in try Self.answers() {
            for _ in 0..<200 {
                var bytes = answer.bytes
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                // A message that is read is one that could have been written.
                guard let read = try? PictureAnswer(bytes: bytes) else { continue }
                #expect((try? PictureAnswer(bytes: read.bytes)) != nil)
            }
        }
    }

    @Test(
        arguments: [
            { $0.duration = 0 }, { $0.duration = -1 }, { $0.duration = .nan }, { $0.duration = .infinity },
            { $0.codec = String(repeating: "c", count: 33) },
            { $0.contentIdentifier = String(repeating: "i", count: 129) },
            { $0.burstIdentifier = String(repeating: "i", count: 129) },
        ] as [@Sendable (inout PictureMetadata) -> Void])
    func `values that no worker sends are refused`(change: @Sendable (inout PictureMetadata) -> Void) throws {
        var metadata = PictureMetadata()
        change(&metadata)
        let size = try PixelSize(width: 4, height: 3)
        let answer = PictureAnswer.header(
            PictureHeader(format: .video, size: size, orientation: .up, embedded: metadata))
        #expect(throws: MessageError.self) { try PictureAnswer(bytes: answer.bytes) }
    }

    @Test func `a source completes another`() throws {
        var first = PictureMetadata(title: "first")
        (first.duration, first.instant) = (1, 1)
        var second = PictureMetadata(title: "second")
        (second.duration, second.codec, second.instant) = (2, "avc1", 2)
        (second.contentIdentifier, second.burstIdentifier) = ("content", "burst")
        var whole = second
        (whole.title, whole.duration, whole.instant) = ("first", 1, 1)
        #expect(first.completed(by: second) == whole)
    }

    @Test func `a frame that is too long is refused`() throws {
        #expect(try MessageFrame.byteCount(head: [1, 2, 0, 0]) == 513)
        #expect(throws: MessageError.self) { try MessageFrame.byteCount(head: [0, 0, 0, 255]) }
        #expect(MessageFrame.framed([7, 8]) == [2, 0, 0, 0, 7, 8])
    }

    private static func answers() throws -> [PictureAnswer] {
        var metadata = PictureMetadata(
            takenAt: try CaptureTime(milliseconds: 1_795_246_733_123, utcOffsetMinutes: -90, precision: .millisecond),
            title: "Title", caption: "Größe", keywords: ["place/Rome", "sea"], rating: -1,
            coordinate: try Coordinate(latitude: -33.5, longitude: 151.25), camera: "Maker Model")
        metadata.lens = "Lens 24-70"
        (metadata.aperture, metadata.exposureTime) = (1.8, 0.004)
        (metadata.iso, metadata.focalLength) = (200, 4.25)
        metadata.people = ["Ada", "Grace"]
        (metadata.duration, metadata.codec, metadata.instant) = (12.5, "hvc1", -1_000)
        (metadata.contentIdentifier, metadata.burstIdentifier) = (String(repeating: "i", count: 128), "burst")
        let size = try PixelSize(width: 4000, height: 3000)
        let thumbnail = Thumbnail(
            kind: ThumbnailKind(.pixels320, as: .webP), width: 320, height: 240, bytes: Array(0...255))
        return [
            .header(PictureHeader(format: .avif, size: size, orientation: .up, embedded: PictureMetadata())),
            .header(
                PictureHeader(
                    format: .jpeg, size: size, orientation: .right, embedded: metadata, sidecar: metadata,
                    preview: PicturePreview(placeholder: [9, 8, 7], color: RGBColor(rawValue: 0x65_4321)),
                    warnings: [PictureWarning(.sidecar, reason: "A sidecar is not well-formed XMP.")])),
            .decoded(
                DecodedPicture(
                    stamp: FileStamp(byteCount: 3_000_000_000, modifiedNanoseconds: -5), displayedSize: size,
                    orientation: .down, measures: nil, thumbnails: [])),
            .decoded(
                DecodedPicture(
                    stamp: FileStamp(byteCount: 12, modifiedNanoseconds: 1_795_246_733_123_456_789),
                    displayedSize: size, orientation: .up,
                    measures: PictureMeasures(
                        content: FileContent(
                            pictureHash: Array(repeating: 6, count: 32), fileHash: Array(repeating: 7, count: 32)),
                        placeholder: [1, 2, 3],
                        color: RGBColor(rawValue: 0x12_3456)),
                    thumbnails: [thumbnail, thumbnail])),
            .content(FileContent(pictureHash: Array(0..<32), fileHash: Array(32..<64))),
            .failed(PictureFailure(.damaged, reason: "the file is cut off")),
        ]
    }
}
