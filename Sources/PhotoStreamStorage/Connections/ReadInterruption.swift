/// The error that ends a read which has no result yet: its caller acts on the reason and reads again.
package enum ReadInterruption: Error {
    /// Derived data are damaged, or contradict the photos: those of a chunk, or of an unknown one.
    ///
    /// ``PhotoDatabase/distrust(chunkID:message:)`` has them disregarded. The message is reported if that does not help.
    case damage(chunkID: Int64?, message: String)
    /// The read keeps the write-ahead log from being emptied, and must end first.
    case logIsLong
    /// A replica must be brought up to its primary first.
    case primaryIsAhead
    /// Another thread must end first: the closure waits for it, without a transaction.
    case mustWait(@Sendable () throws -> Void)

    /// The interruption by a damaged stored chunk.
    package static func damage(ofChunk id: Int64?) -> ReadInterruption {
        .damage(chunkID: id, message: "chunk \(id ?? 0) is damaged; `photostream cache clear` repairs it")
    }

    /// The interruption by chunks that contradict the photos.
    static func contradiction(_ message: String) -> ReadInterruption { .damage(chunkID: nil, message: message) }
}
