package import PhotoStreamModel

/// A batch of consecutive input records, with the problems found in them.
///
/// Every input record that was read is in exactly one of ``records`` and ``rejects``, each in input order.
package struct ImportBatch: Sendable {
    /// The maximum number of warnings per field that a reader reports in its lifetime; all are counted.
    package static let maximumWarningsPerField = 10

    /// The valid records.
    package internal(set) var records: [PhotoRecord] = []
    /// The rejected records.
    package internal(set) var rejects: [ImportReject] = []
    /// The first warnings of each field: over all batches, at most ``maximumWarningsPerField`` per field.
    package internal(set) var warnings: [ImportWarning] = []
    /// The number of values dropped in this batch, per field; fields without any are absent.
    package internal(set) var warningCounts: [ImportField: Int] = [:]
    /// The number of bytes consumed from all sources, including this batch.
    package internal(set) var bytesConsumed: Int64 = 0

    /// The number of bytes consumed from all sources before this batch.
    let startByteCount: Int64

    init(startByteCount: Int64) {
        self.startByteCount = startByteCount
    }

    /// The number of input records in the batch.
    package var readCount: Int { records.count + rejects.count }
}

/// An input record that was rejected, with the reason.
public struct ImportReject: Sendable, Equatable {
    /// The position of the invalid value, or of the record if a value is missing.
    public var position: ImportPosition
    /// A clause that names the invalid value, such as "width 0 is not positive".
    public var reason: String
    /// The record's id, if it is valid.
    public var id: String?

    /// Creates a reject.
    public init(position: ImportPosition, reason: String, id: String? = nil) {
        self.position = position
        self.reason = reason
        self.id = id
    }
}

/// A value that was dropped from an accepted record; the stored value of the field is kept.
public struct ImportWarning: Sendable, Equatable {
    /// The position of the invalid value.
    public var position: ImportPosition
    /// The field whose value could not be read.
    public var field: ImportField
    /// A clause that names the invalid value.
    public var reason: String

    /// Creates a warning.
    public init(position: ImportPosition, field: ImportField, reason: String) {
        self.position = position
        self.field = field
        self.reason = reason
    }
}

/// A position in a source, for error messages.
public struct ImportPosition: Sendable, Equatable, CustomStringConvertible {
    /// The path as given, or `-` for standard input.
    public var source: String
    /// The line, from 1; LF, CRLF and a lone CR each end a line.
    public var line: Int
    /// The column in Unicode scalars, from 1, not counting a byte order mark.
    public var column: Int

    /// Creates a position.
    public init(source: String, line: Int, column: Int) {
        self.source = source
        self.line = line
        self.column = column
    }

    /// The position in the form that compilers use: `photos.jsonl:3:17`.
    public var description: String { "\(source):\(line):\(column)" }
}

/// The reason why a record is rejected, with an offset in the record.
struct RecordProblem: Error, Equatable {
    let reason: String
    /// The offset in the record's bytes; `nil` for the record as a whole.
    let offset: Int?
    /// The field at fault, if known.
    let field: ImportField?
    /// The record's id, if it is valid.
    var id: String?

    init(_ reason: String, at offset: Int?, of field: ImportField? = nil) {
        self.reason = reason
        self.offset = offset
        self.field = field
    }
}

/// Reports the first warnings of each field and counts the rest, so that memory stays bounded.
struct WarningLog {
    private var passedOn = [Int](repeating: 0, count: ImportField.count)

    /// Adds the values dropped from a record.
    ///
    /// `position` converts an offset in the record to a position.
    mutating func add(
        _ dropped: [RecordAssembler.DroppedValue],
        to batch: inout ImportBatch,
        position: (Int) -> ImportPosition
    ) {
        for value in dropped {
            batch.warningCounts[value.field, default: 0] += 1
            guard passedOn[value.field.index] < ImportBatch.maximumWarningsPerField else { continue }
            passedOn[value.field.index] += 1
            batch.warnings.append(
                ImportWarning(position: position(value.offset), field: value.field, reason: value.reason.withoutNUL)
            )
        }
    }
}
