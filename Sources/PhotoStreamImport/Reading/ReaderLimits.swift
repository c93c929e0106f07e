/// How much a reader holds at once, and where standard input is.
package struct ReaderLimits: Sendable {
    /// Bytes that are read at once.
    package var blockSize = 1 << 20
    /// Bytes that one record may have; longer ones are rejected unread.
    package var maximumRecordByteCount = 64 << 20
    /// The descriptor that `-` stands for.
    package var standardInput: Int32 = 0

    /// The limits of the command: blocks of 1 MiB, records of up to 64 MiB.
    package init() {}
}
