/// Names and their values under each other, for a person at a terminal.
struct FieldList {
    private var fields: [(name: String, value: String)] = []

    /// Adds a field; one without a value is left out.
    mutating func add(_ name: String, _ value: String?) {
        if let value { fields.append((name, value)) }
    }

    /// The list, a field a line, values aligned at the left.
    var text: String { text { value, _ in value } }

    /// The list with its values aligned at the right, as numbers are.
    var textOfNumbers: String {
        text { value, width in String(repeating: " ", count: width - value.cellWidth) + value }
    }

    private func text(_ aligned: (String, Int) -> String) -> String {
        let nameWidth = fields.map(\.name.cellWidth).max() ?? 0
        let values = fields.map { $0.value.onOneLine }
        let width = values.map(\.cellWidth).max() ?? 0
        let lines = zip(fields, values).map { field, value in
            let padding = String(repeating: " ", count: nameWidth - field.name.cellWidth + 2)
            return field.name + padding + aligned(value, width) + "\n"
        }
        return lines.joined()
    }
}
