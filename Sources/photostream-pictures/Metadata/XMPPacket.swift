import CLibexpat
import Foundation

/// The properties of an XMP packet or sidecar that photos use.
struct XMPPacket {
    /// The values of each property, in order; the key consists of the namespace's address and the name.
    private(set) var values: [String: [String]] = [:]
    /// The names of people in marked regions, in order.
    private(set) var peopleOfRegions: [String] = []

    /// Parses XML without entities of its own.
    ///
    /// - Returns: `nil` if it is malformed, declares entities, or is nested too deeply.
    init?(bytes: [UInt8]) {
        // Padding after the packet and a zero at its end are common.
        let content = bytes.prefix { $0 != 0 }
        guard !content.isEmpty, let parser = unsafe XML_ParserCreateNS(nil, 0x20) else { return nil }
        defer { unsafe XML_ParserFree(parser) }
        let state = XMPState()
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(state).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let state = unsafe XMPState.of(context), let name = unsafe name else { return }
                var pairs: [(String, String)] = []
                if let attributes = unsafe attributes {
                    var index = 0
                    while let key = unsafe attributes[index], let value = unsafe attributes[index + 1] {
                        unsafe pairs.append((String(cString: key), String(cString: value)))
                        index += 2
                    }
                }
                unsafe state.begin(String(cString: name), attributes: pairs)
            },
            { context, _ in unsafe XMPState.of(context)?.end() })
        unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let text = unsafe text, count > 0 else { return }
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
            unsafe XMPState.of(context)?.add(bytes)
        }
        // Document types are refused, so that no entity can be declared: neither bombs nor files.
        unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            unsafe XMPState.of(context)?.isRefused = true
        }
        let step = 65_536
        var place = content.startIndex
        while place < content.endIndex {
            let end = min(place + step, content.endIndex)
            let result = unsafe content[place..<end].withUnsafeBytes { buffer in
                unsafe XML_Parse(
                    parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count),
                    end == content.endIndex ? 1 : 0)
            }
            guard result == XML_STATUS_OK, !state.isRefused else { return nil }
            place = end
        }
        (values, peopleOfRegions) = (state.values, state.people)
    }

    /// The values of a property.
    func texts(_ name: XMPName) -> [String] {
        (values[name.rawValue] ?? []).compactMap(MetadataText.trimmed)
    }

    /// The first value of a property.
    func text(_ name: XMPName) -> String? { texts(name).first }
}

/// A property: its namespace's address and its name.
enum XMPName: String {
    case description = "http://purl.org/dc/elements/1.1/ description"
    case title = "http://purl.org/dc/elements/1.1/ title"
    case subject = "http://purl.org/dc/elements/1.1/ subject"
    case hierarchicalSubject = "http://ns.adobe.com/lightroom/1.0/ hierarchicalSubject"
    case tagsList = "http://www.digikam.org/ns/1.0/ TagsList"
    case lastKeyword = "http://ns.microsoft.com/photo/1.0/ LastKeywordXMP"
    case lastKeywordOld = "http://ns.microsoft.com/photo/1.0 LastKeywordXMP"
    case rating = "http://ns.adobe.com/xap/1.0/ Rating"
    case dateCreated = "http://ns.adobe.com/photoshop/1.0/ DateCreated"
    case dateTimeOriginal = "http://ns.adobe.com/exif/1.0/ DateTimeOriginal"
    case dateTimeDigitized = "http://ns.adobe.com/exif/1.0/ DateTimeDigitized"
    case createDate = "http://ns.adobe.com/xap/1.0/ CreateDate"
    case latitude = "http://ns.adobe.com/exif/1.0/ GPSLatitude"
    case longitude = "http://ns.adobe.com/exif/1.0/ GPSLongitude"
    case make = "http://ns.adobe.com/tiff/1.0/ Make"
    case model = "http://ns.adobe.com/tiff/1.0/ Model"
    case lensModel = "http://cipa.jp/exif/1.0/ LensModel"
    case lens = "http://ns.adobe.com/exif/1.0/aux/ Lens"
    case fNumber = "http://ns.adobe.com/exif/1.0/ FNumber"
    case exposureTime = "http://ns.adobe.com/exif/1.0/ ExposureTime"
    case iso = "http://ns.adobe.com/exif/1.0/ ISOSpeedRatings"
    case sensitivity = "http://cipa.jp/exif/1.0/ PhotographicSensitivity"
    case focalLength = "http://ns.adobe.com/exif/1.0/ FocalLength"
    case burstID = "http://ns.google.com/photos/1.0/camera/ BurstID"
    case personInImage = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/ PersonInImage"
}

