import Foundation

/// Progress of long work on standard error.
///
/// On a terminal, a single line that is redrawn at most ten times a second and never wraps; elsewhere, plain lines, at
/// most one in five seconds.
struct ProgressLine {
    /// The contents of a line.
    struct Parts {
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
            if let share, width + 3 + line.cellWidth <= columns {
                line = ProgressLine.bar(share, width: width) + " " + line
            }
            return line.cut(toCells: columns)
        }

        /// The line for a log file.
        var plainLine: String { texts.joined(separator: ", ") }
    }

    private static let columnsElsewhere = 80

    private let isTerminal: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant
    private var isDrawn = false

    /// Starts the clock.
    ///
    /// Nothing is shown at first.
    init(isTerminal: Bool = StandardError.isTerminal) {
        self.isTerminal = isTerminal
        start = clock.now
        lastShown = start
    }

    var elapsedSeconds: Double { (clock.now - start) / .seconds(1) }

    /// Shows a line if enough time has passed.
    mutating func update(_ parts: () -> Parts) {
        let now = clock.now
        guard now - lastShown >= (isTerminal ? .milliseconds(100) : .seconds(5)) else { return }
        lastShown = now
        guard isTerminal else { return StandardError.write(line: parts().plainLine) }
        // Queried each time, since the window may change.
        let columns = Terminal.width(of: STDERR_FILENO) ?? Self.columnsElsewhere
        StandardError.write("\r\u{1B}[K" + parts().line(columns: columns))
        isDrawn = true
    }

    /// Clears the line, so that other text can be written.
    mutating func clear() {
        guard isDrawn else { return }
        StandardError.write("\r\u{1B}[K")
        isDrawn = false
    }

    /// Returns a bar for a fraction from 0 to 1.
    private static func bar(_ share: Double, width: Int) -> String {
        let filled = Int(min(max(share, 0), 1) * Double(width))
        return "[" + String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled) + "]"
    }
}
