/// How long the change log gets.
package enum ChangeLog {
    /// How many of the newest rows are always kept.
    package static let keptRowCount: Int64 = 100_000
    /// How many rows more are let come before the log is trimmed.
    package static let slackRowCount: Int64 = 10_000
}
