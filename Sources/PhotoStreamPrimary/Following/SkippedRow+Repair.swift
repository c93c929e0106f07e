package import PhotoStreamStorage

extension SkippedRow {
    /// The row, the reason for skipping it, and the statement that repairs it, in one sentence.
    package var sentence: String {
        "\(table.rawValue) \(id) of the primary does not fit into a file, which leaves it out: \(reason); to repair it: \(repair)"
    }

    /// The SQL that repairs the row, in a session that is connected to the primary.
    package var repair: String {
        let name = "photostream.\(table.rawValue)"
        return switch (table, missingID) {
        case (.photo, .some):
            // Recreates the missing stream for all of its photos, so nothing is lost.
            """
            INSERT INTO photostream.stream (id, name, createdAtMilliseconds, streamOrder) \
            SELECT streamId, 'recovered-' || streamId, 0, streamOrder FROM \(name) WHERE id = \(id)
            """
        case (.importRun, nil): "UPDATE \(name) SET sources = '[]' WHERE id = \(id)"
        case (.stream, _): "UPDATE \(name) SET name = 'recovered-\(id)' WHERE id = \(id)"
        default: "DELETE FROM \(name) WHERE id = \(id)"
        }
    }
}
