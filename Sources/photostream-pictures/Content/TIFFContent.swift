import PhotoStreamPictureMessages

/// The picture's data in a TIFF file, and in raw files that are made like one: the strips or tiles of each picture in
/// full size, with the tags that a decoder needs for them.
///
/// Programs that write metadata move everything, so no offset counts, and previews, which some of them renew, do not
/// count, either.
struct TIFFContent {
    /// The maximum number of directories.
    private static let maximumDirectoryCount = 256
    /// The maximum number of strips or tiles.
    private static let maximumStripCount = 100_000
    /// The maximum length of a value in bytes.
    private static let maximumValueByteCount: Int64 = 16 << 20
    /// The tags that change pixels: sizes, compression, colours, transparency, tables and the profile.
    private static let kept: Set<Int> = [
        0x100, 0x101, 0x102, 0x103, 0x106, 0x10A, 0x115, 0x116, 0x11C, 0x124, 0x125, 0x12D, 0x13D, 0x13E, 0x13F, 0x140,
        0x142, 0x143, 0x14C, 0x14D, 0x152, 0x153, 0x154, 0x155, 0x15B, 0x211, 0x212, 0x213, 0x214, 0x8773,
    ]
    /// The lengths of the types of values.
    private static let typeByteCounts = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]

    private let bytes: PictureBytes
    private let isBigEndian: Bool
    /// Whether offsets have eight bytes.
    private let isLarge: Bool
    private var parts = ContentParts("tiff")
    private var directories: Set<Int64> = []
    private var hasPixels = false
    /// The number of bytes in the parts so far.
    private var dataCount: Int64 = 0

    /// Returns the parts; `nil` if the structure is not certain.
    ///
    /// Source: TIFF 6.0, sections 2, 7, 8 and 15; the tags of TIFF/EP and BigTIFF.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    static func parts(of bytes: PictureBytes) throws(PictureFailure) -> ContentParts? {
        let head = try bytes.read(at: 0, count: 16)
        let isBigEndian = head.has("MM", at: 0)
        guard isBigEndian || head.has("II", at: 0),
            // Those of TIFF, BigTIFF, and Olympus.
            let version = head.number(at: 2, count: 2, isBigEndian: isBigEndian),
            [42, 43, 0x4F52, 0x5352].contains(version)
        else { return nil }
        var content = TIFFContent(bytes, isBigEndian: isBigEndian, isLarge: version == 43)
        guard let first = content.offset(in: head, at: version == 43 ? 8 : 4),
            try content.addDirectories(at: first, depth: 0), content.hasPixels, !content.parts.isFull
        else { return nil }
        return content.parts
    }

    private init(_ bytes: PictureBytes, isBigEndian: Bool, isLarge: Bool) {
        (self.bytes, self.isBigEndian, self.isLarge) = (bytes, isBigEndian, isLarge)
    }

    /// An entry of a directory.
    private struct Entry {
        let type: Int
        let count: Int
        /// The bytes of its value in the file.
        let value: Range<Int64>
    }

    /// Reads a number of four bytes, or of eight in a large file, under 2^48.
    private func offset(in bytes: [UInt8], at index: Int) -> Int64? {
        let count = isLarge ? 8 : 4
        guard index >= 0, index <= bytes.count - count else { return nil }
        let own = bytes[index..<(index + count)]
        let value = (isBigEndian ? Array(own) : own.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value < 1 << 48 ? Int64(value) : nil
    }

    /// Adds the directories of a chain, and those beneath them.
    ///
    /// - Returns: Whether their structure is certain.
    private mutating func addDirectories(at first: Int64, depth: Int) throws(PictureFailure) -> Bool {
        var next = first
        while next != 0 {
            guard depth <= 2, next < bytes.byteCount, directories.count < Self.maximumDirectoryCount,
                directories.insert(next).inserted,
                let (entries, following) = try readDirectory(at: next), try add(entries)
            else { return false }
            if let below = entries[0x14A] {
                guard let offsets = try numbers(of: below) else { return false }
                for offset in offsets {
                    guard try addDirectories(at: offset, depth: depth + 1) else { return false }
                }
            }
            next = following
        }
        return true
    }

    private func readDirectory(at place: Int64) throws(PictureFailure) -> (entries: [Int: Entry], next: Int64)? {
        let (countSize, entrySize) = isLarge ? (8, 20) : (2, 12)
        let head = try bytes.read(at: place, count: countSize)
        guard head.count == countSize,
            let count = isLarge
                ? offset(in: head, at: 0).map(Int.init) : head.number(at: 0, count: 2, isBigEndian: isBigEndian),
            count <= 65_535
        else { return nil }
        let start = place + Int64(countSize)
        let table = try bytes.read(at: start, count: count * entrySize + (isLarge ? 8 : 4))
        guard let next = offset(in: table, at: count * entrySize) else { return nil }
        var entries: [Int: Entry] = [:]
        for number in 0..<count {
            let index = number * entrySize
            guard let tag = table.number(at: index, count: 2, isBigEndian: isBigEndian),
                let type = table.number(at: index + 2, count: 2, isBigEndian: isBigEndian),
                let valueCount = offset(in: table, at: index + 4)
            else { return nil }
            // Tags of unknown types are not among those that count.
            guard Self.typeByteCounts.indices.contains(type), Self.typeByteCounts[type] > 0 else { continue }
            let (inlineSize, inlineIndex) = isLarge ? (Int64(8), index + 12) : (4, index + 8)
            let (length, isTooLong) = valueCount.multipliedReportingOverflow(by: Int64(Self.typeByteCounts[type]))
            guard !isTooLong else { return nil }
            guard
                let valuePlace = length <= inlineSize ? start + Int64(inlineIndex) : offset(in: table, at: inlineIndex)
            else { continue }
            entries[tag] = Entry(type: type, count: Int(valueCount), value: valuePlace..<(valuePlace + length))
        }
        return (entries, next)
    }

    /// Adds the picture of a directory; nothing if it is a preview, or has no pixels of its own.
    private mutating func add(_ entries: [Int: Entry]) throws(PictureFailure) -> Bool {
        if let kind = entries[0xFE] {
            guard let number = try numbers(of: kind)?.first else { return false }
            guard number & 1 == 0 else { return true }
        }
        guard let offsets = entries[0x111] ?? entries[0x144], let counts = entries[0x117] ?? entries[0x145] else {
            // A preview of its own kind (0x201), or none.
            return entries[0x111] == nil && entries[0x144] == nil
        }
        guard let places = try numbers(of: offsets), let lengths = try numbers(of: counts),
            places.count == lengths.count, !places.isEmpty
        else { return false }
        // The first compression as JPEG has its tables anywhere in the file.
        if let compression = entries[0x103], try numbers(of: compression) == [6], entries[0x201] != nil {
            return false
        }
        for tag in Self.kept.sorted() {
            guard let entry = entries[tag] else { continue }
            guard Int64(entry.value.count) <= Self.maximumValueByteCount, entry.value.upperBound <= bytes.byteCount
            else { return false }
            dataCount += Int64(entry.value.count)
            parts.add(tag, entry.type, entry.count)
            parts.add(entry.value)
        }
        for (place, length) in zip(places, lengths) {
            guard place >= 0, length >= 0, length <= bytes.byteCount - place else { return false }
            // Strips and values may share bytes, but a picture has no reason to.
            dataCount += length
            guard dataCount <= bytes.byteCount else { return false }
            parts.add(place..<(place + length))
        }
        hasPixels = true
        return !parts.isFull
    }

    /// Reads the whole numbers of an entry; `nil` if they are of another type, too many, or beyond the end.
    private func numbers(of entry: Entry) throws(PictureFailure) -> [Int64]? {
        let size = Self.typeByteCounts[entry.type]
        guard [1, 3, 4, 13, 16, 18].contains(entry.type), entry.count <= Self.maximumStripCount else { return nil }
        let value = try bytes.read(at: entry.value.lowerBound, count: entry.value.count)
        guard value.count == entry.value.count else { return nil }
        return (0..<entry.count).map { number in
            let own = value[(number * size)..<((number + 1) * size)]
            let read = (isBigEndian ? Array(own) : own.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Int64(clamping: read)
        }
    }
}