/// The position of the parser, and its results.
private final class XMPState {
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns# "
    private static let language = "http://www.w3.org/XML/1998/namespace lang"
    private static let base64 = "http://www.w3.org/2001/XMLSchema#base64Binary"
    /// The properties that contain lists of regions, of the Metadata Working Group and of Microsoft.
    private static let regions: Set<String> = [
        "http://www.metadataworkinggroup.com/schemas/regions/ Regions", "http://ns.microsoft.com/photo/1.2/ RegionInfo",
    ]
    private static let names: Set<String> = [
        "http://www.metadataworkinggroup.com/schemas/regions/ Name",
        "http://ns.microsoft.com/photo/1.2/t/Region# PersonDisplayName",
    ]
    private static let kind = "http://www.metadataworkinggroup.com/schemas/regions/ Type"

    /// A marked region of the picture.
    private struct Region {
        var depth: Int
        var name: String?
        var kind: String?
    }

    var isRefused = false
    private(set) var values: [String: [String]] = [:]
    /// The maximum number of people, and of values of a property.
    private static let maximumCount = 10_000
    private(set) var people: [String] = []
    private var knownPeople: Set<String> = []
    private var region: Region?
    /// The name of each open element.
    private var elements: [String] = []
    /// Whether the text of the open element is Base64.
    private var isBase64 = false
    /// The depth of the open elements.
    private var depth = 0
    /// The open property and its depth.
    private var property: (name: String, depth: Int)?
    /// The depths of the open descriptions, to tell properties of structures from those of the picture.
    private var descriptions: [Int] = []
    private var isDefault = false
    private var hasItems = false
    private var text: [UInt8] = []

    static func of(_ context: UnsafeMutableRawPointer?) -> XMPState? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<XMPState>.fromOpaque(context).takeUnretainedValue()
    }

    func begin(_ name: String, attributes: [(String, String)]) {
        depth += 1
        guard depth <= 200 else { return isRefused = true }
        elements.append(name)
        text = []
        isBase64 = attributes.contains { $0.1 == Self.base64 }
        if name == Self.rdf + "Description", property == nil {
            descriptions.append(depth)
            for (name, value) in attributes { values[name, default: []].append(value) }
        } else if property == nil, descriptions.last == depth - 1 {
            property = (name, depth)
            hasItems = false
        } else if name == Self.rdf + "li" {
            isDefault = attributes.contains { $0.0 == Self.language && $0.1 == "x-default" }
            if region == nil, let property, Self.regions.contains(property.name) { region = Region(depth: depth) }
        }
        for (name, value) in attributes { describe(name, as: value) }
    }

    /// Notes the name or the kind of the open region.
    private func describe(_ property: String, as value: @autoclosure () -> String) {
        if Self.names.contains(property) { region?.name = MetadataText.trimmed(value()) }
        if property == Self.kind { region?.kind = MetadataText.trimmed(value()) }
    }

    func end() {
        defer {
            depth -= 1
            text = []
        }
        guard let element = elements.popLast() else { return }
        if region != nil { describe(element, as: String(decoding: text, as: UTF8.self)) }
        if let ended = region, ended.depth == depth {
            // The other kinds are pets, marks of focus and bar codes.
            if let name = ended.name, ended.kind ?? "Face" == "Face", people.count < Self.maximumCount,
                knownPeople.insert(name).inserted
            {
                people.append(name)
            }
            region = nil
        }
        if descriptions.last == depth { descriptions.removeLast() }
        guard let open = property else { return }
        if depth == open.depth {
            if !hasItems { add(text, to: open.name) }
            property = nil
        } else if depth == open.depth + 2 {
            hasItems = true
            add(text, to: open.name)
        }
    }

    private func add(_ bytes: [UInt8], to name: String) {
        var value = String(decoding: bytes, as: UTF8.self)
        if isBase64, let data = Data(base64Encoded: value, options: .ignoreUnknownCharacters) {
            value = String(decoding: data, as: UTF8.self)
        }
        defer { isDefault = false }
        guard values[name, default: []].count < Self.maximumCount else { return }
        if isDefault { values[name, default: []].insert(value, at: 0) } else { values[name, default: []].append(value) }
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        guard property != nil else { return }
        unsafe text.append(contentsOf: bytes)
    }
}
