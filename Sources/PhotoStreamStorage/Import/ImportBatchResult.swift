/// What one write transaction of an import has done.
package struct ImportBatchResult: Sendable {
    /// The outcomes of the first records of the batch, as many as fitted into the budget; never none of a batch with
    /// records.
    package internal(set) var outcomes: [ImportOutcome] = []
    /// How many of these records left a photo whose size is assumed; duplicates do not count.
    package internal(set) var assumedCount = 0

    /// Creates a result.
    package init(outcomes: [ImportOutcome] = [], assumedCount: Int = 0) {
        self.outcomes = outcomes
        self.assumedCount = assumedCount
    }
}
