/// The reason why an import cannot start or continue; a bad record is an ``ImportReject`` instead.
public struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One full sentence that names the offending path, option or column.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
