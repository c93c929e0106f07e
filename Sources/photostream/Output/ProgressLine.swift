/// A line of progress of long work; ``StandardError`` shows it.
struct ProgressLine {
    /// The fraction done, 0 to 1, for a bar; `nil` if unknown.
    var share: Double?
    /// Texts; the last ones are dropped if there is no room.
    var texts: [String]

    /// Returns the line for a terminal: as many texts as fit, and a bar if there is room.
    func line(columns: Int) -> String {
        // The cursor needs a cell.
        let columns = max(columns - 1, 1)
        var line = ""
        for (position, text) in texts.enumerated() {
            let longer = position == 0 ? text : line + "  " + text
            guard position == 0 || longer.cellWidth <= columns else { break }
            line = longer
        }
        // Depends only on the window, so that the bar keeps its width while numbers grow.
        let width = columns >= 84 ? 24 : 12
        if let share, width + 3 + line.cellWidth <= columns { line = Self.bar(share, width: width) + " " + line }
        return line.cut(toCells: columns)
    }

    /// The line for a log file.
    var plainLine: String { texts.joined(separator: ", ") }

    /// Returns a bar for a fraction from 0 to 1.
    private static func bar(_ share: Double, width: Int) -> String {
        let filled = Int(min(max(share, 0), 1) * Double(width))
        return "[" + String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled) + "]"
    }
}
