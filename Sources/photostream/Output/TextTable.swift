/// Rows in aligned columns, for a person at a terminal.
///
/// Widths are in terminal cells. May be printed in parts; columns keep their width from part to part where they can.
struct TextTable {
    /// A column.
    struct Column {
        /// On which side cells end alike.
        enum Alignment {
            case left
            case right
        }

        /// What stands above it.
        let title: String
        /// On which side its cells end alike.
        var alignment = Alignment.left
        /// The most cells of the terminal that it takes.
        var maximumWidth = 40

        /// A column of numbers.
        static func number(_ title: String) -> Column { Column(title: title, alignment: .right) }
    }

    private static let gap = 2
    private static let narrowestLastColumn = 16
    private static let indent = 4

    private let columns: [Column]
    private let lineWidth: Int
    private let foldsRows: Bool
    private var widths: [Int]
    private var hasHeader = false

    /// Creates a table; the last column is cut to what the line has left for it.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - lineWidth: The cells of a line.
    ///   - foldsRows: Whether a row that is too long goes on in an indented line, between two columns: for a terminal, which
    ///     would break it anywhere.
    init(
        _ columns: [Column], lineWidth: Int = Terminal.lineWidth, foldsRows: Bool = StandardOutput.isTerminal
    ) {
        self.columns = columns
        self.lineWidth = lineWidth
        self.foldsRows = foldsRows
        widths = columns.map(\.title.cellWidth)
    }

    /// The next rows as text, under the titles the first time; the last column is cut to what the line has left for it,
    /// unless its cells are of no use when they are cut.
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
        var text = hasHeader ? "" : row(columns.map(\.title), lines, last)
        hasHeader = true
        for cells in cells { text += row(cells, lines, last) }
        return text
    }

    /// The columns of each line of a row: all in one, unless that is too long.
    private func lines() -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var (first, used) = (0, 0)
        for column in columns.indices {
            // The last column is cut, but not to nothing.
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

    private func row(_ cells: [String], _ lines: [Range<Int>], _ lastWidth: Int) -> String {
        var text = ""
        for line in lines where line.lowerBound == 0 || !cells[line].allSatisfy(\.isEmpty) {
            if line.lowerBound > 0 { text += String(repeating: " ", count: Self.indent) }
            for position in line {
                let isLast = position == cells.count - 1
                let shown = isLast ? cells[position].cut(toCells: lastWidth) : cells[position]
                let padding = String(repeating: " ", count: max(0, widths[position] - shown.cellWidth))
                switch columns[position].alignment {
                case .left: text += isLast ? shown : shown + padding
                case .right: text += padding + shown
                }
                if position < line.upperBound - 1 { text += String(repeating: " ", count: Self.gap) }
            }
            while text.last == " " { text.removeLast() }
            text += "\n"
        }
        return text
    }
}
