/// The numbers of records that an import has read, by outcome.
///
/// ``read`` is the sum of the next five.
public struct ImportTotals: Hashable, Sendable {
    /// Records read.
    public var read = 0
    /// Photos that were new.
    public var inserted = 0
    /// Photos that a record changed.
    public var updated = 0
    /// Photos that already equalled the record.
    public var unchanged = 0
    /// Records whose id an earlier record of the run had; the earlier one counts.
    public var duplicate = 0
    /// Invalid records.
    public var rejected = 0
    /// Records without a size that were kept with an assumed one; another number counts them, too.
    public var assumed = 0

    /// Creates totals of zero.
    public init() {}
}

/// The record of an import in the file.
public struct ImportSummary: Hashable, Sendable {
    /// The maximum number of sources in JSON; an import may have thousands.
    public static let shownSourceCount = 10

    /// The row id.
    package let id: Int64
    /// The names of its sources.
    public package(set) var sources: [String]
    /// The time of its beginning, in milliseconds since 1970.
    public let startedAtMilliseconds: Int64
    /// The time of its end; `nil` if it still runs or was interrupted.
    public let finishedAtMilliseconds: Int64?
    /// The outcomes of its records; all but the number read are zero until it has ended.
    public let counts: ImportTotals
    /// Its first rejects, in the order of the input.
    public package(set) var failures: [ImportFailure]

    /// Creates a record.
    package init(
        id: Int64, sources: [String], startedAtMilliseconds: Int64, finishedAtMilliseconds: Int64?,
        counts: ImportTotals, failures: [ImportFailure]
    ) {
        (self.id, self.sources, self.counts, self.failures) = (id, sources, counts, failures)
        (self.startedAtMilliseconds, self.finishedAtMilliseconds) = (startedAtMilliseconds, finishedAtMilliseconds)
    }
}

/// A record that was rejected.
public struct ImportFailure: Hashable, Sendable {
    /// The source's name.
    public package(set) var source: String
    /// The line in the source, from 1.
    public let line: Int
    /// The column in the line, from 1.
    public let column: Int
    /// The record's id, if it could be read.
    public let id: String?
    /// The reason.
    public let reason: String

    /// Creates a failure.
    package init(source: String, line: Int, column: Int, id: String?, reason: String) {
        (self.source, self.line, self.column, self.id, self.reason) = (source, line, column, id, reason)
    }
}
