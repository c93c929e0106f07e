import Foundation

/// The tags of one file, as exiftool writes them.
struct ExifToolAnswer {
    /// The arguments for every file: XML, which keeps texts as they are; the tags that fields need; and texts without a
    /// declared encoding as Windows' Latin, in which no byte is lost.
    static let arguments =
        [
            "-X", "-n", "-a", "-b", "-api", "LargeFileSupport=1", "-charset", "exif=Latin", "-charset", "iptc=Latin",
            "-XMP", "-Error",
            "-Warning",
        ]
        + names.filter { !isOfVideo($0) }.map { "-\($0)" }
    /// The further arguments for a video; each tag that is asked for takes time for any file.
    static let videoArguments = names.filter(isOfVideo).map { "-\($0)" }

    private static let names = Set(MetadataTag.allCases.flatMap(\.exifToolNames)).sorted()
    /// The groups that only videos have, or whose tags are read of videos only.
    private static let groupsOfVideos: Set<Substring> = [
        "Keys", "ItemList", "UserData", "XML", "H264", "M2TS", "MPEG", "Matroska", "RIFF", "Composite",
    ]

    private static func isOfVideo(_ name: String) -> Bool {
        name.split(separator: ":").first.map(groupsOfVideos.contains) ?? false
    }

    /// The values of the tags.
    private(set) var tags = MetadataTags()
    /// The XMP packet, which our own parser reads; `nil` if there is none.
    private(set) var xmp: [UInt8]?
    /// The first problem, other than minor ones, in exiftool's words; `nil` if there is none.
    private(set) var problem: String?

    /// Reads XML.
    ///
    /// - Returns: `nil` if it is malformed.
    init?(xml: [UInt8]) {
        guard let document = XMPPacket(bytes: xml) else { return nil }
        var values: [String: [String]] = [:]
        for (name, texts) in document.values {
            for name in Self.names(ofProperty: name) { values[name, default: []] += texts }
        }
        for tag in MetadataTag.allCases {
            let found = tag.exifToolNames.lazy.compactMap { values[$0] }.first ?? []
            let texts = found.compactMap { MetadataText.trimmed(MetadataText.undoingLatin($0)) }
            if !texts.isEmpty { tags[tag] = texts }
        }
        xmp = values["XMP:XMP"]?.first.map { Array($0.utf8) }
        problem =
            (values["ExifTool:Error"] ?? []).first ?? values["ExifTool:Warning"]?.first { !$0.hasPrefix("[minor]") }
    }

    /// Returns name and group, of each family, for a property such as `http://ns.exiftool.org/EXIF/IFD0/1.0/ Make`.
    private static func names(ofProperty property: String) -> Set<String> {
        let parts = property.split(separator: " ")
        guard parts.count == 2, parts[0].hasPrefix("http://ns.exiftool.org/") else { return [] }
        // Without the scheme, the host and the version.
        return Set(parts[0].split(separator: "/").dropFirst(2).dropLast().map { "\($0):\(parts[1])" })
    }
}
