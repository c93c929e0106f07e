/// What became of a record that could be read.
package enum ImportOutcome: UInt8, Sendable {
    /// The stream did not have the photo.
    case inserted
    /// The photo's row was changed.
    case updated
    /// The photo's row was as the record says; nothing was written.
    case unchanged
    /// The run has met the id before; the first record won.
    case duplicate
}
