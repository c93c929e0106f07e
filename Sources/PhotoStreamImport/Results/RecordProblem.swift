/// Why a record is rejected, before its place is known as line and column.
struct RecordProblem: Error, Equatable {
    let reason: String
    /// Where in the record's bytes; `nil` for the record as a whole.
    let offset: Int?
    /// The record's id if it has a valid one.
    var id: String?

    init(_ reason: String, at offset: Int?, id: String? = nil) {
        self.reason = reason
        self.offset = offset
        self.id = id
    }
}
