/// An input record that did not become a ``PositionedRecord``, and why.
public struct ImportReject: Sendable, Equatable {
    /// Where the offending value stands, or where the record begins if a value is missing.
    public var position: ImportPosition
    /// One clause that names the offending value, such as "width 0 is not positive".
    public var reason: String
    /// The record's id, where it has a valid one.
    public var id: String?

    /// Creates a reject.
    public init(position: ImportPosition, reason: String, id: String? = nil) {
        self.position = position
        self.reason = reason
        self.id = id
    }
}
