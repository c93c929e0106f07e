import PhotoStreamPictureMessages

/// The picture's data in an ISO base media file of pictures (HEIC, AVIF): its items but those of metadata, with their
/// data, properties and references.
///
/// Programs that write metadata move the data and renew the tables, so items are known by their ids.
struct HEIFContent {
    /// The maximum length of a `meta` box.
    private static let maximumMetaByteCount = 8 << 20

    /// A piece of an item's data.
    private struct Extent {
        /// Whether it lies in the `meta` box rather than in the file.
        let isInMeta: Bool
        let range: Range<Int64>
    }

    private let meta: [UInt8]
    private let boxes: [HEIFBox]

    /// Returns the parts; `nil` if the tables are damaged, or the file also has a film.
    ///
    /// Source: ISO/IEC 14496-12, section 8.11, and ISO/IEC 23008-12, section 9.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func parts(of bytes: PictureBytes) throws(PictureFailure) -> ContentParts? {
        guard let boxes = try FileBox.all(of: bytes), !boxes.contains(where: { $0.isKind("moov") }),
            let box = boxes.first(where: { $0.isKind("meta") }), box.content.count <= maximumMetaByteCount
        else { return nil }
        let meta = try bytes.read(at: box.content.lowerBound, count: box.content.count)
        guard meta.count == box.content.count else { throw OpenedPicture.changed }
        return HEIFContent(meta).parts(byteCount: bytes.byteCount)
    }

    private init(_ meta: [UInt8]) {
        self.meta = meta
        boxes = HEIFBox.children(of: meta, in: 4..<max(4, meta.count))
    }

    private func box(_ name: StaticString) -> HEIFBox? { boxes.first { $0.isKind(name) } }

    private func parts(byteCount: Int64) -> ContentParts? {
        guard let primary = box("pitm"), let kinds = kinds(), let extents = extents(), let properties = box("iprp"),
            let associations = associations(in: properties)
        else { return nil }
        var parts = ContentParts("heif")
        parts.add(Array(meta[primary.content]))
        for box in HEIFBox.children(of: meta, in: properties.content) where box.isKind("ipco") {
            parts.add(Array(meta[box.content]))
        }
        let references = references(among: Set(kinds.keys))
        guard let references else { return nil }
        var dataCount: Int64 = 0
        for (id, kind) in kinds.sorted(by: { $0.key < $1.key }) {
            parts.add(id)
            parts.add(kind)
            parts.add(associations[id] ?? [])
            parts.add(references[id] ?? [])
            for extent in extents[id] ?? [] {
                // Items may share their data, but a picture has no reason to.
                dataCount += Int64(extent.range.count)
                guard dataCount <= byteCount, !parts.isFull else { return nil }
                guard extent.range.upperBound <= (extent.isInMeta ? Int64(meta.count) : byteCount) else { return nil }
                if extent.isInMeta {
                    parts.add(Array(meta[Int(extent.range.lowerBound)..<Int(extent.range.upperBound)]))
                } else {
                    parts.add(extent.range)
                }
            }
        }
        return parts.isFull ? nil : parts
    }

    /// Returns the kinds of the items but those of metadata, by their ids.
    private func kinds() -> [Int: [UInt8]]? {
        guard let table = box("iinf"), let version = table.number(at: 0, count: 1, of: meta) else { return nil }
        let start = table.content.lowerBound + (version == 0 ? 6 : 8)
        guard start <= table.content.upperBound else { return nil }
        var kinds: [Int: [UInt8]] = [:]
        for entry in HEIFBox.children(of: meta, in: start..<table.content.upperBound) where entry.isKind("infe") {
            guard let version = entry.number(at: 0, count: 1, of: meta), version == 2 || version == 3 else {
                return nil
            }
            let idCount = version == 2 ? 2 : 4
            guard let id = entry.number(at: 4, count: idCount, of: meta), entry.content.count >= 10 + idCount else {
                return nil
            }
            let place = entry.content.lowerBound + 6 + idCount
            let kind = Array(meta[place..<(place + 4)])
            if ["Exif", "mime", "uri "].contains(where: { kind.has($0, at: 0) }) { continue }
            guard kinds.updateValue(kind, forKey: id) == nil else { return nil }
        }
        return kinds.isEmpty ? nil : kinds
    }

    /// Returns the places of the items' data, by their ids.
    private func extents() -> [Int: [Extent]]? {
        guard let table = box("iloc") else { return nil }
        var cursor = BoxCursor(meta, in: table.content)
        guard let version = cursor.number(1), version <= 2, cursor.number(3) != nil, let sizes = cursor.number(2)
        else { return nil }
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        guard let count = cursor.number(version < 2 ? 2 : 4) else { return nil }
        let data = box("idat")?.content.lowerBound
        var all: [Int: [Extent]] = [:]
        for _ in 0..<count {
            guard let id = cursor.number(version < 2 ? 2 : 4), let method = version == 0 ? 0 : cursor.number(2),
                cursor.number(2) == 0, let base = cursor.number(baseSize), let extentCount = cursor.number(2),
                method & 15 <= 1
            else { return nil }
            let isInMeta = method & 15 == 1
            for _ in 0..<extentCount {
                guard cursor.number(indexSize) != nil, let offset = cursor.number(offsetSize),
                    let length = cursor.number(lengthSize), length > 0,
                    let origin = isInMeta ? data : 0
                else { return nil }
                let start = Int64(origin) + Int64(base) + Int64(offset)
                all[id, default: []].append(Extent(isInMeta: isInMeta, range: start..<(start + Int64(length))))
            }
        }
        return all
    }

    /// Returns the numbers of each item's properties, as bytes.
    private func associations(in properties: HEIFBox) -> [Int: [UInt8]]? {
        var all: [Int: [UInt8]] = [:]
        for table in HEIFBox.children(of: meta, in: properties.content) where table.isKind("ipma") {
            var cursor = BoxCursor(meta, in: table.content)
            guard let flags = cursor.number(4), let count = cursor.number(4) else { return nil }
            for _ in 0..<count {
                guard let id = cursor.number(flags >> 24 < 1 ? 2 : 4), let number = cursor.number(1) else { return nil }
                for _ in 0..<number {
                    guard let index = cursor.number(flags & 1 == 1 ? 2 : 1) else { return nil }
                    // The highest bit marks a property that readers must know.
                    let value = flags & 1 == 1 ? index : (index & 0x80) << 8 | index & 0x7F
                    all[id, default: []] += [UInt8(value >> 8), UInt8(value & 0xFF)]
                }
            }
        }
        return all
    }

    /// Returns the references of some items, as bytes.
    private func references(among items: Set<Int>) -> [Int: [UInt8]]? {
        guard let table = box("iref") else { return [:] }
        guard let version = table.number(at: 0, count: 1, of: meta), table.content.count >= 4 else { return nil }
        var all: [Int: [UInt8]] = [:]
        let list = (table.content.lowerBound + 4)..<table.content.upperBound
        for reference in HEIFBox.children(of: meta, in: list) {
            guard let id = reference.number(at: 0, count: version == 0 ? 2 : 4, of: meta) else { return nil }
            if items.contains(id) { all[id, default: []] += reference.kind + meta[reference.content] }
        }
        return all
    }
}

/// Reads the numbers of a box one after the other.
private struct BoxCursor {
    private let bytes: [UInt8]
    private var place: Int
    private let end: Int

    init(_ bytes: [UInt8], in range: Range<Int>) {
        (self.bytes, place, end) = (bytes, range.lowerBound, range.upperBound)
    }

    /// Reads an unsigned number of up to 8 bytes, under 2^48; `nil` beyond the end.
    mutating func number(_ count: Int) -> Int? {
        guard count <= 8, place <= end - count else { return nil }
        var value = 0
        for byte in bytes[place..<(place + count)] {
            guard value < 1 << 40 else { return nil }
            value = value << 8 | Int(byte)
        }
        place += count
        return value
    }
}
