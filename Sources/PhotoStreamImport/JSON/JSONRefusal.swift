/// Why a JSON object in memory, or the record that it is, is refused.
package struct JSONRefusal: Error, Equatable {
    /// One clause that names the offending value.
    package let reason: String
    /// The member that is to blame, if one is.
    package let field: String?
    /// Whether the bytes are no JSON object, or none that can be read in one way only.
    package let isSyntax: Bool
}
