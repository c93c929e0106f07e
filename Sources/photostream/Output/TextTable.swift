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

    private let columns: [Column]
    private let lineWidth: Int
    private var widths: [Int]
    private var hasHeader = false

    /// Creates a table; the last column is cut to what the line has left for it.
    init(_ columns: [Column], lineWidth: Int = Terminal.lineWidth) {
        self.columns = columns
        self.lineWidth = lineWidth
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
        let used = widths.dropLast().reduce(0) { $0 + $1 + Self.gap }
        let last = cutsLastColumn ? max(Self.narrowestLastColumn, lineWidth - used) : Int.max
        var text = hasHeader ? "" : line(columns.map(\.title), last)
        hasHeader = true
        for row in cells { text += line(row, last) }
        return text
    }

    private func line(_ cells: [String], _ lastWidth: Int) -> String {
        var text = ""
        for (position, cell) in cells.enumerated() {
            let isLast = position == cells.count - 1
            let shown = isLast ? cell.cut(toCells: lastWidth) : cell
            let padding = String(repeating: " ", count: max(0, widths[position] - shown.cellWidth))
            switch columns[position].alignment {
            case .left: text += isLast ? shown : shown + padding
            case .right: text += padding + shown
            }
            if !isLast { text += String(repeating: " ", count: Self.gap) }
        }
        while text.last == " " { text.removeLast() }
        return text + "\n"
    }
}
