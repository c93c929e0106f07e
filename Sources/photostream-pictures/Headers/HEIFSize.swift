import PhotoStreamPictureMessages

/// The displayed size of the primary picture in an ISO base media file (HEIC, AVIF), from its boxes alone.
///
/// libvips does not exchange the sides of rotated pictures, and libheif refuses files with very large pictures or very
/// many parts. A few hundred bytes contain the size of both.
struct HEIFSize {
    /// The maximum size of a `meta` box, in bytes.
    private static let maximumMetaByteCount = 8 << 20
    /// The maximum number of boxes before the `meta` box.
    private static let maximumSkippedBoxCount = 64

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

    /// Finds the content of the first `meta` box.
    private static func metaBox(of file: OpenedPicture) throws(PictureFailure) -> [UInt8]? {
        var place: Int64 = 0
        for _ in 0..<maximumSkippedBoxCount {
            let head = try file.read(at: place, count: 16)
            guard let short = head.number(at: 0, count: 4, isBigEndian: true), head.count >= 8 else { return nil }
            var (headCount, count) = (Int64(8), Int64(short))
            if short == 1 {
                guard let high = head.number(at: 8, count: 4, isBigEndian: true), high < 1 << 24,
                    let low = head.number(at: 12, count: 4, isBigEndian: true)
                else { return nil }
                (headCount, count) = (16, Int64(high) << 32 | Int64(low))
            } else if short == 0 {
                count = file.byteCount - place
            }
            guard count >= headCount, count <= file.byteCount - place else { return nil }
            if head.has("meta", at: 4) {
                guard count - headCount <= maximumMetaByteCount else { return nil }
                return try file.read(at: place + headCount, count: Int(count - headCount))
            }
            place += count
        }
        return nil
    }

    /// Reads the extent of the primary item, then applies its transformations in order.
    ///
    /// The extent describes the picture before all of them. Some writers list it after them, and libheif 1.15, from
    /// which libvips gets the size, then ignores a crop, which this reader does, too.
    private init?(meta: [UInt8]) {
        let boxes = Box.children(of: meta, in: 4..<max(4, meta.count))
        guard let primary = boxes.first(where: { $0.isKind("pitm") }).flatMap({ Self.item(in: $0, of: meta) }),
            let properties = boxes.first(where: { $0.isKind("iprp") })
        else { return nil }
        let parts = Box.children(of: meta, in: properties.content)
        guard let container = parts.first(where: { $0.isKind("ipco") }) else { return nil }
        let all = Box.children(of: meta, in: container.content)
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

    private static func item(in box: Box, of bytes: [UInt8]) -> Int? {
        guard let version = bytes.number(at: box.content.lowerBound, count: 1, isBigEndian: true) else { return nil }
        return box.number(at: 4, count: version == 0 ? 2 : 4, of: bytes)
    }

    /// Returns the indices that a table of associations lists for an item; `nil` if it lists none or is damaged.
    private static func properties(of item: Int, in table: Box, of bytes: [UInt8]) -> [Int]? {
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
    private mutating func apply(_ property: Box, of bytes: [UInt8]) -> Bool {
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
    private static func rounded(_ box: Box, at offset: Int, of bytes: [UInt8]) -> Int? {
        guard let numerator = box.number(at: offset, count: 4, of: bytes),
            let denominator = box.number(at: offset + 4, count: 4, of: bytes), denominator > 0
        else { return nil }
        let value = (numerator + denominator / 2) / denominator
        return value > 0 ? value : nil
    }
}

/// A box of an ISO base media file.
private struct Box {
    /// The maximum number of boxes in one box.
    private static let maximumCount = 65_536

    let kind: [UInt8]
    /// The range of the content in the bytes.
    let content: Range<Int>

    func isKind(_ name: StaticString) -> Bool { kind.has(name, at: 0) }

    /// Reads an unsigned number at an offset of the content.
    func number(at offset: Int, count: Int, of bytes: [UInt8]) -> Int? {
        guard offset <= content.count - count else { return nil }
        return bytes.number(at: content.lowerBound + offset, count: count, isBigEndian: true)
    }

    /// Lists the boxes in a range; stops at the first damaged one.
    static func children(of bytes: [UInt8], in range: Range<Int>) -> [Box] {
        var (boxes, place) = ([Box](), range.lowerBound)
        while boxes.count < maximumCount, range.upperBound - place >= 8,
            let short = bytes.number(at: place, count: 4, isBigEndian: true)
        {
            // Boxes of more than 4 GiB exceed the maximum size.
            let count = short == 0 ? range.upperBound - place : short
            guard count >= 8, count <= range.upperBound - place else { break }
            boxes.append(Box(kind: Array(bytes[(place + 4)..<(place + 8)]), content: (place + 8)..<(place + count)))
            place += count
        }
        return boxes
    }
}
