import ArgumentParser
import Foundation
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// What ends the command early: one line on standard error, and an exit code.
///
/// The codes are those of the root command's help: 0 done, 1 failed, 2 an import with rejects, 64 wrong usage.
struct Failure {
    private enum Kind {
        /// Nothing is said: the reader went away, or everything was said before.
        case silent(Int32)
        /// Help, a version or a completion script, which go to standard output.
        case requested
        case line(String, code: Int32)
    }

    private static let failed: Int32 = 1
    private static let usage = ExitCode.validationFailure.rawValue

    private let error: any Error
    private let kind: Kind

    /// Finds the line and the code for an error.
    init(_ error: any Error) {
        self.error = error
        kind =
            switch error {
            case is ClosedOutput: .silent(0)
            case let error as ExitCode: .silent(error.rawValue)
            case let error as LayoutError: .line(error.description, code: Self.usage)
            case let error as ModelError: .line(error.description, code: Self.usage)
            case let error as StreamServiceError: .line(error.description, code: Self.code(of: error))
            case let error as ImportError: .line(error.description, code: Self.failed)
            case let error as CommandError: .line(error.description, code: Self.failed)
            default: Self.kind(ofParserError: error)
            }
    }

    /// Says what there is to say and ends the process.
    func exit() -> Never {
        switch kind {
        case .silent(let code):
            Foundation.exit(code)
        case .requested:
            PhotoStreamCommand.exit(withError: error)
        case .line(let sentence, let code):
            // What was printed before comes first where both go to one place.
            try? StandardOutput.flush()
            StandardError.write(sentence: sentence)
            Foundation.exit(code)
        }
    }

    private static func code(of error: StreamServiceError) -> Int32 {
        if case .invalidLimit = error { usage } else { failed }
    }

    /// The parser's own errors, and those that it was given by an option or a check.
    private static func kind(ofParserError error: any Error) -> Kind {
        let code = PhotoStreamCommand.exitCode(for: error)
        guard code != .success else { return .requested }
        let lines = PhotoStreamCommand.fullMessage(for: error).split(separator: "\n")
        let message = PhotoStreamCommand.message(for: error).split(separator: "\n").first.map(String.init) ?? ""
        let hint = lines.last { $0.hasPrefix("  See '") }.flatMap { $0.split(separator: "'").dropFirst().first }
        guard code == .validationFailure, let hint else { return .line(message, code: code.rawValue) }
        return .line(message.withoutPeriod + " (see '\(hint)')", code: code.rawValue)
    }
}
