/// A line of progress of long work; ``StandardError`` shows it.
struct ProgressLine {
    /// The fraction done, 0 to 1, for a bar; `nil` if unknown.
    var share: Double?
    /// Texts; the last ones are dropped if there is no room.
    var texts: [String]

    /// Creates a line with the texts.
    init(share: Double? = nil, texts: [String]) {
        (self.share, self.texts) = (share, texts)
    }

    /// Creates the line of work that is partly done.
    ///
    /// - Parameters:
    ///   - work: The work, such as `reading headers`.
    ///   - share: The fraction done, 0 to 1; `nil` if unknown.
    ///   - amount: The amount done, such as `58 of 3,021 pictures`; `nil` for none.
    ///   - secondsLeft: The estimated time to the end, in seconds; `nil` if unknown.
    ///   - rate: The amount done in a second; `nil` for none.
    init(work: String, share: Double?, amount: String?, secondsLeft: Double? = nil, rate: Double? = nil) {
        self.init(
            share: share,
            texts: [
                work, share.map { "\(Int($0 * 100)) %" }, amount, secondsLeft.map { "\($0.clock) left" },
                rate.map { "\(Int($0.rounded()).grouped) a second" },
            ].compactMap(\.self))
    }

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

extension Double {
    /// A duration, such as `1:05` or `2:03:00`.
    fileprivate var clock: String {
        let seconds = Int(clamping: Int64(min(rounded(.up), 1e9)))
        let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60]
        let shown = parts[0] > 0 ? parts[...] : parts[1...]
        return shown.enumerated().map { $0 > 0 && $1 < 10 ? "0\($1)" : "\($1)" }.joined(separator: ":")
    }
}
