import PhotoStreamModel

/// Binds a photo's values to the inserts and updates of ``PhotoSQL`` without copying its texts in SQLite.
struct PhotoBinding: ~Copyable {
    private var texts = TextArena()

    /// Binds the stream and external id of a look-up.
    mutating func bind(streamID: Int64, id: PhotoID, to lookUp: RawStatement) {
        texts.begin(byteCount: id.rawValue.utf8.count)
        lookUp.bind(1, to: streamID)
        unsafe lookUp.bind(2, lending: texts.append(id.rawValue))
    }

    /// Binds all values of a new photo, with its row id unless SQLite assigns one.
    mutating func bind(
        new photo: Photo, rowID: Int64?, streamID: Int64, order: StreamOrder, to insert: RawStatement
    ) {
        let lists = lists(of: photo)
        texts.begin(byteCount: byteCount(of: photo, lists: lists))
        insert.bind(.id, to: rowID)
        insert.bind(.streamId, to: streamID)
        insert.bind(.streamOrder, to: order.stored)
        unsafe insert.bind(.externalId, lending: texts.append(photo.id.rawValue))
        bind(photo, lists: lists, to: insert)
    }

    /// Binds all values of an existing photo.
    mutating func bind(changed photo: Photo, rowID: Int64, to update: RawStatement) {
        let lists = lists(of: photo)
        texts.begin(byteCount: byteCount(of: photo, lists: lists))
        update.bind(.id, to: rowID)
        bind(photo, lists: lists, to: update)
    }

    private mutating func bind(_ photo: Photo, lists: PerList<String?>, to statement: RawStatement) {
        statement.bind(.width, to: Int64(photo.pixelSize.width))
        statement.bind(.height, to: Int64(photo.pixelSize.height))
        statement.bind(.metricsSource, to: Int64(photo.metricsSource.rawValue))
        statement.bind(.orientation, to: Int64(photo.orientation.rawValue))
        statement.bind(.takenAtMilliseconds, to: photo.takenAt?.milliseconds)
        statement.bind(.utcOffsetMinutes, to: photo.takenAt?.utcOffsetMinutes.map(Int64.init))
        statement.bind(.takenAtPrecision, to: (photo.takenAt?.precision.rawValue).map(Int64.init))
        statement.bind(.latitude, to: photo.coordinate?.latitude)
        statement.bind(.longitude, to: photo.coordinate?.longitude)
        statement.bind(.color, to: (photo.color?.rawValue).map(Int64.init))
        statement.bind(.editedFields, to: Int64(photo.editedFields.rawValue))
        statement.bind(.fileFields, to: Int64(photo.fileFields.rawValue))
        statement.bind(.clearedFields, to: Int64(photo.clearedFields.rawValue))
        statement.bind(.captionSource, to: (photo.captionSource?.rawValue).map(Int64.init))
        statement.bind(.takenAtSource, to: photo.takenAt == nil ? nil : (photo.takenAtSource?.rawValue).map(Int64.init))
        unsafe statement.bind(.stack, lending: texts.append(photo.stack?.stack))
        statement.bind(.stackRank, to: Int64(photo.stack?.rank ?? 0))
        statement.bind(.stackKind, to: (photo.stack?.kind.rawValue).map(Int64.init))
        for flag in PhotoFlag.allCases { statement.bind(.flag(flag), to: Int64(photo[flag] ? 1 : 0)) }
        for list in PhotoList.allCases { unsafe statement.bind(.list(list), lending: texts.append(lists[list])) }
        for number in PhotoNumber.allCases { statement.bind(.number(number), to: photo[number].map(Int64.init)) }
        for text in PhotoText.allCases { unsafe statement.bind(.text(text), lending: texts.append(photo[text])) }
    }

    private func lists(of photo: Photo) -> PerList<String?> {
        var lists = PerList<String?>(repeating: nil)
        for list in PhotoList.allCases { lists[list] = JSONTextList.encode(photo[list]) }
        return lists
    }

    private func byteCount(of photo: Photo, lists: PerList<String?>) -> Int {
        let own = photo.id.rawValue.utf8.count + (photo.stack?.stack.utf8.count ?? 0)
        return PhotoText.allCases.reduce(own) { $0 + (photo[$1]?.utf8.count ?? 0) }
            + PhotoList.allCases.reduce(0) { $0 + (lists[$1]?.utf8.count ?? 0) }
    }
}

/// A buffer for the texts of one record, from which SQLite reads them without a copy.
///
/// A short Swift string has no address that outlives a closure; without the buffer, each record would need eight nested
/// closures.
@safe struct TextArena: ~Copyable {
    private var start: UnsafeMutablePointer<CChar>
    private var capacity: Int
    private var used = 0

    /// Creates an empty arena.
    init() {
        capacity = 4_096
        unsafe start = .allocate(capacity: capacity)
    }

    deinit {
        unsafe start.deallocate()
    }

    /// Empties the arena and makes room.
    ///
    /// All texts lent before become invalid, so call this before the first ``append(_:)`` of a record.
    ///
    /// - Parameter byteCount: The maximum size of the record's texts together.
    mutating func begin(byteCount: Int) {
        used = 0
        // One more byte, so that an empty text at the very end has an address too.
        guard byteCount >= capacity else { return }
        unsafe start.deallocate()
        capacity = byteCount * 2
        unsafe start = .allocate(capacity: capacity)
    }

    /// Copies a text; the copy is valid until the next ``begin(byteCount:)``.
    ///
    /// - Precondition: All texts since then fit into the requested room.
    mutating func append(_ text: String?) -> UnsafeBufferPointer<CChar>? {
        guard var text else { return nil }
        let target = unsafe start + used
        let count = text.withUTF8 { bytes in
            precondition(used + bytes.count <= capacity, "the texts exceed the requested room")
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let source = characters.baseAddress else { return }
                unsafe target.update(from: source, count: characters.count)
            }
            return bytes.count
        }
        used += count
        return unsafe UnsafeBufferPointer(start: target, count: count)
    }
}
