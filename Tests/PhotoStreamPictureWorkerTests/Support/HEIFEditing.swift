import Testing

@testable import photostream_pictures

/// Changes of HEIF files to forms that phones write.
struct HEIFEditing {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private func number(at place: Int, count: Int) -> Int {
        bytes.number(at: place, count: count, isBigEndian: true) ?? 0
    }

    private mutating func set(_ value: Int, at place: Int, count: Int) {
        for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index))) }
    }

    private func box(_ kind: StaticString, in range: Range<Int>) throws -> Range<Int> {
        try #require(HEIFBox.children(of: bytes, in: range).first { $0.isKind(kind) }, "\(kind)").content
    }

    private func meta() throws -> Range<Int> {
        let meta = try box("meta", in: 0..<bytes.count)
        return (meta.lowerBound + 4)..<meta.upperBound
    }

    /// The id of the item of a kind.
    private func item(_ kind: StaticString) throws -> Int {
        let list = try box("iinf", in: meta())
        let entries = HEIFBox.children(of: bytes, in: (list.lowerBound + 6)..<list.upperBound)
        let entry = try #require(entries.first { bytes.has(kind, at: $0.content.lowerBound + 8) })
        return number(at: entry.content.lowerBound + 4, count: 2)
    }

    /// Moves the places of all items, and makes one longer.
    private mutating func moveItems(by distance: Int, longer item: Int? = nil, by growth: Int = 0) throws {
        let list = try box("iloc", in: meta())
        let version = number(at: list.lowerBound, count: 1)
        let sizes = number(at: list.lowerBound + 4, count: 2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version > 0 ? sizes & 15 : 0
        var place = list.lowerBound + 6 + 2
        for _ in 0..<number(at: list.lowerBound + 6, count: 2) {
            let id = number(at: place, count: 2)
            let isInFile = version == 0 || number(at: place + 2, count: 2) & 15 == 0
            place += version == 0 ? 2 : 4
            place += 2 + baseSize
            let extents = number(at: place, count: 2)
            place += 2
            for _ in 0..<extents {
                place += indexSize
                if isInFile { set(number(at: place, count: offsetSize) + distance, at: place, count: offsetSize) }
                place += offsetSize
                if id == item { set(number(at: place, count: lengthSize) + growth, at: place, count: lengthSize) }
                place += lengthSize
            }
        }
    }

    /// Makes the alpha picture belong to two items, as the depth and gain pictures of iPhones do since iOS 18.
    mutating func shareAuxiliary() throws {
        let references = try box("iref", in: meta())
        let inside = (references.lowerBound + 4)..<references.upperBound
        let reference = try box("auxl", in: inside)
        for start in [try meta().lowerBound - 12, references.lowerBound - 8, reference.lowerBound - 8] {
            set(number(at: start, count: 4) + 2, at: start, count: 4)
        }
        set(2, at: reference.lowerBound + 2, count: 2)
        bytes.insert(
            contentsOf: bytes[(reference.lowerBound + 4)..<(reference.lowerBound + 6)], at: reference.upperBound)
        try moveItems(by: 2)
    }

    /// Writes a JPEG marker before the EXIF data, as Xiaomi's phones do: the item's own offset leads past it.
    mutating func putMarkerBeforeExif() throws {
        let data = try box("mdat", in: 0..<bytes.count)
        let name: [UInt8] = [0, 0, 0, 6] + Array("Exif".utf8) + [0, 0]
        let place = try #require(data.first { bytes[$0...].starts(with: name) })
        bytes.replaceSubrange(place..<(place + 4), with: [0, 0, 0, 10, 0xFF, 0xE1, 0, 99])
        set(number(at: data.lowerBound - 8, count: 4) + 4, at: data.lowerBound - 8, count: 4)
        try moveItems(by: 0, longer: item("Exif"), by: 4)
    }
}
