import PhotoStreamPictureMessages

/// The displayed size of the primary picture in an ISO base media file (HEIC, AVIF), from its boxes alone.
///
/// libvips does not exchange the sides of rotated pictures, and libheif refuses files with very large pictures or very
/// many parts. A few hundred bytes contain the size of both.
struct HEIFSize {
    /// The maximum size of a `meta` box, in bytes.
    private static let maximumMetaByteCount = 8 << 20

    /// The width after all transformations.
    private(set) var width = 0
    /// The height after all transformations.
    private(set) var height = 0

    /// Reads the size.
    ///
    /// - Returns: `nil` if the boxes are damaged or contain no size.
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func read(_ file: OpenedPicture) throws(PictureFailure) -> HEIFSize? {
        guard let meta = try metaBox(of: file) else { return nil }
        return HEIFSize(meta: meta)
    }

    /// Whether a file may have items with EXIF or XMP.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func hasMetadata(_ file: OpenedPicture) throws(PictureFailure) -> Bool {
        guard let meta = try metaBox(of: file) else { return true }
        return meta.indices.contains { meta.has("Exif", at: $0) || meta.has("mime", at: $0) }
    }

    /// Finds the content of the first `meta` box.
    private static func metaBox(of file: OpenedPicture) throws(PictureFailure) -> [UInt8]? {
        guard let box = try FileBox.first("meta", of: file), box.content.count <= maximumMetaByteCount else {
            return nil
        }
        return try box.bytes(of: file, atMost: maximumMetaByteCount)
    }

    /// Reads the extent of the primary item, then applies its transformations in order.
    ///
    /// The extent describes the picture before all of them. Some writers list it after them, and libheif 1.15, from
    /// which libvips gets the size, then ignores a crop, which this reader does, too.
    private init?(meta: [UInt8]) {
        let boxes = HEIFBox.children(of: meta, in: 4..<max(4, meta.count))
        guard let primary = boxes.first(where: { $0.isKind("pitm") }).flatMap({ Self.item(in: $0, of: meta) }),
            let properties = boxes.first(where: { $0.isKind("iprp") })
        else { return nil }
        let parts = HEIFBox.children(of: meta, in: properties.content)
        guard let container = parts.first(where: { $0.isKind("ipco") }) else { return nil }
        let all = HEIFBox.children(of: meta, in: container.content)
        for table in parts where table.isKind("ipma") {
            guard let indices = Self.properties(of: primary, in: table, of: meta) else { continue }
            // Index 0 means no property.
            let named = indices.filter { $0 > 0 }
            guard named.allSatisfy({ $0 <= all.count }) else { return nil }
            let own = named.map { all[$0 - 1] }
            for property in own where property.isKind("ispe") {
                guard apply(property, of: meta) else { return nil }
            }
            let extent = own.lastIndex { $0.isKind("ispe") } ?? 0
            for (place, property) in own.enumerated() where !property.isKind("ispe") {
                if property.isKind("clap"), place < extent { continue }
                guard apply(property, of: meta) else { return nil }
            }
            break
        }
        guard width > 0, height > 0 else { return nil }
    }

    private static func item(in box: HEIFBox, of bytes: [UInt8]) -> Int? {
        guard let version = bytes.number(at: box.content.lowerBound, count: 1, isBigEndian: true) else { return nil }
        return box.number(at: 4, count: version == 0 ? 2 : 4, of: bytes)
    }

    /// Returns the indices that a table of associations lists for an item; `nil` if it lists none or is damaged.
    private static func properties(of item: Int, in table: HEIFBox, of bytes: [UInt8]) -> [Int]? {
        guard let flags = table.number(at: 0, count: 4, of: bytes), let count = table.number(at: 4, count: 4, of: bytes)
        else { return nil }
        let (itemCount, indexCount) = (flags >> 24 < 1 ? 2 : 4, flags & 1 == 1 ? 2 : 1)
        var place = 8
        for _ in 0..<count {
            guard let found = table.number(at: place, count: itemCount, of: bytes),
                let associations = table.number(at: place + itemCount, count: 1, of: bytes)
            else { return nil }
            place += itemCount + 1
            if found == item {
                var indices: [Int] = []
                for number in 0..<associations {
                    guard let value = table.number(at: place + number * indexCount, count: indexCount, of: bytes)
                    else { return nil }
                    // The highest bit marks a property that readers must know.
                    indices.append(value & (indexCount == 2 ? 0x7FFF : 0x7F))
                }
                return indices
            }
            place += associations * indexCount
        }
        return nil
    }

    /// Applies one property.
    ///
    /// - Returns: Whether the property is valid.
    private mutating func apply(_ property: HEIFBox, of bytes: [UInt8]) -> Bool {
        if property.isKind("ispe") {
            guard let newWidth = property.number(at: 4, count: 4, of: bytes),
                let newHeight = property.number(at: 8, count: 4, of: bytes)
            else { return false }
            (width, height) = (newWidth, newHeight)
        } else if property.isKind("clap") {
            guard let newWidth = Self.rounded(property, at: 0, of: bytes),
                let newHeight = Self.rounded(property, at: 8, of: bytes)
            else { return false }
            (width, height) = (min(newWidth, width), min(newHeight, height))
        } else if property.isKind("irot") {
            guard let turns = property.number(at: 0, count: 1, of: bytes) else { return false }
            if turns & 1 == 1 { (width, height) = (height, width) }
        }
        return true
    }

    /// Reads a fraction and rounds it to a number of pixels.
    private static func rounded(_ box: HEIFBox, at offset: Int, of bytes: [UInt8]) -> Int? {
        guard let numerator = box.number(at: offset, count: 4, of: bytes),
            let denominator = box.number(at: offset + 4, count: 4, of: bytes), denominator > 0
        else { return nil }
        let value = (numerator + denominator / 2) / denominator
        return value > 0 ? value : nil
    }
}
