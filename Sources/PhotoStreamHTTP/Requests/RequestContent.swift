/// The body of a request.
enum RequestContent {
    /// None was sent, or none is read.
    case none
    /// A file that holds it.
    case file(SpooledBody)
    /// All of it.
    case bytes([UInt8])

    /// The bytes; none where there are none in memory.
    var bytes: [UInt8] {
        if case .bytes(let bytes) = self { bytes } else { [] }
    }
}
