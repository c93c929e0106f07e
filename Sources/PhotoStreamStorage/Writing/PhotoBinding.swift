import PhotoStreamModel

/// Lends a photo's values to an insert or an update of ``PhotoSQL``.
struct PhotoBinding: ~Copyable {
    private var texts = TextArena()

    /// Lends stream and external id to a look-up.
    mutating func bind(streamID: Int64, id: PhotoID, to lookUp: RawStatement) {
        texts.begin(byteCount: id.rawValue.utf8.count)
        lookUp.bind(1, streamID)
        lookUp.bind(2, lending: texts.append(id.rawValue))
    }

    /// Lends all values of a new photo.
    mutating func bind(new photo: Photo, streamID: Int64, _ order: StreamOrder, to insert: RawStatement) {
        let tags = JSONTextList.encode(photo.tags)
        texts.begin(byteCount: byteCount(of: photo, tags: tags))
        insert.bind(1, streamID)
        insert.bind(2, lending: texts.append(photo.id.rawValue))
        bind(photo, tags: tags, to: insert)
        insert.bind(21, order.stored)
    }

    /// Lends all values of a photo that has a row.
    mutating func bind(changed photo: Photo, rowID: Int64, to update: RawStatement) {
        let tags = JSONTextList.encode(photo.tags)
        texts.begin(byteCount: byteCount(of: photo, tags: tags))
        update.bind(1, rowID)
        bind(photo, tags: tags, to: update)
    }

    private mutating func bind(_ photo: Photo, tags: String?, to statement: RawStatement) {
        statement.bind(3, Int64(photo.pixelSize.width))
        statement.bind(4, Int64(photo.pixelSize.height))
        statement.bind(5, Int64(photo.metricsSource.rawValue))
        statement.bind(6, Int64(photo.orientation.rawValue))
        statement.bind(7, photo.takenAt?.milliseconds)
        statement.bind(8, photo.takenAt?.utcOffsetMinutes.map(Int64.init))
        statement.bind(9, (photo.takenAt?.precision.rawValue).map(Int64.init))
        statement.bind(10, photo.coordinate?.latitude)
        statement.bind(11, photo.coordinate?.longitude)
        statement.bind(12, (photo.color?.rawValue).map(Int64.init))
        statement.bind(13, Int64(photo.editedFields.rawValue))
        statement.bind(14, (photo.captionSource?.rawValue).map(Int64.init))
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
