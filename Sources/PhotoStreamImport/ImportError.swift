/// Why an import cannot start or go on; a bad record is never one, but an ``ImportReject``.
package struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One full sentence that names the offending path, option or column.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
