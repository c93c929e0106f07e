import PhotoStreamModel
import PhotoStreamService

extension FieldList {
    /// The counts of an import.
    init(_ totals: ImportTotals) {
        self.init()
        add("read", totals.read.grouped)
        add("inserted", totals.inserted.grouped)
        add("updated", totals.updated.grouped)
        add("unchanged", totals.unchanged.grouped)
        add("duplicate", totals.duplicate.grouped)
        add("rejected", totals.rejected.grouped)
        add("assumed", totals.assumed.grouped)
    }
}
