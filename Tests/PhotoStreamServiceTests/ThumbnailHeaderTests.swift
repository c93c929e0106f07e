import Foundation
import PhotoStreamModel
import PhotoStreamPictures
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

@Suite struct ThumbnailHeaderTests {
    private static let samples = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../SampleData/pictures").standardizedFileURL

    /// The sample pictures, and the sizes that their records name, which another program wrote.
    @Test func `real files have the sizes of their records`() throws {
        let text = try String(contentsOf: Self.samples.appending(path: "../photos.jsonl"), encoding: .utf8)
        var counts: [ThumbnailFormat: Int] = [:]
        for line in text.split(separator: "\n") {
            guard let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let location = record["location"] as? String, location.hasPrefix("pictures/"),
                !location.hasSuffix(".png"), let width = record["width"] as? Int, let height = record["height"] as? Int,
                let bytes = try? Data(contentsOf: Self.samples.appending(path: "../\(location)"))
            else { continue }
            let header = try #require(ThumbnailHeader([UInt8](bytes)), "\(location)")
            #expect(header.width == width && header.height == height, "\(location)")
            let format: ThumbnailFormat = location.hasSuffix(".webp") ? .webP : .jpeg
            #expect(header.format == format)
            counts[header.format, default: 0] += 1
        }
        #expect(counts[.jpeg, default: 0] > 20 && counts[.webP, default: 0] > 3, "\(counts)")
    }

    @Test func `truncated or altered bytes have no header, and none traps`() throws {
        for name in ["harbour-dusk.jpg", "dunes-night-bus.webp", "moonrise.webp"] {
            let bytes = [UInt8](try Data(contentsOf: Self.samples.appending(path: name)))
            for count in 0..<min(700, bytes.count) { _ = ThumbnailHeader(Array(bytes.prefix(count))) }
            #expect(ThumbnailHeader(Array(bytes.prefix(20))) == nil)
            var random = SplitMix64(seed: 3)
            for _ in 0..<500 {
                var mutated = Array(bytes.prefix(800))
                for _ in 0..<4 { mutated[random.int(in: 0...799)] = UInt8(random.int(in: 0...255)) }
                _ = ThumbnailHeader(mutated)
            }
        }
    }

    @Test func `verify reads the headers of stored thumbnails`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        let key = try #require(PictureKey(try await studio.running { try await studio.bytes("a").key }))
        #expect(try studio.service.verifyPictures().isEmpty)
        let kind = ThumbnailKind(.pixels160, as: .jpeg)
        let jpeg = StandInDecoder.bytes(kind, turned: .up, content: [])
        let webP = StandInDecoder.bytes(ThumbnailKind(.pixels160, as: .webP), turned: .up, content: [])
        let large = StandInDecoder.bytes(ThumbnailKind(.pixels320, as: .jpeg), turned: .up, content: [])
        let bad: [(thumbnail: StoredThumbnail, problem: String)] = [
            (StoredThumbnail(kind: kind, width: 160, height: 120, bytes: webP), "is of the type image/webp"),
            (StoredThumbnail(kind: kind, width: 160, height: 90, bytes: jpeg), "is 160 × 120 pixels, not 160 × 90"),
            (StoredThumbnail(kind: kind, width: 320, height: 240, bytes: large), "is 320 × 240 pixels"),
            (
                StoredThumbnail(kind: kind, width: 160, height: 120, bytes: [1, 2]),
                "has no header of a WebP or JPEG file"
            ),
        ]
        for (thumbnail, problem) in bad {
            try studio.maker.store.add(key: key, [thumbnail])
            #expect(try studio.service.verifyPictures() == ["the thumbnail of \(key) with 160 pixels \(problem)"])
        }
    }
}
