/// Why a record is rejected, before its place is known as line and column.
struct RecordProblem: Error, Equatable {
    let reason: String
    /// Where in the record's bytes; `nil` for the record as a whole.
    let offset: Int?
    /// The field that is to blame, if one is.
    let field: ImportField?
    /// The record's id if it has a valid one.
    var id: String?

    init(_ reason: String, at offset: Int?, of field: ImportField? = nil) {
        self.reason = reason
        self.offset = offset
        self.field = field
    }
}
