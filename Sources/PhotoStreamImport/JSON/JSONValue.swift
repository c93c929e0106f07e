/// What a value of a JSON text is, as far as values are told apart.
package enum JSONValue: Equatable, Sendable {
    case null
    case flag(Bool)
    /// A number; one that is beyond a `Double` is infinite.
    case number(Double)
    case text(String)
    case array([JSONValue])
    /// An object, whatever is in it.
    case object
}
