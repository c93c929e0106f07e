/// A field that was dropped from a record that stays: what is stored for the field is kept.
public struct ImportWarning: Sendable, Equatable {
    /// Where the offending value stands.
    public var position: ImportPosition
    /// The field whose value could not be read.
    public var field: ImportField
    /// One clause that names the offending value.
    public var reason: String

    /// Creates a warning.
    public init(position: ImportPosition, field: ImportField, reason: String) {
        self.position = position
        self.field = field
        self.reason = reason
    }
}
