import ArgumentParser
import Foundation
import PhotoStreamHTTP
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// The end of a command that cannot do what it was asked for: one line on standard error, and an exit code.
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
    private static let missingFileHint =
        "; 'photostream import --stream NAME FILE' makes it, and --database names another"
    private static let usage = ExitCode.validationFailure.rawValue

    private let error: any Error
    private let kind: Kind

    /// Finds the line and the code for an error.
    ///
    /// - Parameters:
    ///   - error: What was thrown.
    ///   - subcommand: What was running; `nil` while the arguments were read.
    init(_ error: any Error, of subcommand: (any ParsableCommand.Type)?) {
        self.error = error
        kind =
            switch error {
            case is ClosedOutput: .silent(0)
            case let error as ExitCode: .silent(error.rawValue)
            case let error as LayoutError: .line(error.description, code: Self.usage)
            case let error as ModelError: .line(error.description, code: Self.usage)
            case StreamServiceError.storage(.missingFile, let message):
                .line(message + Self.missingFileHint, code: Self.failed)
            case let error as StreamServiceError: .line(error.description, code: Self.code(of: error))
            case let error as RootError: .line(error.description, code: Self.failed)
            case let error as ImportError: .line(error.description, code: Self.failed)
            case let error as ServerError: .line(error.description, code: Self.code(of: error))
            case let error as CommandError: .line(error.description, code: Self.failed)
            default: Self.kind(ofParserError: error, subcommand)
            }
    }

    /// Says what there is to say and ends the process.
    func exit() -> Never {
        switch kind {
        case .silent(let code):
            Foundation.exit(code)
        case .requested:
            print(HelpText.text(for: error))
            Foundation.exit(0)
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

    private static func code(of error: ServerError) -> Int32 {
        switch error {
        case .invalidSetting, .invalidOrigin: usage
        case .portTaken, .portForbidden: failed
        }
    }

    /// The parser's own errors, and those that it was given by an option or a check.
    private static func kind(ofParserError error: any Error, _ subcommand: (any ParsableCommand.Type)?) -> Kind {
        let code = PhotoStreamCommand.exitCode(for: error)
        // The parser answers `help` for what is not a subcommand with the help of all.
        let isHelp = CommandLine.arguments.dropFirst().first == "help"
        if isHelp, let suggestion = Suggestion.find(in: Array(CommandLine.arguments.dropFirst())) {
            return .line(suggestion.message.withoutPeriod + " (see '\(suggestion.help)')", code: usage)
        }
        guard code != .success else { return .requested }
        let sentence = PhotoStreamCommand.message(for: error).split(separator: "\n").first.map(String.init) ?? ""
        // The parser looks for what is missing first; a word that it does not know is the more likely cause.
        if subcommand == nil, code == .validationFailure,
            let suggestion = Suggestion.find(in: Array(CommandLine.arguments.dropFirst()))
        {
            return .line(suggestion.message.withoutPeriod + " (see '\(suggestion.help)')", code: code.rawValue)
        }
        let message = explained(sentence)
        // A running subcommand's error does not know whose it is; the parser's own does.
        let help = subcommand.flatMap { helpCommand(of: $0, in: PhotoStreamCommand.self) } ?? helpCommand(in: error)
        guard code == .validationFailure, let help else { return .line(message, code: code.rawValue) }
        return .line(message.withoutPeriod + " (see '\(help)')", code: code.rawValue)
    }

    /// The parser takes what begins with a dash and is no option, such as -5 or a photo's id, for an unknown option.
    private static func explained(_ message: String) -> String {
        guard message.hasPrefix("Unknown option '-"), !message.hasPrefix("Unknown option '--") else { return message }
        return message.withoutPeriod + ": a value that begins with - stands behind --"
    }

    /// What the parser says prints the help.
    private static func helpCommand(in error: any Error) -> String? {
        let lines = PhotoStreamCommand.fullMessage(for: error).split(separator: "\n")
        let hint = lines.last { $0.hasPrefix("  See '") }
        return hint.flatMap { $0.split(separator: "'").dropFirst().first }.map(String.init)
    }

    /// What prints the help of a subcommand, such as `photostream photos edit --help`.
    private static func helpCommand(
        of subcommand: any ParsableCommand.Type, in command: any ParsableCommand.Type
    ) -> String? {
        guard let name = command.configuration.commandName else { return nil }
        if subcommand == command { return "\(name) --help" }
        let below = command.configuration.subcommands.lazy.compactMap { helpCommand(of: subcommand, in: $0) }
        return below.first.map { "\(name) \($0)" }
    }
}
