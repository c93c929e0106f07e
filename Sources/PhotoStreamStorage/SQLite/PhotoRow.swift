import PhotoStreamModel

/// Reads a row with the columns of ``PhotoSQL``.
///
/// A file may have been written by somebody's shell within the limits of its CHECKs. What the model cannot hold then
/// reads as absent: one odd row must not make every page that holds it fail.
enum PhotoRow {
    static func storedPhoto(_ row: RawStatement) -> StoredPhoto {
        StoredPhoto(rowID: row.integer(0), key: key(row), photo: photo(row))
    }

    static func key(_ row: RawStatement) -> OrderKey {
        OrderKey(time: row.integer(1), rank: row.integer(2))
    }

    static func photo(_ row: RawStatement) -> Photo {
        var photo = Photo(id: PhotoID(stored: row.text(3)))
        photo.pixelSize = PixelSize(
            uncheckedWidth: Int32(clamping: row.integer(4)),
            height: Int32(clamping: row.integer(5))
        )
        photo.metricsSource = MetricsSource(rawValue: UInt8(clamping: row.integer(6))) ?? .measured
        photo.orientation = Orientation(rawValue: UInt8(clamping: row.integer(7))) ?? .up
        photo.takenAt = captureTime(row)
        if !row.isNull(11) {
            photo.coordinate = try? Coordinate(latitude: row.double(11), longitude: row.double(12))
        }
        photo.color = row.optionalInteger(13).map { RGBColor(rawValue: UInt32(truncatingIfNeeded: $0)) }
        photo.editedFields = PhotoField(rawValue: UInt32(truncatingIfNeeded: row.integer(14)))
        photo.contentHash = row.optionalText(16)
        photo.placeholder = row.optionalText(17)
        photo.location = row.optionalText(18)
        if let tags = row.optionalText(19) { photo.tags = TagList.decode(tags) }
        photo.alt = row.optionalText(20)
        if let caption = row.optionalText(21), !caption.isBlank {
            photo.caption = caption
            photo.captionSource = row.optionalInteger(15) == 1 ? .person : .imported
        }
        return photo
    }

    private static func captureTime(_ row: RawStatement) -> CaptureTime? {
        guard let milliseconds = row.optionalInteger(8) else { return nil }
        return try? CaptureTime(
            milliseconds: milliseconds,
            utcOffsetMinutes: row.optionalInteger(9).map(Int.init),
            precision: CaptureTime.Precision(rawValue: UInt8(clamping: row.integer(10))) ?? .millisecond
        )
    }
}
