/// An input record that did not become a ``PositionedRecord``, and why.
package struct ImportReject: Sendable, Equatable {
    /// Where the offending value stands, or where the record begins if a value is missing.
    package var position: ImportPosition
    /// One clause that names the offending value, such as "width 0 is not positive".
    package var reason: String
    /// The record's id, where it has a valid one.
    package var id: String?

    /// Creates a reject.
    package init(position: ImportPosition, reason: String, id: String? = nil) {
        self.position = position
        self.reason = reason
        self.id = id
    }
}
