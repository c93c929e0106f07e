/// Passes on the first warnings of each field and counts the others, so that memory stays bounded.
struct WarningLog {
    private var passedOn = [Int](repeating: 0, count: ImportField.count)

    /// Adds what was dropped from a record; `position` turns an offset in the record into a place.
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
