package import PhotoStreamModel

extension ImportTotals {
    /// Counts one record that could be read.
    package mutating func add(_ outcome: ImportOutcome) {
        read += 1
        switch outcome {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .duplicate: duplicate += 1
        }
    }
}

/// An import as the file remembers it.
package struct ImportRunRow: Hashable, Sendable {
    /// The row id.
    package let id: Int64
    /// The names of what was imported.
    package let sources: [String]
    /// When it started, in milliseconds since 1970.
    package let startedAtMilliseconds: Int64
    /// When it ended; `nil` while it runs, and for ever where it was interrupted.
    package let finishedAtMilliseconds: Int64?
    /// The outcomes of its records; zeros until it has ended.
    package let counts: ImportTotals
}

/// A record that an import has rejected.
package struct ImportFailureRow: Hashable, Sendable {
    /// The name of the source.
    package var source: String
    /// The line in it, from 1.
    package var line: Int
    /// The column in the line, from 1.
    package var column: Int
    /// The record's id as far as it could be read.
    package var externalID: String?
    /// Why, in one sentence.
    package var reason: String

    /// Creates a failure.
    package init(source: String, line: Int, column: Int, externalID: String?, reason: String) {
        self.source = source
        self.line = line
        self.column = column
        self.externalID = externalID
        self.reason = reason
    }
}
