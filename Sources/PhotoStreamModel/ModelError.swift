/// A value that the model refuses, with the reason in one sentence.
public struct ModelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One full clause that names the offending value, such as "width 0 is not positive".
    public let description: String

    /// Creates an error from its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
