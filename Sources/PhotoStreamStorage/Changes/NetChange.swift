package import PhotoStreamModel

/// What became of one photo, known by its external id, between a revision and now.
package struct NetChange: Hashable, Sendable {
    /// A photo as it was.
    package struct Past: Hashable, Sendable {
        /// Its place in the order.
        package let key: OrderKey
        /// What a layout read of it.
        ///
        /// A caption that was blank counts as one here: the log does not look at its text.
        package let metrics: ItemMetrics
    }

    /// A photo as it is.
    package struct Present: Hashable, Sendable {
        /// Its place in the order.
        package let key: OrderKey
        /// Its row.
        package let rowID: Int64
    }

    /// The external id.
    package let id: PhotoID
    /// The photo before; `nil` where it was not in the stream.
    package let past: Past?
    /// The photo now; `nil` where it is not in the stream.
    package let present: Present?
    /// Whether its fields were written to, and not only its place: it has another size, caption state or position, was
    /// written to where it stood, was given another date, or was deleted and came again.
    package let isUpdated: Bool
}
