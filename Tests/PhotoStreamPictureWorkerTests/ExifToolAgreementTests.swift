import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
import Testing

@testable import photostream_pictures

/// Compares headers with what exiftool itself prints about the same files: its choice of tags, not ours.
@Suite(.serialized, .enabled(if: PictureFolder.hasCommands, "vips or exiftool is missing"))
struct ExifToolAgreementTests {
    /// The fields that differ on purpose, by the end of a path; Pictures.md has the reasons.
    private static let differences: [(suffix: String, field: String, reason: String)] =
        [
            ("sample.jxl", "size", "exiftool 12.57 does not read a codestream in parts"),
            ("sample.heic", "size", "exiftool does not apply the crop that the file asks for"),
            ("sample-multi.heic", "size", "exiftool does not apply the crop that the file asks for"),
            ("sample.heif", "size", "exiftool does not apply the crop that the file asks for"),
        ]
        + [
            ("canon-ixus.jpg", "ISO"), ("kodak-dc240.jpg", "aperture"), ("kodak-dc240.jpg", "exposure"),
            ("kodak-dc240.jpg", "ISO"), ("Canon_PowerShot_S40.jpg", "ISO"), ("Canon_DIGITAL_IXUS_400.jpg", "ISO"),
            ("sony-powershota5.jpg", "aperture"), ("sony-powershota5.jpg", "exposure"),
        ].map { ($0, $1, "the notes of makers, each in a form of its own, are not read") }

    @Test(.enabled(if: SharedImages.isPresent, "../shared/data is missing"))
    func `real files agree with exiftool`() throws {
        let folder = SharedImages.folder.appending(path: "images").path
        let found = try Self.compare(folder)
        #expect(found.checkedCount > 300)
        #expect(found.differences.isEmpty, "\(found.differences.joined(separator: "\n"))")
    }

    /// Values of tags that exiftool writes; each file gets some of them.
    private static let values: [String] = [
        "EXIF:DateTimeOriginal=2016:05:04 03:02:01", "EXIF:CreateDate=2017:05:04 03:02:01",
        "EXIF:ModifyDate=2018:05:04 03:02:01", "XMP-exif:DateTimeOriginal=2016:05:04 03:02:01",
        "XMP-photoshop:DateCreated=2016:05:04", "XMP-xmp:CreateDate=2017:05:04 03:02:01", "IPTC:DateCreated=2016:05:04",
        "XMP-dc:Title=Tïtle", "IPTC:ObjectName=Tïtle", "EXIF:XPTitle=Tïtle", "XMP-dc:Description=Two\nlines & é",
        "IPTC:Caption-Abstract=Two & é", "EXIF:ImageDescription=Zwei", "EXIF:UserComment=Öde", "XMP-dc:Subject=sea",
        "XMP-dc:Subject=a, b", "IPTC:Keywords=sea", "XMP-lr:HierarchicalSubject=place|Rome", "XMP-xmp:Rating=4",
        "EXIF:Make=Maker", "EXIF:Model=Model 1", "EXIF:LensModel=Lens 24-70 f/2.8", "EXIF:FNumber=2.8",
        "EXIF:ExposureTime=1/250", "EXIF:ISO=400", "EXIF:FocalLength=35", "EXIF:GPSLatitude=48.25",
        "EXIF:GPSLatitudeRef=S", "EXIF:GPSLongitude=11.5", "EXIF:GPSLongitudeRef=W", "XMP-exif:GPSLatitude=-48.25",
        "XMP-exif:GPSLongitude=-11.5", "EXIF:Orientation#=6", "PNG:Title=Tïtle", "PNG:CreationTime=2017:05:04 03:02:01",
    ]

