/// A field that was dropped from a record that stays: what is stored for the field is kept.
package struct ImportWarning: Sendable, Equatable {
    /// Where the offending value stands.
    package var position: ImportPosition
    /// The field whose value could not be read.
    package var field: ImportField
    /// One clause that names the offending value.
    package var reason: String

    /// Creates a warning.
    package init(position: ImportPosition, field: ImportField, reason: String) {
        self.position = position
        self.field = field
        self.reason = reason
    }
}
