/// The cities of at least 15,000 inhabitants, found by the beginning of a name.
///
/// ```swift
/// let places = PlaceDirectory.shared.places(matching: "zur", limit: 5)
/// // Zürich, Zurndorf …
/// ```
///
/// A search compares each of about 47,000 names, in less than a millisecond.
package struct PlaceDirectory: Sendable {
    /// A name in the directory.
    private struct Entry {
        /// The folded name, as a range of `keys`.
        let key: Range<Int>
        /// The number of its place.
        let place: Int
    }

    /// The places in the order of their names.
    package private(set) var places: [Place] = []
    private var entries: [Entry] = []
    /// The folded names of all entries, one after another.
    private var keys: [UInt8] = []

    /// The greatest number of places that a search returns.
    package static let maximumLimit = 50
    /// The greatest number of characters in a query.
    package static let maximumQueryLength = 100

    /// The places in the binary, read by the first search, in about a tenth of a second.
    package static let shared: PlaceDirectory = {
        guard let directory = PlaceDirectory(Atlas.places) else { preconditionFailure("places.bin is damaged") }
        return directory
    }()

    /// Reads the form that `scripts/make-places` describes.
    ///
    /// - Returns: `nil` if the bytes are not in this form.
    package init?(_ bytes: [UInt8]) {
        var reader = PlaceReader(bytes)
        guard reader.bytes(4).map(Array.init) == Array("PSP1".utf8), let countries = reader.countries(),
            let count = reader.count(ofAtLeast: 3)
        else { return nil }
        var name: [UInt8] = []
        var others: [(key: Range<Int>, place: Int)] = []
        for _ in 0..<count {
            guard let shared = reader.number(), shared <= name.count, let length = reader.number(),
                let rest = reader.bytes(length >> 1)
            else { return nil }
            name = Array(name.prefix(shared)) + rest
            guard let text = String(validating: name, as: UTF8.self) else { return nil }
            let start = keys.count
            keys.append(contentsOf: PlaceName.folded(text))
            if length & 1 == 1 {
                guard let place = reader.number() else { return nil }
                others.append((start..<keys.count, place))
            } else {
                guard let place = reader.place(named: text, of: countries) else { return nil }
                entries.append(Entry(key: start..<keys.count, place: places.count))
                places.append(place)
            }
        }
        guard reader.isAtEnd, others.allSatisfy({ $0.place < places.count }) else { return nil }
        entries += others.map { Entry(key: $0.key, place: $0.place) }
    }

    /// Returns the places with a name that begins with a text, and after them those with a name in which a later word does;
    /// both by the number of inhabitants, the largest first.
    ///
    /// Case, accents and punctuation are ignored.
    ///
    /// - Parameters:
    ///   - query: The text. Nothing matches one without letters and digits.
    ///   - limit: The greatest number of places.
    /// - Returns: The places, each once.
    /// - Complexity: O(n) in the length of all names.
    package func places(matching query: String, limit: Int) -> [Place] {
        let key = PlaceName.folded(query)
        guard !key.isEmpty, limit > 0 else { return [] }
        /// The rank of each found place: 0 if a name begins with the text, otherwise 1.
        var ranks: [Int: Int] = [:]
        for entry in entries {
            guard let rank = rank(of: key, in: entry.key) else { continue }
            ranks[entry.place] = min(rank, ranks[entry.place] ?? rank)
        }
        // In a tie, the first by name.
        let order = ranks.map { (rank: $0.value, size: -places[$0.key].population, place: $0.key) }.sorted { $0 < $1 }
        return order.prefix(limit).map { places[$0.place] }
    }

    /// Returns 0 if a name begins with a key, 1 if one of its later words does, and otherwise `nil`.
    private func rank(of key: [UInt8], in name: Range<Int>) -> Int? {
        guard name.count >= key.count else { return nil }
        for start in name.lowerBound...(name.upperBound - key.count) where keys[start] == key[0] {
            let isFirst = start == name.lowerBound
            guard isFirst || keys[start - 1] == UInt8(ascii: " ") else { continue }
            if key.indices.allSatisfy({ keys[start + $0] == key[$0] }) { return isFirst ? 0 : 1 }
        }
        return nil
    }
}