    @Test func `made files agree with exiftool`() throws {
        let folder = try PictureFolder()
        try folder.makePNG("seed.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        var random = SplitMix64(seed: 36)
        for (number, end) in ["jpg", "png", "tif", "heic", "avif", "webp"].flatMap({ end in (0..<12).map { ($0, end) } }
        ) {
            let name = "\(end)-\(number).\(end)"
            try folder.run("vips", "copy", "seed.png", name)
            // Half of a position is none, and both of its numbers need a hemisphere.
            let chosen = Self.values.filter {
                $0.contains("GPS") ? number % 3 == 0 : Int.random(in: 0..<4, using: &random) == 0
            }
            try folder.run(
                "exiftool",
                ["-q", "-m", "-overwrite_original", "-charset", "iptc=UTF8"] + chosen.map { "-\($0)" } + [name])
        }
        try FileManager.default.removeItem(atPath: folder.path("seed.png"))
        let found = try Self.compare(folder.url.path)
        #expect(found.checkedCount == 72)
        #expect(found.differences.isEmpty, "\(found.differences.joined(separator: "\n"))")
    }

    // MARK: - The comparison

    static func compare(_ folder: String) throws -> (checkedCount: Int, differences: [String]) {
        precondition(SharedImages.isStarted)
        let reader = HeaderReader(exifTool: ExifTool(path: "/usr/bin/exiftool"))
        var (checkedCount, differences) = (0, [String]())
        for line in try lines(of: folder) {
            let path = try #require(line["SourceFile"]?.first).dropFirst(folder.count + 1).description
            guard let opened = try? OpenedPicture(root: folder, path: path), let header = try? reader.header(of: opened)
            else { continue }
            checkedCount += 1
            for (field, own, other) in fields(of: header, line) where own != other {
                let isKnown = Self.differences.contains { path.hasSuffix($0.suffix) && $0.field == field }
                if !isKnown { differences.append("\(path): \(field) is \(own), exiftool has \(other)") }
            }
        }
        return (checkedCount, differences)
    }

    /// The tags of each file, as exiftool prints them by its own priorities.
    private static func lines(of folder: String) throws -> [[String: [String]]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/exiftool")
        process.arguments =
            ["-j", "-n", "-r", "-q", "-q", "-charset", "exif=UTF8", "-charset", "iptc=UTF8"]
            + [
                "ImageWidth", "ImageHeight", "Orientation", "DateTimeOriginal", "OffsetTimeOriginal", "CreateDate",
                "ModifyDate", "Composite:GPSLatitude", "Composite:GPSLongitude", "Title", "ObjectName", "XPTitle",
                "Description", "Caption-Abstract", "ImageDescription", "XPComment", "UserComment", "Subject",
                "Keywords",
                "XPKeywords", "HierarchicalSubject", "Rating", "Make", "Model", "LensModel", "XMP-aux:Lens", "Aperture",
                "ShutterSpeed", "ISO", "FocalLength", "Rotation", "DateCreated", "CreationTime",
            ].map { "-\($0)" } + [folder]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return lines.map { line in
            line.mapValues { value in
                let values = value as? [Any] ?? [value]
                return values.map { "\($0)" }.compactMap(MetadataText.trimmed)
            }
        }
    }

    private static func fields(
        of header: PictureHeader, _ line: [String: [String]]
    ) -> [(field: String, own: String, other: String)] {
        func first(_ names: String...) -> String { names.lazy.compactMap { line[$0]?.first }.first ?? "" }
        func number(_ text: String) -> String { Double(text).map { "\(($0 * 1e5).rounded() / 1e5)" } ?? "" }
        let metadata = header.embedded
        var size = [first("ImageWidth"), first("ImageHeight")]
        let orientation = first("Orientation")
        let isTurned = ["5", "6", "7", "8"].contains(orientation)
        let turnsItself = [.heic, .avif, .jpegXL].contains(header.format)
        if turnsItself ? ["90", "270"].contains(first("Rotation")) : isTurned { size.reverse() }
        let displayed = header.size.applying(header.orientation)
        let caption = first("Description", "Caption-Abstract", "ImageDescription", "XPComment", "UserComment")
        var words = (line["Subject"] ?? []) + (line["Keywords"] ?? [])
        words += (line["HierarchicalSubject"] ?? []).map { $0.replacing("|", with: "/") }
        words += first("XPKeywords").split(separator: ";").map(String.init)
        return [
            ("size", "\(displayed)", size.joined(separator: "x")),
            (
                "time", digits(metadata.takenAt),
                digits(first("DateTimeOriginal", "DateCreated", "CreateDate", "CreationTime", "ModifyDate"))
            ),
            (
                "position",
                metadata.coordinate.map { number("\($0.latitude)") + " " + number("\($0.longitude)") } ?? "",
                line["GPSLatitude"] == nil || first("GPSLatitude") + first("GPSLongitude") == "00"
                    ? "" : number(first("GPSLatitude")) + " " + number(first("GPSLongitude"))
            ),
            ("title", metadata.title ?? "", first("Title", "ObjectName", "XPTitle")),
            ("caption", metadata.caption ?? "", MetadataText.isBoilerplate(caption) ? "" : caption),
            (
                "keywords", Set(metadata.keywords).sorted().joined(separator: ";"),
                Set(words).sorted().joined(separator: ";")
            ),
            ("rating", metadata.rating.map { "\($0)" } ?? "", first("Rating")),
            (
                "camera", metadata.camera ?? "",
                MetadataSources.camera(make: line["Make"]?.first, model: line["Model"]?.first) ?? ""
            ),
            ("lens", metadata.lens ?? "", first("LensModel", "Lens")),
            ("aperture", number(metadata.aperture.map { "\($0)" } ?? ""), number(first("Aperture"))),
            ("exposure", number(metadata.exposureTime.map { "\($0)" } ?? ""), number(first("ShutterSpeed"))),
            (
                "ISO", number(metadata.iso.map { "\($0)" } ?? ""),
                number(first("ISO").split(separator: " ").first.map(String.init) ?? "")
            ),
            ("focal length", number(metadata.focalLength.map { "\($0)" } ?? ""), number(first("FocalLength"))),
        ]
    }

    /// The digits of a date and a time to the second, without those that are unknown.
    private static func digits(_ time: CaptureTime?) -> String {
        guard let time,
            let local = try? CaptureTime(
                milliseconds: time.localMilliseconds, utcOffsetMinutes: nil, precision: min(time.precision, .second))
        else { return "" }
        return local.description.filter(\.isNumber)
    }

    private static func digits(_ text: String) -> String {
        let digits = String(text.prefix(19).filter(\.isNumber))
        return digits.contains { $0 != "0" } ? digits : ""
    }
}
