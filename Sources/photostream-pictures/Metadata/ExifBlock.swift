import CVips
import Glibc

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

    /// The notation of an entry.
    enum Notation {
        /// Text: UTF-8 if valid, else Windows' Latin.
        case text
        /// UTF-16 that Windows writes as bytes.
        case wideText
        /// Text with its encoding in front.
        case comment
        /// A whole number.
        case number
        /// A fraction.
        case fraction
        /// A fraction of APEX: the logarithm of an aperture.
        case apertureLogarithm
        /// A fraction of APEX: the logarithm of an exposure time.
        case timeLogarithm
        /// Degrees, minutes and seconds.
        case degrees
        /// Hours, minutes and seconds.
        case clock
        /// The text of a tag in the note of an Apple camera.
        case appleText(Int)
    }

    private var entries: [Key: Entry] = [:]
    private(set) var isBigEndian = false
    /// Whether a part of the block, or the value of a tag, is not as the specification describes it, so that another
    /// reader may know more.
    private(set) var isStrange = false

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
        (isBigEndian, isStrange) = (result & 1 == 1, result & 2 == 2)
    }

    /// The values of all tags that are in the block.
    mutating func tags() -> MetadataTags {
        var tags = MetadataTags()
        for tag in MetadataTag.allCases {
            guard let place = tag.exifPlace,
                let entry = entries[Key(directory: place.directory.rawValue, tag: place.tag)]
            else { continue }
            guard place.notation.accepts(entry.format) else {
                isStrange = true
                continue
            }
            if let text = text(of: entry, notation: place.notation) { tags[tag] = [text] }
        }
        return tags
    }

    private mutating func text(of entry: Entry, notation: Notation) -> String? {
        switch notation {
        case .text: MetadataText.decoded(entry.bytes)
        case .wideText: wideText(entry.bytes[...], isBigEndian: false)
        case .comment: comment(entry.bytes)
        case .number: number(entry).map { "\($0)" }
        case .fraction: fractions(entry).first.map { "\($0)" }
        case .apertureLogarithm: fractions(entry).first.map { "\(Self.power(of: $0 / 2))" }
        case .timeLogarithm: fractions(entry).first.map { "\(Self.power(of: -$0))" }
        case .degrees: degrees(fractions(entry)).map { "\($0)" }
        case .clock: clock(fractions(entry))
        case .appleText(let tag): AppleNote.text(tag, in: entry.bytes)
        }
    }

    private func wideText(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String? {
        let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
        let units = pairs.map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return MetadataText.trimmed(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
    }

    private mutating func comment(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 8 else { return nil }
        if bytes.has("UNICODE", at: 0) { return wideText(bytes[8...], isBigEndian: isBigEndian) }
        if bytes.has("ASCII", at: 0) || bytes.prefix(8).allSatisfy({ $0 == 0 }) {
            return MetadataText.decoded(bytes[8...])
        }
        isStrange = bytes.contains { $0 != 0 && $0 != 0x20 && $0 != 0xFF }
        return nil
    }

    private static func power(of exponent: Double) -> Double { pow(2, exponent) }

    private func degrees(_ parts: [Double]) -> Double? {
        guard let whole = parts.first else { return nil }
        return whole + (parts.count > 1 ? parts[1] / 60 : 0) + (parts.count > 2 ? parts[2] / 3_600 : 0)
    }

    private func clock(_ parts: [Double]) -> String? {
        guard parts.count == 3, 0..<24 ~= parts[0], 0..<60 ~= parts[1], 0..<61 ~= parts[2] else { return nil }
        let milliseconds = Int((parts[2] * 1_000).rounded())
        let (second, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let fraction = rest == 0 ? "" : "." + "\(rest + 1_000)".dropFirst()
        return [Int(parts[0]), Int(parts[1]), second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
            + fraction
    }

    /// The bytes of an entry.
    func bytes(_ tag: Int32, in directory: Directory) -> [UInt8]? {
        entries[Key(directory: directory.rawValue, tag: tag)]?.bytes
    }

    /// The first number of an entry of bytes, shorts or longs.
    func number(_ tag: Int32, in directory: Directory) -> Int? {
        entries[Key(directory: directory.rawValue, tag: tag)].flatMap(number)
    }

    private func number(_ entry: Entry) -> Int? {
        let count = [1: 1, 3: 2, 4: 4][entry.format]
        return count.flatMap { entry.bytes.number(at: 0, count: $0, isBigEndian: isBigEndian) }
    }

    /// The first three fractions of an entry, up to one with a denominator of zero.
    private func fractions(_ entry: Entry) -> [Double] {
        var values: [Double] = []
        for index in stride(from: 0, to: min(entry.bytes.count, 24), by: 8) {
            guard let numerator = entry.bytes.number(at: index, count: 4, isBigEndian: isBigEndian),
                let denominator = entry.bytes.number(at: index + 4, count: 4, isBigEndian: isBigEndian),
                denominator != 0
            else { break }
            let isSigned = entry.format == 10
            values.append(
                isSigned
                    ? Double(Int32(truncatingIfNeeded: numerator)) / Double(Int32(truncatingIfNeeded: denominator))
                    : Double(numerator) / Double(denominator))
        }
        return values
    }
}

extension ExifBlock.Notation {
    /// Whether values of a format of EXIF have this notation.
    fileprivate func accepts(_ format: Int32) -> Bool {
        switch self {
        case .text: format == 2
        case .wideText: format == 1
        case .comment: format == 2 || format == 7
        case .number: format == 1 || format == 3 || format == 4
        // Fractions are signed in APEX; some phones write positions so.
        case .fraction, .apertureLogarithm, .timeLogarithm, .degrees, .clock: format == 5 || format == 10
        // The notes of other makers may have any.
        case .appleText: true
        }
    }
}
