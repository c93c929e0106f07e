import CVips

/// The entries of an EXIF block.
struct ExifBlock {
    /// A directory of the block.
    enum Directory: Int32 {
        case picture = 0
        case preview = 1
        case exif = 2
        case gps = 3
    }

    private struct Key: Hashable {
        var directory: Int32
        var tag: Int32
    }

    private struct Entry {
        var format: Int32
        var bytes: [UInt8]
    }

    private var entries: [Key: Entry] = [:]
    private(set) var isBigEndian = false

    /// Reads a block.
    ///
    /// - Returns: `nil` if it is damaged.
    init?(bytes: [UInt8]) {
        var found: [Key: Entry] = [:]
        let result = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe withUnsafeMutablePointer(to: &found) { found in
                unsafe photostream_exif_read(
                    buffer.baseAddress, buffer.count,
                    { context, directory, tag, format, bytes, count in
                        guard let context = unsafe context, count <= 1 << 20 else { return }
                        let entries = unsafe context.assumingMemoryBound(to: [Key: Entry].self)
                        let copy = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
                        let key = Key(directory: directory, tag: tag)
                        if unsafe entries.pointee[key] == nil {
                            unsafe entries.pointee[key] = Entry(format: format, bytes: copy)
                        }
                    }, found)
            }
        }
        guard result >= 0 else { return nil }
        entries = found
        isBigEndian = result == 1
    }

    /// The bytes of an entry.
    func bytes(_ tag: Int32, in directory: Directory) -> [UInt8]? {
        entries[Key(directory: directory.rawValue, tag: tag)]?.bytes
    }

    /// The text of an entry without its terminator: UTF-8 if valid, else Latin-1.
    func text(_ tag: Int32, in directory: Directory) -> String? {
        bytes(tag, in: directory).flatMap { MetadataText.decoded($0) }
    }

    /// The text of a UTF-16 entry that Windows writes.
    func wideText(_ tag: Int32) -> String? {
        guard let bytes = bytes(tag, in: .picture) else { return nil }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        return MetadataText.trimmed(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
    }

    /// The first number of an entry of bytes, shorts or longs.
    func number(_ tag: Int32, in directory: Directory) -> Int? {
        guard let entry = entries[Key(directory: directory.rawValue, tag: tag)] else { return nil }
        let count = [1: 1, 3: 2, 4: 4][entry.format]
        return count.flatMap { entry.bytes.number(at: 0, count: $0, isBigEndian: isBigEndian) }
    }

    /// The unsigned fractions of an entry, up to one with a denominator of zero.
    func fractions(_ tag: Int32, in directory: Directory) -> [Double] {
        guard let entry = entries[Key(directory: directory.rawValue, tag: tag)], entry.format == 5 else { return [] }
        var values: [Double] = []
        for index in stride(from: 0, to: min(entry.bytes.count, 24), by: 8) {
            guard let numerator = entry.bytes.number(at: index, count: 4, isBigEndian: isBigEndian),
                let denominator = entry.bytes.number(at: index + 4, count: 4, isBigEndian: isBigEndian),
                denominator != 0
            else { break }
            values.append(Double(numerator) / Double(denominator))
        }
        return values
    }
}
