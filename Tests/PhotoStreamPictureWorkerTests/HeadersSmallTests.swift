import CVips
import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Small files made here.
@Suite(.serialized)
struct HeadersSmallTests {
    /// Writes files into a folder of their own and reads the header of the first.
    private func header(_ files: [(name: String, bytes: [UInt8])]) throws -> PictureHeader {
        precondition(SharedImages.isStarted)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files { try Data(file.bytes).write(to: folder.appending(path: file.name)) }
        let opened = try files.map { try OpenedPicture(root: folder.path, path: $0.name) }
        return try HeaderReader.header(of: opened[0], sidecars: Array(opened.dropFirst()))
    }

    /// A BMP of 3 by 2 pixels, its rows from top to bottom.
    private static let bitmap: [UInt8] =
        Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0, 3, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF]
        + [UInt8](repeating: 0, count: 28)

    private static func xmp(_ properties: String) -> [UInt8] {
        let names =
            #"xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" "#
            + #"xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/" "#
            + #"xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/""#
        return Array(
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \(names)>\(properties)</rdf:RDF></x:xmpmeta>".utf8)
    }

    @Test func nearestSidecarWins() throws {
        let near = Self.xmp(
            """
            <rdf:Description xmp:Rating="4"><dc:description><rdf:Alt><rdf:li xml:lang="de">Hund</rdf:li>\
            <rdf:li xml:lang="x-default">Dog</rdf:li></rdf:Alt></dc:description><lr:hierarchicalSubject><rdf:Bag>\
            <rdf:li>place|Rome</rdf:li></rdf:Bag></lr:hierarchicalSubject><dc:subject><rdf:Bag><rdf:li>Rome</rdf:li>\
            <rdf:li>Rome</rdf:li></rdf:Bag></dc:subject></rdf:Description>
            """)
        let far = Self.xmp(
            #"<rdf:Description xmp:Rating="1" photoshop:DateCreated="2023-11-04T15:30:12.25+01:00"/>"#)
        let found = try header([("a.bmp", Self.bitmap), ("a.bmp.xmp", near), ("a.xmp", far)])
        #expect(found.size.description == "3x2")
        let sidecar = try #require(found.sidecar)
        #expect(sidecar.rating == 4)
        #expect(sidecar.caption == "Dog")
        #expect(sidecar.keywords == ["place/Rome", "Rome"])
        #expect(sidecar.takenAt?.description == "2023-11-04T15:30:12.250+01:00")
        #expect(found.warnings.isEmpty)
    }

    @Test(arguments: [
        "<x", "", "<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", String(repeating: "<a>", count: 300),
    ])
    func malformedSidecarIsWarning(text: String) throws {
        let found = try header([("a.bmp", Self.bitmap), ("a.xmp", Array(text.utf8))])
        #expect(found.sidecar == nil)
        #expect(found.warnings == ["A sidecar is not well-formed XMP."])
    }

    @Test(
        arguments: [
            ([], .damaged, "The file is empty."),
            (Array("plain text".utf8), .notAPicture, "The content is not a picture of a known format."),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0], .damaged, "The picture's header is cut off or damaged."),
            (Array("BM".utf8), .damaged, "The picture's header is damaged."),
        ] as [([UInt8], PictureFailure.Kind, String)])
    func badInput(bytes: [UInt8], kind: PictureFailure.Kind, reason: String) {
        #expect(throws: PictureFailure(kind, reason: reason)) { try header([("a.jpg", bytes)]) }
    }

    @Test func times() {
        #expect(MetadataTime.read("0000:00:00 00:00:00") == nil)
        #expect(MetadataTime.read("2023:02:30 00:00:00") == nil)
        let time = MetadataTime.read("2023:11:04 15:30:12", offset: "-03:30", fraction: "5")
        #expect(time?.description == "2023-11-04T15:30:12.500-03:30")
    }

    @Test(.enabled(if: SharedImages.isPresent, "../shared/data is missing"))
    func mutatedHeadsEndCleanly() throws {
        var state: UInt64 = 16
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let root = SharedImages.folder.appending(path: "images")
        var (read, failed) = (0, 0)
        for line in try SharedImages.lines() {
            guard let path = line["file"] as? String, !path.hasSuffix(".svg") else { continue }
            let original = [UInt8](try Data(contentsOf: root.appending(path: path)).prefix(200_000))
            for _ in 0..<8 {
                var bytes = original
                for _ in 0..<(1 + next(12)) { bytes[next(min(bytes.count, 2_000))] = UInt8(next(256)) }
                if next(4) == 0 { bytes.removeLast(next(bytes.count)) }
                do {
                    _ = try header([("a", bytes)])
                    read += 1
                } catch is PictureFailure {
                    failed += 1
                }
            }
        }
        #expect(read > 100 && failed > 100, "\(read) read, \(failed) failed")
    }
}
