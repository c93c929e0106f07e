/// A table with aligned columns for a terminal.
///
/// Widths are in terminal cells. A table may be printed in parts; columns keep their widths between parts if possible.
struct TextTable {
    /// A column, of texts if it is only a title.
    struct Column: ExpressibleByStringLiteral {
        let title: String
        /// Whether its cells are aligned on the right.
        var isNumber = false
        /// The maximum width in cells.
        var maximumWidth = 40

        init(stringLiteral title: String) {
            self.title = title
        }

        /// Creates a column of numbers.
        static func number(_ title: String) -> Column {
            var column = Column(stringLiteral: title)
            column.isNumber = true
            return column
        }

        /// Creates a column of long texts.
        static func wide(_ title: String, cells: Int = 400) -> Column {
            var column = Column(stringLiteral: title)
            column.maximumWidth = cells
            return column
        }
    }

    private static let gap = 2
    private static let narrowestLastColumn = 16
    private static let indent = 4

    private let columns: [Column]
    private let lineWidth: Int
    private let foldsRows: Bool
    private var widths: [Int]
    private var hasHeader = false

    /// Creates a table.
    ///
    /// The last column is cut to the remaining width of the line.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - lineWidth: The width of a line in cells.
    ///   - foldsRows: Whether a row that is too long continues on an indented line, between two columns. Intended for
    ///     terminals, which would break it anywhere.
    init(
        _ columns: [Column], lineWidth: Int = Terminal.lineWidth, foldsRows: Bool = StandardOutput.isTerminal
    ) {
        self.columns = columns
        self.lineWidth = lineWidth
        self.foldsRows = foldsRows
        widths = columns.map(\.title.cellWidth)
    }

    /// Formats more rows, with the titles the first time.
    ///
    /// The last column is cut to the remaining width of the line, unless cut values would be useless.
    mutating func text(_ rows: [[String]], cutsLastColumn: Bool = true) -> String {
        let cells = rows.map { row in
            zip(row, columns).map { $0.onOneLine.cut(toCells: $1.maximumWidth) }
        }
        for row in cells {
            for (position, cell) in row.enumerated() { widths[position] = max(widths[position], cell.cellWidth) }
        }
        let lines = lines()
        let used = lines.last?.dropLast().reduce(lines.count > 1 ? Self.indent : 0) { $0 + widths[$1] + Self.gap } ?? 0
        let last = cutsLastColumn ? max(Self.narrowestLastColumn, lineWidth - used) : Int.max
        var text = hasHeader ? "" : row(columns.map(\.title), lines: lines, lastWidth: last)
        hasHeader = true
        for cells in cells { text += row(cells, lines: lines, lastWidth: last) }
        return text
    }

    /// Returns the columns on each line of a row: all on one line, unless that is too long.
    private func lines() -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var (first, used) = (0, 0)
        for column in columns.indices {
            // The last column is cut, but keeps a minimum width.
            let isLast = column == columns.count - 1
            let width = isLast ? min(widths[column], Self.narrowestLastColumn) : widths[column]
            if foldsRows, column > first, used + width > lineWidth {
                lines.append(first..<column)
                (first, used) = (column, Self.indent)
            }
            used += widths[column] + Self.gap
        }
        return lines + [first..<columns.count]
    }

    private func row(_ cells: [String], lines: [Range<Int>], lastWidth: Int) -> String {
        var text = ""
        for line in lines where line.lowerBound == 0 || !cells[line].allSatisfy(\.isEmpty) {
            if line.lowerBound > 0 { text += String(repeating: " ", count: Self.indent) }
            for position in line {
                let isLast = position == cells.count - 1
                let shown = isLast ? cells[position].cut(toCells: lastWidth) : cells[position]
                let padding = String(repeating: " ", count: max(0, widths[position] - shown.cellWidth))
                if columns[position].isNumber { text += padding }
                text += shown
                if !columns[position].isNumber, !isLast { text += padding }
                if position < line.upperBound - 1 { text += String(repeating: " ", count: Self.gap) }
            }
            while text.last == " " { text.removeLast() }
            text += "\n"
        }
        return text
    }
}

/// A list of names and values for a terminal, one per line.
struct FieldList: ExpressibleByDictionaryLiteral {
    private var fields: [(name: String, value: String)]

    /// Creates a list of the fields that have a value.
    init(dictionaryLiteral fields: (String, String?)...) {
        self.fields = fields.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Adds a field, unless its value is `nil`.
    mutating func add(_ name: String, value: String?) {
        if let value { fields.append((name, value)) }
    }

    static func + (left: FieldList, right: FieldList) -> FieldList {
        var sum = left
        sum.fields += right.fields
        return sum
    }

    /// The list with left-aligned values.
    var text: String { text { value, _ in value } }

    /// The list with right-aligned values, for numbers.
    var textOfNumbers: String {
        text { value, width in String(repeating: " ", count: width - value.cellWidth) + value }
    }

    private func text(_ aligned: (String, Int) -> String) -> String {
        let nameWidth = fields.map(\.name.cellWidth).max() ?? 0
        let values = fields.map(\.value.onOneLine)
        let width = values.map(\.cellWidth).max() ?? 0
        return zip(fields, values).map { field, value in
            let padding = String(repeating: " ", count: nameWidth - field.name.cellWidth + 2)
            return field.name + padding + aligned(value, width) + "\n"
        }.joined()
    }
}
