/// The limits of what a reader holds in memory, and the descriptor of standard input.
package struct ReaderLimits: Sendable {
    /// Bytes that are read at once.
    package var blockSize = 1 << 20
    /// Bytes of a source after which a batch ends, however few records it has.
    package var batchByteCount = 8 << 20
    /// Bytes that one record may have; longer ones are rejected unread.
    package var maximumRecordByteCount = 64 << 20
    /// The descriptor that `-` stands for.
    package var standardInput: Int32 = 0

    /// The limits of the command: blocks of 1 MiB, batches of 8 MiB, records of up to 64 MiB.
    package init() {}
}
