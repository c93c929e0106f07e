/// A value that the model rejects, with the reason.
public struct ModelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A clause that names the offending value, such as "width 0 is not positive".
    public let description: String

    /// Creates an error with a description.
    public init(_ description: String) {
        self.description = description
    }
}
