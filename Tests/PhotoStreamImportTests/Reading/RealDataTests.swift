import Foundation
import PhotoStreamModel
import Testing

@testable import PhotoStreamImport

/// Real files from other sources; they are next to the repository, not in it.
private enum RealData {
    static let folder: String = {
        // The file may be reached through a symbolic link, so the link is resolved before going up.
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.deletingLastPathComponent().appendingPathComponent("shared/data").path
    }()

    static var isAvailable: Bool { FileManager.default.fileExists(atPath: folder + "/README.md") }
}

@Suite(.enabled(if: RealData.isAvailable, "../shared/data is not there"))
struct RealDataTests {
    private func read(_ name: String, map: String, quoting: Bool? = nil) async throws -> ImportOutcome {
        let options = try ImportOptions(mapping: FieldMapping(parsing: map), quoting: quoting)
        return try await ImportOutcome.reading(paths: [RealData.folder + "/" + name], options: options)
    }

    @Test(arguments: [
        ("1736_small", 136), ("1802_small", 380), ("1876_small", 8_422), ("1894_medium", 7_655), ("1900_medium", 122),
    ])
    func `every row of the British Library becomes a record`(name: String, count: Int) async throws {
        let outcome = try await read(
            "bl-flickr/\(name).tsv",
            map: "id=flickr_id,width=flickr_original_width,height=flickr_original_height,caption=title,takenAt=date,"
                + "location=flickr_original_source",
            quoting: false
        )
        #expect(outcome.records.count == count)
        #expect(outcome.rejects.isEmpty)
        #expect(outcome.warnings.isEmpty)
        #expect(outcome.unusedPaths.isEmpty)
        #expect(outcome.records.count { if case .set = $0.size { true } else { false } } == count)
        guard name == "1894_medium" else { return }
        let first = try #require(outcome.records.first)
        #expect(first.id.rawValue == "11305552593")
        let size = try PixelSize(width: 1890, height: 1146)
        #expect(first.size == .set(PhotoRecord.EncodedSize(size)))
        let taken = try #require(year(1894))
        #expect(first.takenAt == .set(taken))
    }

    private func year(_ year: Int) -> CaptureTime? {
        CivilDate(year: year, month: 1, day: 1).flatMap {
            try? CaptureTime(
                milliseconds: Int64($0.daysSince1970) * 86_400_000,
                utcOffsetMinutes: nil,
                precision: .year
            )
        }
    }

    @Test func `every Teenie Harris record is read, and sizes of zero inches are rejected`() async throws {
        let outcome = try await read(
            "cmoa-teenie/teenie_every20th.jsonl",
            map: "id=id,width=item_width,height=item_height,caption=title,takenAt=creation_date_earliest,"
                + "location=images.0.image_url"
        )
        #expect(outcome.records.count + outcome.rejects.count == 2_952)
        #expect(outcome.rejects.count == 12)
        #expect(outcome.reasons.allSatisfy { $0.hasSuffix(" 0.0 is not positive") })
        #expect(outcome.warnings.isEmpty)
        #expect(outcome.unusedPaths.isEmpty)
    }

    @Test func `output of exiftool is read, with numbers and with words`() async throws {
        let map = "id=SourceFile,width=ImageWidth,height=ImageHeight,orientation=Orientation,takenAt=DateTimeOriginal"
        for (name, words) in [("exif-samples_exiftool12.57_default", true), ("images_tree_exiftool12.57_n", false)] {
            let outcome = try await read("exiftool-json/\(name).json", map: map)
            let data = try Data(contentsOf: URL(fileURLWithPath: RealData.folder + "/exiftool-json/\(name).json"))
            let elements = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
            #expect(outcome.records.count + outcome.rejects.count == elements.count)
            #expect(!outcome.records.isEmpty)
            let oriented = outcome.records.count { if case .set = $0.orientation { true } else { false } }
            #expect(oriented > 0, "words: \(words)")
        }
    }
}
