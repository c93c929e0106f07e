import Foundation
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

    @Test func `people are those of faces and of PersonInImage, each once`() throws {
        let names =
            #"xmlns:r="http://www.metadataworkinggroup.com/schemas/regions/" "#
            + #"xmlns:MP="http://ns.microsoft.com/photo/1.2/" xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#" "#
            + #"xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#" "#
            + #"xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/""#
        let text = Self.xmp(
            """
            <rdf:Description \(names)><ext:PersonInImage><rdf:Bag><rdf:li>Ada</rdf:li></rdf:Bag></ext:PersonInImage>
            <r:Regions rdf:parseType="Resource"><r:AppliedToDimensions rdf:parseType="Resource"/>
            <r:RegionList><rdf:Bag>
            <rdf:li rdf:parseType="Resource"><r:Name>Eve</r:Name><r:Type>Face</r:Type></rdf:li>
            <rdf:li><rdf:Description r:Name="Ada" r:Type="Face"/></rdf:li>
            <rdf:li r:Name="Rex" r:Type="Pet"/><rdf:li r:Name="Grace"/><rdf:li r:Type="Face"/>
            </rdf:Bag></r:RegionList></r:Regions>
            <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>
            <rdf:li MPReg:PersonDisplayName="Mary" MPReg:Rectangle="0, 0, 1, 1"/></rdf:Bag></MPRI:Regions></MP:RegionInfo>
            </rdf:Description>
            """)
        let found = try HeaderFiles.header([("a.bmp", HeaderFiles.bitmap), ("a.xmp", text)])
        #expect(found.sidecar?.people == ["Ada", "Eve", "Grace", "Mary"])
        #expect(found.warnings.isEmpty)
    }

    @Test func `a hundred thousand people and values are read in linear time, and bounded`() throws {
        let regions = (0..<100_000).map { "<rdf:li r:Name='n\($0)'/>" }.joined()
        let titles = (0..<100_000).map { "<rdf:li xml:lang='x-default'>t\($0)</rdf:li>" }.joined()
        let packet = try #require(
            XMPPacket(
                bytes: Self.xmp(
                    "<rdf:Description xmlns:r='http://www.metadataworkinggroup.com/schemas/regions/'>"
                        + "<r:Regions><r:RegionList><rdf:Bag>\(regions)</rdf:Bag></r:RegionList></r:Regions>"
                        + "<dc:title><rdf:Alt>\(titles)</rdf:Alt></dc:title></rdf:Description>")))
        #expect(packet.peopleOfRegions.count == 10_000)
        #expect(packet.texts(.title).count == 10_000)
    }

    @Test(
        .enabled(if: PictureFolder.hasCommands, "vips or exiftool is missing"), arguments: ["a.png", "a.webp"])
    func `bytes after the end of a picture do not refuse it`(name: String) throws {
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        if name != "a.png" { try folder.run("vips", "copy", "a.png", name) }
        let plain = try folder.bytes(name)
        func header() throws -> PictureHeader {
            try HeaderReader(exifTool: nil).header(of: OpenedPicture(root: folder.url.path, path: name))
        }
        let expected = try header()
        for rest in [[UInt8](repeating: 0, count: 3_000_000), Array("tEXt".utf8), [1, 2, 3]] {
            try folder.write(name, plain + rest)
            #expect(try header() == expected)
        }
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
        #expect(found.warnings.map(\.reason) == ["A sidecar is not well-formed XMP."])
    }

    @Test(
        arguments: [
            ("20231104", "153012+0100", "2023-11-04T15:30:12+01:00"), ("20231104", "153012", "2023-11-04T15:30:12"),
            ("20231104", "", "2023-11-04"), ("20231104", "ééé", "2023-11-04"), ("20231100", "153012", "2023-11"),
            ("éééé", "153012", nil), ("2023\r\n04", "", nil), ("2023-1-4", "", nil),
        ] as [(String, String, String?)])
    func timesOfIPTC(date: String, time: String, expected: String?) {
        func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
            [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
        }
        let block = IPTCBlock(bytes: dataset(55, date) + (time.isEmpty ? [] : dataset(60, time)))
        var warnings: [PictureWarning] = []
        #expect(MetadataSources(tags: block.tags).metadata(warnings: &warnings).takenAt?.description == expected)
    }

    @Test(
        .enabled(if: PictureFolder.hasCommands), arguments: ["b.heic", "b.avif", "b.jpg", "b.png", "b.webp", "b.tif"])
    func xmpOfEachFormat(name: String) throws {
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "copy", "a.png", name)
        try folder.run(
            "exiftool", "-q", "-overwrite_original", "-XMP-dc:Description=Hund", "-XMP-xmp:Rating=4",
            "-XMP-lr:HierarchicalSubject=place|Rome", name)
        for exifTool in [ExifTool(path: "/usr/bin/exiftool"), nil] {
            let header = try HeaderReader(exifTool: exifTool).header(
                of: OpenedPicture(root: folder.url.path, path: name))
            #expect(header.embedded.caption == "Hund" && header.embedded.rating == 4)
            #expect(header.embedded.keywords == ["place/Rome"])
            let isReadByOurselves = exifTool != nil || name == "b.jpg"
            #expect(header.warnings.map(\.kind) == (isReadByOurselves ? [] : [.withoutExifTool]))
        }
    }

    @Test(
        .enabled(if: PictureFolder.hasCommands),
        arguments: [("11:08:20.5", Int64(500)), ("11:08:07.04", 40), ("11:08:07", 0)])
    func timeOfSatellitesHasItsFraction(time: String, milliseconds: Int64) throws {
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "copy", "a.png", "b.jpg")
        try folder.run(
            "exiftool", "-q", "-overwrite_original", "-GPSDateStamp=2023:11:04", "-GPSTimeStamp=\(time)", "b.jpg")
        let header = try HeaderReader(exifTool: nil).header(of: OpenedPicture(root: folder.url.path, path: "b.jpg"))
        let found = try #require(header.embedded.takenAt)
        #expect(found.utcOffsetMinutes == 0 && found.milliseconds % 1_000 == milliseconds)
        #expect(found.description.hasPrefix("2023-11-04T\(time.prefix(8))"))
    }

    @Test func blockWithoutAnEntryIsNotDamaged() {
        #expect(ExifBlock(bytes: Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]) != nil)
        #expect(ExifBlock(bytes: Array("XX".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]) == nil)
    }

    @Test func times() {
        #expect(MetadataTime.read("0000:00:00 00:00:00") == nil)
        #expect(MetadataTime.read("2023:02:30 00:00:00") == nil)
        let time = MetadataTime.read("2023:11:04 15:30:12", offset: "-03:30", fraction: "5")
        #expect(time?.description == "2023-11-04T15:30:12.500-03:30")
    }
}
