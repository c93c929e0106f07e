import Foundation

/// Standard error: diagnostics and progress.
enum StandardError {
    /// Whether a person is looking.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text as it is; where nobody reads it, nothing is lost.
    static func write(_ text: String) {
        try? FileDescriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Writes a line.
    static func write(line: String) {
        write(line + "\n")
    }

    /// Writes a sentence as the command says it: `photostream: there is no stream "x"`.
    static func write(sentence: String) {
        write(line: "photostream: " + sentence.withoutPeriod.beginningLowerCase.onOneLine)
    }
}

extension String {
    /// The sentence without the period at its end.
    var withoutPeriod: String { hasSuffix(".") && !hasSuffix("..") ? String(dropLast()) : self }

    /// The sentence to follow a colon: its first letter in lower case, unless it begins an abbreviation.
    fileprivate var beginningLowerCase: String {
        guard let first, let second = dropFirst().first, second.isLowercase || second == " " else { return self }
        return first.lowercased() + dropFirst()
    }
}
