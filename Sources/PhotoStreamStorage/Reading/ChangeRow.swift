package import PhotoStreamModel

/// A row of the change log.
package struct ChangeRow: Hashable, Sendable {
    /// What happened to the photo.
    package enum Kind: UInt8, Sendable {
        /// It was added to the stream.
        case inserted = 0
        /// It was taken from the stream.
        case deleted = 1
        /// Its fields or its place changed.
        case updated = 2
        /// It stood where another row was written; whether it is still there must be looked up.
        case perhapsReplaced = 3
    }

    /// The row's key.
    package let revision: Int64
    /// The row id that the photo had; it may belong to another photo by now.
    package let photoRowID: Int64
    /// What happened.
    package let kind: Kind
    /// The place before, or `nil` where the stream did not hold the photo.
    package let old: OrderKey?
    /// The place afterwards, or `nil` where the stream does not hold the photo any more or nobody knows.
    package let new: OrderKey?
    /// What a layout read of the photo before; `nil` where ``old`` is.
    package let oldMetrics: ItemMetrics?
    /// The external id before; `nil` where ``old`` is.
    package let oldID: PhotoID?
}
