import PhotoStreamModel

/// Reads a row with the columns of ``PhotoSQL``.
///
/// Any program may write to the file within the limits of its CHECKs. What the model cannot hold then reads as absent: one
/// odd row must not make every page that holds it fail. Beyond those limits a row is damaged, and that is an error.
enum PhotoRow {
    static func storedPhoto(_ row: RawStatement) throws -> StoredPhoto {
        StoredPhoto(rowID: try row.rowID(0), key: try key(row), order: order(row, 22), photo: try photo(row))
    }

    static func key(_ row: RawStatement) throws -> OrderKey { try row.orderKey(1) }

    /// The order of a photo's stream, or of a stream.
    static func order(_ row: RawStatement, _ column: Int32) -> StreamOrder {
        StreamOrder(stored: row.integer(column)) ?? .newest
    }

    static func photo(_ row: RawStatement) throws -> Photo {
        var photo = Photo(id: PhotoID(stored: row.text(3)))
        photo.pixelSize = try row.pixelSize(4)
        photo.metricsSource = MetricsSource(rawValue: UInt8(clamping: row.integer(6))) ?? .measured
        photo.orientation = Orientation(rawValue: UInt8(clamping: row.integer(7))) ?? .up
        photo.takenAt = try captureTime(row)
        if !row.isNull(11) {
            photo.coordinate = try? Coordinate(latitude: row.double(11), longitude: row.double(12))
        }
        photo.color = row.optionalInteger(13).map { RGBColor(rawValue: UInt32(truncatingIfNeeded: $0)) }
        photo.editedFields = PhotoField(rawValue: UInt32(truncatingIfNeeded: row.integer(14)))
        photo.contentHash = row.optionalText(16)
        photo.placeholder = row.optionalText(17)
        photo.location = row.optionalText(18)
        if let tags = row.optionalText(19) { photo.tags = JSONTextList.decode(tags) }
        photo.alt = row.optionalText(20)
        if let caption = row.optionalText(21), !caption.isBlank {
            photo.caption = caption
            photo.captionSource = row.optionalInteger(15) == 1 ? .person : .imported
        }
        return photo
    }

    private static func captureTime(_ row: RawStatement) throws -> CaptureTime? {
        guard let milliseconds = try row.optionalInteger(8, in: .min ... .max) else { return nil }
        let offset = try row.optionalInteger(9, in: -1_080...1_080)
        return try? CaptureTime(
            milliseconds: milliseconds,
            utcOffsetMinutes: offset.map(Int.init),
            precision: CaptureTime.Precision(rawValue: UInt8(clamping: row.integer(10))) ?? .millisecond
        )
    }
}
