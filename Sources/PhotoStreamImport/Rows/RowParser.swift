/// Splits CSV and TSV rows into cells and selects the mapped ones.
struct RowParser {
    private struct Column {
        let field: Int
        let column: Int
    }

    private let separator: UInt8
    private let usesQuoting: Bool
    private var columns: [Column] = []
    private var columnCount = 0
    private var cells: [FieldValue] = []

    init(separator: UInt8, usesQuoting: Bool) {
        self.separator = separator
        self.usesQuoting = usesQuoting
    }

    /// Reads the columns from the header row.
    ///
    /// - Throws: ``ImportError`` if a mapped column is missing or repeated, or if there is no column for the id. `name`
    ///   is the name of the source in errors.
    mutating func readHeader(
        _ bytes: Bytes,
        mapping: FieldMapping,
        name: String
    ) throws(ImportError) {
        guard bytes.firstUTF8Fault == nil else { throw ImportError("The header of \(name) is not valid UTF-8.") }
        guard split(bytes) == nil else {
            throw ImportError("The header of \(name) has text after a closing quote; \(SourceReader.quotingHint).")
        }
        var fields = RecordFields()
        fields.reset(to: bytes)
        let names = cells.map { fields.text(of: $0).trimmed }
        columnCount = names.count
        for field in ImportField.allCases {
            guard let path = mapping.path(of: field) else { continue }
            let found = names.indices.filter { names[$0] == path }
            guard found.count < 2 else {
                throw ImportError("The header of \(name) has the column \"\(path)\" \(found.count) times.")
            }
            if let column = found.first {
                columns.append(Column(field: field.index, column: column))
            } else if mapping.isExplicit(field) || field == .id {
                let known = names.joined(separator: ", ").shortened(to: 300)
                throw ImportError(
                    mapping.isExplicit(field)
                        ? "The header of \(name) lacks the column \"\(path)\" mapped to \(field); it has: \(known)."
                        : "The header of \(name) has no column \"id\"; map one with id=COLUMN. It has: \(known)."
                )
            }
        }
    }

    /// Writes the mapped cells of a row to `fields`.
    ///
    /// - Returns: The problem with the row, or `nil`.
    mutating func parse(_ bytes: Bytes, into fields: inout RecordFields) -> RecordProblem? {
        if let problem = split(bytes) { return problem }
        guard cells.count == columnCount else {
            let cellText = cells.count == 1 ? "1 cell" : "\(cells.count) cells"
            let columnText = columnCount == 1 ? "1 column" : "\(columnCount) columns"
            return RecordProblem("the row has \(cellText), but the header has \(columnText)", at: nil)
        }
        fields.reset(to: bytes)
        for column in columns { fields[column.field] = cells[column.column] }
        return nil
    }

    private mutating func split(_ bytes: Bytes) -> RecordProblem? {
        cells.removeAll(keepingCapacity: true)
        var start = 0
        while true {
            var end: Int
            if usesQuoting, start < bytes.count, bytes[start] == .quote {
                let cell = quotedCell(bytes, from: start + 1)
                cells.append(cell)
                end = cell.end + 1
                guard end >= bytes.count || bytes[end] == separator else {
                    return RecordProblem(
                        "text follows the closing quote of cell \(cells.count); \(SourceReader.quotingHint)", at: end)
                }
            } else {
                end = bytes.firstOffset(of: separator, from: start) ?? bytes.count
                cells.append(FieldValue(.text, from: start, to: end))
            }
            guard end < bytes.count else { return nil }
            start = end + 1
        }
    }

    private func quotedCell(_ bytes: Bytes, from start: Int) -> FieldValue {
        var kind = FieldValue.Kind.text
        var offset = start
        while let quote = bytes.firstOffset(of: .quote, from: offset) {
            guard quote + 1 < bytes.count, bytes[quote + 1] == .quote else {
                return FieldValue(kind, from: start, to: quote)
            }
            kind = .doubledText
            offset = quote + 2
        }
        return FieldValue(kind, from: start, to: bytes.count)
    }
}
