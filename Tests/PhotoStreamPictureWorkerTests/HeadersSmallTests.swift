import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Sidecars and times made here.
@Suite(.serialized)
struct HeadersSmallTests {
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
        let found = try HeaderFiles.header([("a.bmp", HeaderFiles.bitmap), ("a.bmp.xmp", near), ("a.xmp", far)])
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
        let found = try HeaderFiles.header([("a.bmp", HeaderFiles.bitmap), ("a.xmp", Array(text.utf8))])
        #expect(found.sidecar == nil)
        #expect(found.warnings == ["A sidecar is not well-formed XMP."])
    }

    @Test func times() {
        #expect(MetadataTime.read("0000:00:00 00:00:00") == nil)
        #expect(MetadataTime.read("2023:02:30 00:00:00") == nil)
        let time = MetadataTime.read("2023:11:04 15:30:12", offset: "-03:30", fraction: "5")
        #expect(time?.description == "2023-11-04T15:30:12.500-03:30")
    }
}
