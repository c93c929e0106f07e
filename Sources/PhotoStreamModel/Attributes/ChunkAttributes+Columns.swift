extension ChunkAttributes {
    /// All columns, decoded, of photos whose texts were not left out, or those of photos to pack.
    struct Columns {
        var cameras: TextAttributes?
        var lenses: TextAttributes?
        var folders: TextAttributes?
        var tags: ListAttributes?
        var albums: ListAttributes?
        var ratings: AttributeColumn<Int32>
        var days: AttributeColumn<ClosedRange<Int32>?>
        var fields: AttributeColumn<PhotoFields>
        var traits: AttributeColumn<AttributeTraits>
    }
}

extension ChunkAttributes.Columns {
    /// Decodes the columns; fails if one is missing or damaged.
    init?(_ attributes: ChunkAttributes) {
        guard let cameras = attributes.texts(.cameras), let lenses = attributes.texts(.lenses),
            let folders = attributes.texts(.folders), let tags = attributes.lists(.tags),
            let albums = attributes.lists(.albums), let ratings = attributes.ratings, let days = attributes.days,
            let fields = attributes.fields, let traits = attributes.traits
        else { return nil }
        (self.cameras, self.lenses, self.folders, self.tags, self.albums) = (cameras, lenses, folders, tags, albums)
        (self.ratings, self.days, self.fields, self.traits) = (ratings, days, fields, traits)
    }

    /// Collects the columns of photos that are partly in others; fails if their texts are too long.
    init?(_ former: Self, at positions: [Int?], others: Self) {
        func texts(_ path: KeyPath<Self, TextAttributes?>) -> TextAttributes? {
            guard let one = former[keyPath: path], let other = others[keyPath: path] else { return nil }
            return TextAttributes(one, at: positions, others: other)
        }
        func lists(_ path: KeyPath<Self, ListAttributes?>) -> ListAttributes? {
            guard let one = former[keyPath: path], let other = others[keyPath: path] else { return nil }
            return ListAttributes(one, at: positions, others: other)
        }
        guard let cameras = texts(\.cameras), let lenses = texts(\.lenses), let folders = texts(\.folders),
            let tags = lists(\.tags), let albums = lists(\.albums)
        else { return nil }
        (self.cameras, self.lenses, self.folders, self.tags, self.albums) = (cameras, lenses, folders, tags, albums)
        ratings = AttributeColumn(former.ratings, at: positions, others: others.ratings)
        days = AttributeColumn(former.days, at: positions, others: others.days)
        fields = AttributeColumn(former.fields, at: positions, others: others.fields)
        traits = AttributeColumn(former.traits, at: positions, others: others.traits)
    }

    /// The stored form of a column; empty for texts that are left out.
    func encoded(_ column: ChunkAttributes.Column) -> [UInt8] {
        var bytes: [UInt8] = []
        switch column {
        case .cameras: cameras?.append(to: &bytes)
        case .lenses: lenses?.append(to: &bytes)
        case .folders: folders?.append(to: &bytes)
        case .tags: tags?.append(to: &bytes)
        case .albums: albums?.append(to: &bytes)
        case .ratings: ratings.append(to: &bytes) { rating, bytes in bytes.append(littleEndian: rating) }
        case .days:
            days.append(to: &bytes) { days, bytes in
                bytes.append(littleEndian: days?.lowerBound ?? 1)
                bytes.append(littleEndian: days?.upperBound ?? 0)
            }
        case .fields: fields.append(to: &bytes) { fields, bytes in bytes.append(littleEndian: fields.rawValue) }
        case .traits: traits.append(to: &bytes) { traits, bytes in bytes.append(littleEndian: traits.packed) }
        }
        return bytes
    }
}
