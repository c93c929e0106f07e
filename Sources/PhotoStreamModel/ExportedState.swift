/// The names in an export that are not those of fields.
package enum ExportFormat {
    /// The name of the member that makes the first line the header; its value is the version of the format.
    package static let name: StaticString = "photostreamExport"
    /// The version of the format.
    package static let version = 1
    /// The value of `movedTo` for a place among the undated photos.
    package static let undated = "undated"
}

/// The part of an exported photo that is not a field: a person's edits and the sources of values.
package struct ExportedState: Hashable, Sendable {
    /// A photo's place at another date than its own.
    package struct Move: Hashable, Sendable {
        /// The order of the exported stream; in another one, the move is meaningless.
        package let order: StreamOrder
        /// The date of the place, without an offset; `nil` among the undated photos.
        package let date: CaptureTime?

        /// Creates a move.
        package init(order: StreamOrder, date: CaptureTime?) {
            (self.order, self.date) = (order, date)
        }

        /// Whether a stream of an order loses the move.
        ///
        /// In manual order, the order of the records keeps it.
        package func isIgnored(in order: StreamOrder) -> Bool { order != .manual && order != self.order }
    }

    /// The fields that a person edited.
    package var editedFields: PhotoFields
    /// The fields whose value came from the picture's file.
    package var fileFields: PhotoFields
    /// The fields that a record cleared after the file had given them.
    package var clearedFields: PhotoFields
    /// The source of the capture time; `nil` if it is unknown.
    package var takenAtSource: CaptureTimeSource?
    /// The move; `nil` if the photo is at its own place.
    package var move: Move?

    /// Creates a state.
    package init(
        editedFields: PhotoFields, move: Move?, fileFields: PhotoFields = [], clearedFields: PhotoFields = [],
        takenAtSource: CaptureTimeSource? = nil
    ) {
        (self.editedFields, self.move) = (editedFields, move)
        (self.fileFields, self.clearedFields) = (fileFields, clearedFields)
        self.takenAtSource = takenAtSource
    }
}

extension StreamOrder {
    /// Returns the date of an order time, as a capture time without an offset: the inverse of ``orderTime(of:)``.
    ///
    /// - Returns: The date; `nil` in ``manual``, for undated photos, and outside the years 1 to 9999.
    package func captureTime(ofOrderTime time: Int64) -> CaptureTime? {
        guard self != .manual, time != OrderKey.undatedTime else { return nil }
        let value = self == .oldest ? -time : time
        let (milliseconds, precision) = value.quotientAndRemainderFlooring(dividingBy: 4)
        let known: CaptureTime.Precision = precision == 0 ? .year : precision == 1 ? .month : .millisecond
        return try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: known)
    }
}
