package import PhotoStreamModel

/// A record and where it came from.
package struct PositionedRecord: Sendable, Equatable {
    /// What the source says about the photo.
    package var record: PhotoRecord
    /// Where the record begins.
    package var position: ImportPosition
    /// Whether the record gave a size; else a new photo gets an assumed one.
    package var hasSize: Bool

    /// Creates a positioned record.
    package init(record: PhotoRecord, position: ImportPosition, hasSize: Bool) {
        self.record = record
        self.position = position
        self.hasSize = hasSize
    }
}
