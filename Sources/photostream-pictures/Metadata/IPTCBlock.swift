/// The datasets of record 2 in an IPTC-IIM block.
struct IPTCBlock {
    /// A dataset of record 2.
    struct Dataset {
        /// The notation of a dataset.
        enum Notation {
            case text
            /// Eight digits.
            case date
            /// Six digits, and an offset.
            case time
        }

        fileprivate var number: UInt8
        fileprivate var notation: Notation

        init(_ number: UInt8, notation: Notation = .text) { (self.number, self.notation) = (number, notation) }
    }

    private var values: [UInt8: [[UInt8]]] = [:]
    private var isUTF8 = false

    /// Reads a block, bare or in a Photoshop resource; stops at the first error.
    init(bytes: [UInt8]) {
        let bytes = Self.resource(of: bytes)
        var place = 0
        while place + 5 <= bytes.count, bytes[place] == 0x1C {
            let (record, dataset) = (bytes[place + 1], bytes[place + 2])
            guard let count = bytes.number(at: place + 3, count: 2, isBigEndian: true), count < 0x8000 else { return }
            place += 5
            guard count <= bytes.count - place else { return }
            let value = Array(bytes[place..<(place + count)])
            if record == 1, dataset == 90 { isUTF8 = value.starts(with: [0x1B, 0x25, 0x47]) }
            if record == 2 { values[dataset, default: []].append(value) }
            place += count
        }
    }

    /// The values of all tags that are in the block.
    var tags: MetadataTags {
        var tags = MetadataTags()
        for tag in MetadataTag.allCases {
            guard let dataset = tag.dataset else { continue }
            let found = texts(dataset.number)
            let texts =
                switch dataset.notation {
                case .text: found
                case .date: found.compactMap { $0.utf8.count == 8 ? Self.separated($0, after: [4, 6]) : nil }
                case .time: found.compactMap { Self.separated($0, after: [2, 4]) }
                }
            if !texts.isEmpty { tags[tag] = texts }
        }
        return tags
    }

    private func texts(_ dataset: UInt8) -> [String] {
        (values[dataset] ?? []).compactMap { bytes in
            // Many programs write UTF-8 without declaring it.
            if isUTF8 { return MetadataText.trimmed(String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)) }
            return MetadataText.decoded(bytes)
        }
    }

    /// Inserts colons into the digits at the start of a text; `nil` if there are fewer than six.
    private static func separated(_ text: String, after places: Set<Int>) -> String? {
        guard text.utf8.count >= 6, text.utf8.prefix(6).allSatisfy({ 48...57 ~= $0 }) else { return nil }
        var separated = ""
        for (place, character) in text.enumerated() {
            if places.contains(place) { separated += ":" }
            separated.append(character)
        }
        return separated
    }

    /// The resource 0x0404 in `Photoshop 3.0` data; the bytes themselves if they are bare.
    private static func resource(of bytes: [UInt8]) -> [UInt8] {
        var place = bytes.has("Photoshop 3.0", at: 0) ? 14 : 0
        guard bytes.has("8BIM", at: place) else { return bytes }
        while bytes.has("8BIM", at: place), let kind = bytes.number(at: place + 4, count: 2, isBigEndian: true),
            let nameLength = bytes.number(at: place + 6, count: 1, isBigEndian: true)
        {
            let header = place + 6 + (nameLength + 2) / 2 * 2
            guard let count = bytes.number(at: header, count: 4, isBigEndian: true) else { return [] }
            let start = header + 4
            guard count <= bytes.count - start else { return [] }
            if kind == 0x0404 { return Array(bytes[start..<(start + count)]) }
            place = start + (count + 1) / 2 * 2
        }
        return []
    }
}
