/// How long the change log of a file gets; every process that writes to a file has to take the same.
package struct ChangeLog: Hashable, Sendable {
    /// What every program uses; tests see a log trimmed with fewer rows.
    package static let standard = ChangeLog(keptRowCount: 100_000, slackRowCount: 10_000)

    /// How many of the newest rows are always kept.
    package let keptRowCount: Int64
    /// How many rows more are let come before the log is trimmed.
    package let slackRowCount: Int64

    /// Creates bounds.
    ///
    /// - Precondition: At least one row is kept, and the slack is not negative.
    package init(keptRowCount: Int64, slackRowCount: Int64) {
        precondition(keptRowCount >= 1 && slackRowCount >= 0)
        self.keptRowCount = keptRowCount
        self.slackRowCount = slackRowCount
    }
}
