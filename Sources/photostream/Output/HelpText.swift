import ArgumentParser
import Foundation

/// The help of a command, wrapped to the terminal.
///
/// Sentences and descriptions of options wrap between words. Examples never wrap, so that they can be copied.
enum HelpText {
    private static let widthElsewhere = 80
    /// The column of the descriptions of options.
    private static let descriptionColumn = 26
    /// Longer than any line of the parser's text.
    private static let unlimited = 100_000

    /// Returns the text of a request: a help page, the version or a completion script.
    static func text(for request: any Error) -> String {
        let text = PhotoStreamCommand.fullMessage(for: request, columns: unlimited)
        guard text.hasPrefix("OVERVIEW:") else { return text }
        return wrapped(text, columns: Terminal.width(of: STDOUT_FILENO) ?? widthElsewhere)
    }

    /// Wraps a help page.
    static func wrapped(_ text: String, columns: Int) -> String {
        var isBeforeUsage = true
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("USAGE:") { isBeforeUsage = false }
            guard line.hasPrefix(" ") else { return wrapped(line, columns: columns, indent: isBeforeUsage ? 0 : 2) }
            if isBeforeUsage { return isExitCode(line) ? wrapped(line, columns: columns, indent: 6) : String(line) }
            return wrapped(line, columns: columns, indent: min(descriptionColumn, columns / 2))
        }
        return lines.joined(separator: "\n")
    }

    private static func isExitCode(_ line: Substring) -> Bool {
        line.hasPrefix("  ") && line.dropFirst(2).first?.isNumber == true
    }

    /// Breaks a line between words; the lines after the first are indented.
    private static func wrapped(_ line: Substring, columns: Int, indent: Int) -> String {
        guard line.count > columns else { return String(line) }
        var lines: [String] = []
        var current = String(line.prefix { $0 == " " })
        var isEmpty = true
        // Keep runs of spaces within a line, which align text.
        for word in line.drop(while: { $0 == " " }).split(separator: " ", omittingEmptySubsequences: false) {
            if !isEmpty, current.count + 1 + word.count > columns {
                lines.append(current)
                current = String(repeating: " ", count: indent)
                isEmpty = true
            }
            if isEmpty, word.isEmpty, !lines.isEmpty { continue }
            current += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return (lines + [current]).joined(separator: "\n")
    }
}
