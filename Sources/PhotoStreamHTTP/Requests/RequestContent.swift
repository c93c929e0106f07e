/// The body of a request.
enum RequestContent {
    /// None was sent, or none is read.
    case none
    /// A file that holds it.
    case file(SpooledBody)
    /// All of it, and what it takes of the memory for bodies.
    case bytes([UInt8], MemoryBudget.Share)

    /// The bytes; none where there are none in memory.
    var bytes: [UInt8] {
        if case .bytes(let bytes, _) = self { bytes } else { [] }
    }
}
