import CLibexpat

/// The properties of an XMP packet or sidecar that photos use.
struct XMPPacket {
    /// The values of each property, in order; the key consists of the namespace's address and the name.
    private(set) var values: [String: [String]] = [:]

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
        values = state.values
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
    case latitude = "http://ns.adobe.com/exif/1.0/ GPSLatitude"
    case longitude = "http://ns.adobe.com/exif/1.0/ GPSLongitude"
    case make = "http://ns.adobe.com/tiff/1.0/ Make"
    case model = "http://ns.adobe.com/tiff/1.0/ Model"
}

/// The position of the parser, and its results.
private final class XMPState {
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns# "
    private static let language = "http://www.w3.org/XML/1998/namespace lang"

    var isRefused = false
    private(set) var values: [String: [String]] = [:]
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
        text = []
        if name == Self.rdf + "Description", property == nil {
            descriptions.append(depth)
            for (name, value) in attributes { values[name, default: []].append(value) }
        } else if property == nil, descriptions.last == depth - 1 {
            property = (name, depth)
            hasItems = false
        } else if name == Self.rdf + "li" {
            isDefault = attributes.contains { $0.0 == Self.language && $0.1 == "x-default" }
        }
    }

    func end() {
        defer {
            depth -= 1
            text = []
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
        let value = String(decoding: bytes, as: UTF8.self)
        if isDefault { values[name, default: []].insert(value, at: 0) } else { values[name, default: []].append(value) }
        isDefault = false
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        guard property != nil else { return }
        unsafe text.append(contentsOf: bytes)
    }
}
