import PhotoStreamModel

/// Binds a photo's values to the inserts and updates of ``PhotoSQL`` without copying its texts in SQLite.
struct PhotoBinding: ~Copyable {
    private var texts = TextArena()

    /// Binds the stream and external id of a look-up.
    mutating func bind(streamID: Int64, id: PhotoID, to lookUp: RawStatement) {
        texts.begin(byteCount: id.rawValue.utf8.count)
        lookUp.bind(1, to: streamID)
        lookUp.bind(2, lending: texts.append(id.rawValue))
    }

    /// Binds all values of a new photo.
    mutating func bind(new photo: Photo, streamID: Int64, order: StreamOrder, to insert: RawStatement) {
        let tags = JSONTextList.encode(photo.tags)
        texts.begin(byteCount: byteCount(of: photo, tags: tags))
        insert.bind(1, to: streamID)
        insert.bind(2, lending: texts.append(photo.id.rawValue))
        bind(photo, tags: tags, to: insert)
        insert.bind(21, to: order.stored)
    }

    /// Binds all values of an existing photo.
    mutating func bind(changed photo: Photo, rowID: Int64, to update: RawStatement) {
        let tags = JSONTextList.encode(photo.tags)
        texts.begin(byteCount: byteCount(of: photo, tags: tags))
        update.bind(1, to: rowID)
        bind(photo, tags: tags, to: update)
    }

    private mutating func bind(_ photo: Photo, tags: String?, to statement: RawStatement) {
        statement.bind(3, to: Int64(photo.pixelSize.width))
        statement.bind(4, to: Int64(photo.pixelSize.height))
        statement.bind(5, to: Int64(photo.metricsSource.rawValue))
        statement.bind(6, to: Int64(photo.orientation.rawValue))
        statement.bind(7, to: photo.takenAt?.milliseconds)
        statement.bind(8, to: photo.takenAt?.utcOffsetMinutes.map(Int64.init))
        statement.bind(9, to: (photo.takenAt?.precision.rawValue).map(Int64.init))
        statement.bind(10, to: photo.coordinate?.latitude)
        statement.bind(11, to: photo.coordinate?.longitude)
        statement.bind(12, to: (photo.color?.rawValue).map(Int64.init))
        statement.bind(13, to: Int64(photo.editedFields.rawValue))
        statement.bind(14, to: (photo.captionSource?.rawValue).map(Int64.init))
        statement.bind(15, lending: texts.append(photo.contentHash))
        statement.bind(16, lending: texts.append(photo.placeholder))
        statement.bind(17, lending: texts.append(photo.location))
        statement.bind(18, lending: texts.append(tags))
        statement.bind(19, lending: texts.append(photo.alt))
        statement.bind(20, lending: texts.append(photo.caption))
    }

    private func byteCount(of photo: Photo, tags: String?) -> Int {
        var count = photo.id.rawValue.utf8.count + (tags?.utf8.count ?? 0)
        count += (photo.contentHash?.utf8.count ?? 0) + (photo.placeholder?.utf8.count ?? 0)
        count += (photo.location?.utf8.count ?? 0) + (photo.alt?.utf8.count ?? 0) + (photo.caption?.utf8.count ?? 0)
        return count
    }
}

/// A buffer for the texts of one record, from which SQLite reads them without a copy.
///
/// A short Swift string has no address that outlives a closure; without the buffer, each record would need eight nested
/// closures.
struct TextArena: ~Copyable {
    private var start: UnsafeMutablePointer<CChar>
    private var capacity: Int
    private var used = 0

    /// Creates an empty arena.
    init() {
        capacity = 4_096
        start = .allocate(capacity: capacity)
    }

    deinit {
        start.deallocate()
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
        start.deallocate()
        capacity = byteCount * 2
        start = .allocate(capacity: capacity)
    }

    /// Copies a text; the copy is valid until the next ``begin(byteCount:)``.
    ///
    /// - Precondition: All texts since then fit into the requested room.
    mutating func append(_ text: String?) -> UnsafeBufferPointer<CChar>? {
        guard var text else { return nil }
        let target = start + used
        let count = text.withUTF8 { bytes in
            precondition(used + bytes.count <= capacity, "the texts exceed the requested room")
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let source = characters.baseAddress else { return }
                target.update(from: source, count: characters.count)
            }
            return bytes.count
        }
        used += count
        return UnsafeBufferPointer(start: target, count: count)
    }
}
