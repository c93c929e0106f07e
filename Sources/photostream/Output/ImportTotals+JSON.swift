import PhotoStreamService

extension JSONWriter {
    /// Writes the counts of an import as members.
    mutating func members(of totals: ImportTotals) {
        member("read", totals.read)
        member("inserted", totals.inserted)
        member("updated", totals.updated)
        member("unchanged", totals.unchanged)
        member("duplicate", totals.duplicate)
        member("rejected", totals.rejected)
        member("assumed", totals.assumed)
    }
}

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
