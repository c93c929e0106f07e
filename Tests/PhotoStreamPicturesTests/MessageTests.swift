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

    @Test func `a frame that is too long is refused`() throws {
        #expect(try MessageFrame.byteCount(head: [1, 2, 0, 0]) == 513)
        #expect(throws: MessageError.self) { try MessageFrame.byteCount(head: [0, 0, 0, 255]) }
        #expect(MessageFrame.framed([7, 8]) == [2, 0, 0, 0, 7, 8])
    }

    private static func answers() throws -> [PictureAnswer] {
        let metadata = PictureMetadata(
            takenAt: try CaptureTime(milliseconds: 1_795_246_733_123, utcOffsetMinutes: -90, precision: .millisecond),
            title: "Title", caption: "Größe", keywords: ["place/Rome", "sea"], rating: -1,
            coordinate: try Coordinate(latitude: -33.5, longitude: 151.25), camera: "Maker Model")
        let size = try PixelSize(width: 4000, height: 3000)
        let thumbnail = Thumbnail(
            kind: ThumbnailKind(.pixels320, as: .webP), width: 320, height: 240, bytes: Array(0...255))
        return [
            .header(PictureHeader(format: .avif, size: size, orientation: .up, embedded: PictureMetadata())),
            .header(
                PictureHeader(
                    format: .jpeg, size: size, orientation: .right, embedded: metadata, sidecar: metadata,
                    preview: PicturePreview(placeholder: [9, 8, 7], color: RGBColor(rawValue: 0x65_4321)),
                    warnings: ["the sidecar is not well formed"])),
            .decoded(
                DecodedPicture(
                    stamp: FileStamp(byteCount: 3_000_000_000, modifiedNanoseconds: -5), displayedSize: size,
                    orientation: .down, measures: nil, thumbnails: [])),
            .decoded(
                DecodedPicture(
                    stamp: FileStamp(byteCount: 12, modifiedNanoseconds: 1_795_246_733_123_456_789),
                    displayedSize: size, orientation: .up,
                    measures: PictureMeasures(
                        contentHash: Array(repeating: 7, count: 32), placeholder: [1, 2, 3],
                        color: RGBColor(rawValue: 0x12_3456)),
                    thumbnails: [thumbnail, thumbnail])),
            .hash(Array(0..<32)), .failed(PictureFailure(.damaged, reason: "the file is cut off")),
        ]
    }
}
