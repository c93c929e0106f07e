/// The properties of the photos of a chunk that conditions read, packed by chunk: about twelve bytes a photo.
///
///     let attributes = ChunkAttributes(photos)
///     let verdict = attributes.verdict(of: term, knowing: answers) { metrics }  // of `rating:>=4`
///
/// They decide the qualifiers of ``decides(_:)`` without a row, as ``ConditionTerm/matches(_:)`` does: each distinct value
/// of a chunk is compared once. They stay as they are stored, and a question decodes only the columns that it reads.
package struct ChunkAttributes: Hashable, Sendable {
    /// The number of bytes of a chunk's distinct texts of a kind above which they are left out, so that terms about them
    /// are open.
    static let maximumTextByteCount = 1 << 17
    /// The version of the stored form.
    ///
    /// A change of the values that it contains raises it too: of the kinds of files, the names of screenshots, the division of
    /// a path or the days of a time.
    package static let version: UInt8 = 2

    /// The columns, in the order in which they are stored.
    enum Column: Int, CaseIterable {
        case cameras, lenses, folders, tags, albums, ratings, days, fields, traits
    }

    /// The number of photos.
    package let count: Int
    /// The stored form.
    ///
    /// The version (1 byte), the number of photos (2 bytes), the length of each column (4 bytes each), and the columns. Texts
    /// that were left out are a column without bytes.
    package let encoded: [UInt8]
    /// The bytes of each column.
    private let columns: [Range<Int>]

    /// Packs the properties of the photos of a chunk.
    ///
    /// - Parameter photos: The photos, in the order of the chunk, 65,536 at most.
    /// - Complexity: O(photos and their texts).
    package init(_ photos: [Photo]) {
        let files = photos.map(\.file)
        self.init(
            count: photos.count,
            Columns(
                cameras: TextAttributes(photos.map { $0.camera }), lenses: TextAttributes(photos.map { $0.lens }),
                folders: TextAttributes(files.map(\.folder)),
                tags: ListAttributes(photos.map { $0.tags }, folding: FoldedText.folded),
                albums: ListAttributes(photos.map { $0.albums }, folding: FoldedText.joinedPath),
                ratings: AttributeColumn(photos.map { Int32(clamping: $0.rating ?? 0) }),
                days: AttributeColumn(
                    photos.map { photo in
                        photo.takenAt.map(CivilDate.days).map { Int32($0.lowerBound)...Int32($0.upperBound) }
                    }),
                fields: AttributeColumn(photos.map(\.valuedFields)),
                traits: AttributeColumn(zip(photos, files).map { AttributeTraits($0, file: $1) })))
    }

    /// Packs the properties of photos that are partly packed already; fails if some of their texts were left out.
    ///
    /// - Parameters:
    ///   - former: Packed photos.
    ///   - positions: The place of each photo in `former`; `nil` for the others.
    ///   - others: The others, in the same order.
    /// - Complexity: O(photos).
    package init?(_ former: ChunkAttributes, at positions: [Int?], others: [Photo]) {
        guard let former = Columns(former), let others = Columns(ChunkAttributes(others)),
            let columns = Columns(former, at: positions, others: others)
        else { return nil }
        self.init(count: positions.count, columns)
    }

    private init(count: Int, _ columns: Columns) {
        let parts = Column.allCases.map { columns.encoded($0) }
        var bytes = [Self.version]
        bytes.append(littleEndian: UInt16(count))
        for part in parts { bytes.append(littleEndian: UInt32(part.count)) }
        for part in parts { bytes += part }
        (self.count, encoded) = (count, bytes)
        self.columns = Self.ranges(parts.map(\.count))
    }

    /// Reads the stored form; fails if the bytes are not the attributes of that many photos in this version.
    ///
    /// A column that is damaged is noticed when it is read to its end: terms about it are open.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, which may be damaged.
    ///   - count: The number of photos of the chunk.
    package init?(decoding bytes: [UInt8], count: Int) {
        var rest = AttributeBytes(bytes, in: bytes.indices)
        guard let version = try? rest.number(UInt8.self), version == Self.version,
            let stored = try? rest.number(UInt16.self), stored == count,
            let lengths = try? rest.numbers(UInt32.self, count: Column.allCases.count),
            lengths.reduce(0, { $0 + Int($1) }) == rest.leftCount
        else { return nil }
        (self.count, encoded) = (count, bytes)
        columns = Self.ranges(lengths.map { Int($0) })
    }

    private static func ranges(_ lengths: [Int]) -> [Range<Int>] {
        var end = 3 + 4 * Column.allCases.count
        return lengths.map { length in
            defer { end += length }
            return end..<end + length
        }
    }

    /// Decodes a column.
    ///
    /// - Returns: `nil` for texts that were left out and for damaged bytes.
    private func decoded<Value>(
        _ column: Column, read: (inout AttributeBytes) throws(AttributeBytes.Refusal) -> Value
    ) -> Value? {
        let range = columns[column.rawValue]
        guard !range.isEmpty else { return nil }
        do {
            var bytes = AttributeBytes(encoded, in: range)
            let value = try read(&bytes)
            return bytes.leftCount == 0 ? value : nil
        } catch {
            return nil
        }
    }

    func texts(_ column: Column) -> TextAttributes? {
        decoded(column) { bytes throws(AttributeBytes.Refusal) in try TextAttributes(&bytes, count: count) }
    }

    func lists(_ column: Column) -> ListAttributes? {
        decoded(column) { bytes throws(AttributeBytes.Refusal) in try ListAttributes(&bytes, count: count) }
    }

    /// The ratings; 0 for none.
    var ratings: AttributeColumn<Int32>? {
        decoded(.ratings) { bytes throws(AttributeBytes.Refusal) in
            try AttributeColumn(&bytes, count: count) { bytes, valueCount throws(AttributeBytes.Refusal) in
                try bytes.numbers(Int32.self, count: valueCount)
            }
        }
    }

    var days: AttributeColumn<ClosedRange<Int32>?>? {
        decoded(.days) { bytes throws(AttributeBytes.Refusal) in
            try AttributeColumn(&bytes, count: count) { bytes, valueCount throws(AttributeBytes.Refusal) in
                let ends = try bytes.numbers(Int32.self, count: 2 * valueCount)
                return (0..<valueCount).map { index -> ClosedRange<Int32>? in
                    let (first, last) = (ends[2 * index], ends[2 * index + 1])
                    return first <= last ? first...last : nil
                }
            }
        }
    }

    /// The fields that have a value.
    var fields: AttributeColumn<PhotoFields>? {
        decoded(.fields) { bytes throws(AttributeBytes.Refusal) in
            try AttributeColumn(&bytes, count: count) { bytes, valueCount throws(AttributeBytes.Refusal) in
                try bytes.numbers(UInt32.self, count: valueCount).map(PhotoFields.init(rawValue:))
            }
        }
    }

    var traits: AttributeColumn<AttributeTraits>? {
        decoded(.traits) { bytes throws(AttributeBytes.Refusal) in
            try AttributeColumn(&bytes, count: count) { bytes, valueCount throws(AttributeBytes.Refusal) in
                let traits = try bytes.numbers(UInt16.self, count: valueCount).compactMap(AttributeTraits.init(packed:))
                guard traits.count == valueCount else { throw AttributeBytes.Refusal() }
                return traits
            }
        }
    }

    /// Whether a term is decided, so that reading attributes is useful.
    package static func decides(_ term: ConditionTerm) -> Bool {
        switch term.qualifier {
        case .tag, .album, .camera, .lens, .folder, .rating, .near, .within, .type, .ratio, .width, .height, .has: true
        case .taken: !term.dependsOnClock
        case .is:
            switch term.value {
            case .state(.favourite), .state(.archived), .state(.edited), .state(.portrait), .state(.landscape),
                .state(.square),
                .state(.panorama), .state(.screenshot), .state(.video):
                true
            default: false
            }
        case .stream, .name, .text, .added, .place: false
        }
    }

    /// Returns the verdict about a term.
    ///
    /// - Parameters:
    ///   - term: The term.
    ///   - answers: The answers about texts of other chunks.
    ///   - metrics: Returns the metrics of the same photos, with their positions; called only for terms about sizes and places.
    /// - Returns: The verdict: open for terms that are not decided, for texts of a chunk that are too long, and for photos
    ///   within a metre of the edge of an area.
    /// - Throws: The errors of `metrics`.
    /// - Complexity: O(distinct values + photos).
    package func verdict(
        of term: ConditionTerm, knowing answers: TextAnswers, metrics: () throws -> PackedMetrics
    ) rethrows -> ConditionVerdict {
        guard Self.decides(term) else { return .open(count: count) }
        let met: PhotoMask?
        switch term.qualifier {
        case .tag: met = mask(.tags, of: term)
        case .album: met = mask(.albums, of: term)
        case .camera: met = mask(.cameras, of: term, knowing: answers) { term.matches(words: SearchWords($0)) }
        case .lens: met = mask(.lenses, of: term, knowing: answers) { term.matches(words: SearchWords($0)) }
        case .folder:
            met = mask(.folders, of: term, knowing: answers) { term.matches(folder: FoldedText.path(of: $0)) }
        case .rating: met = ratings?.mask { term.matches(rating: Int($0)) }
        case .taken: met = mask(ofDaysIn: term)
        case .ratio, .width, .height: met = mask(ofSizesIn: term, metrics: try metrics())
        case .near, .within: return placeVerdict(of: term, positions: try metrics().positions)
        case .type, .has, .is: met = try mask(ofKindIn: term, metrics: metrics)
        case .stream, .name, .text, .added, .place: met = nil
        }
        return met.map { ConditionVerdict(met: $0) } ?? .open(count: count)
    }

    private func mask(_ column: Column, of term: ConditionTerm) -> PhotoMask? {
        FoldedPattern(term).flatMap { pattern in
            decoded(column) { bytes throws(AttributeBytes.Refusal) in
                try ListAttributes.mask(&bytes, count: count, where: pattern)
            }
        }
    }

    private func mask(
        _ column: Column, of term: ConditionTerm, knowing answers: TextAnswers, where isMet: (String) -> Bool
    ) -> PhotoMask? {
        texts(column).map { answers.mask(of: $0, with: term, where: isMet) }
    }

    private func mask(ofDaysIn term: ConditionTerm) -> PhotoMask? {
        // The term does not depend on the clock.
        let today = CivilDate(daysSince1970: 0)
        return days?.mask { days in
            guard let days else { return false }
            return term.matches(days: Int(days.lowerBound)...Int(days.upperBound), today: today)
        }
    }

    private func mask(ofKindIn term: ConditionTerm, metrics: () throws -> PackedMetrics) rethrows -> PhotoMask? {
        switch term.value {
        case .fileType(let type): traits?.mask { $0.fileType == type }
        case .field(let field): fields?.mask { $0.contains(field) }
        case .state(.favourite): fields?.mask { $0.contains(.flag(.favourite)) }
        case .state(.archived): fields?.mask { $0.contains(.flag(.archived)) }
        case .state(.edited): traits?.mask(where: \.isEdited)
        case .state(.screenshot): traits?.mask(where: \.isScreenshot)
        case .state(.video): traits?.mask { $0.fileType == .video }
        default: mask(ofSizesIn: term, metrics: try metrics())
        }
    }

    private func mask(ofSizesIn term: ConditionTerm, metrics: PackedMetrics) -> PhotoMask? {
        guard let traits else { return nil }
        // Neighbours often have the same size.
        var last: (size: PixelSize, source: MetricsSource, isMet: Bool)?
        return PhotoMask(count: count) { position in
            let (size, source) = (metrics[position].pixelSize, traits[position].sizeSource)
            if let last, last.size == size, last.source == source { return last.isMet }
            let isMet = term.matches(size: size, from: source)
            last = (size, source, isMet)
            return isMet
        }
    }

    private func placeVerdict(of term: ConditionTerm, positions: ArraySlice<UInt64>) -> ConditionVerdict {
        guard let area = ConditionArea(term), let fields else { return .open(count: count) }
        var (met, unmet) = (PhotoMask(count: count), fields.mask { !$0.contains(.coordinate) })
        var known: [UInt64: Bool?] = [:]
        for (position, packed) in positions.enumerated() {
            guard let place = WorldPosition(packed: packed) else { continue }
            switch area.contains(place, known: &known) {
            case .some(true): met.insert(position)
            case .some(false): unmet.insert(position)
            case .none: break
            }
        }
        return ConditionVerdict(met: met, unmet: unmet)
    }
}
