/// Some consecutive records of the input and what was wrong with them.
///
/// **Shape**: every input record that was read is in exactly one of ``records`` and ``rejects``, each in input order.
package struct ImportBatch: Sendable {
    /// How many warnings of one field a reader passes on over its whole life; all are counted.
    package static let maximumWarningsPerField = 10

    /// The records that can be stored.
    package internal(set) var records: [PositionedRecord] = []
    /// The records that cannot.
    package internal(set) var rejects: [ImportReject] = []
    /// The first warnings of each field: over all batches at most ``maximumWarningsPerField`` per field.
    package internal(set) var warnings: [ImportWarning] = []
    /// How many values were dropped in this batch, per field; fields without any are absent.
    package internal(set) var warningCounts: [ImportField: Int] = [:]
    /// Bytes of all sources that the reader is done with, this batch included.
    package internal(set) var bytesConsumed: Int64 = 0

    /// Bytes of all sources that were consumed before the batch.
    let startByteCount: Int64

    init(startByteCount: Int64) {
        self.startByteCount = startByteCount
    }

    /// How many input records the batch stands for.
    package var readCount: Int { records.count + rejects.count }
}
