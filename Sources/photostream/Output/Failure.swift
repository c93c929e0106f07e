import ArgumentParser
import Foundation
import PhotoStreamHTTP
import PhotoStreamImport
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamStorage

/// The failure of a command: a line on standard error, and an exit code.
///
/// The root command's help lists the codes: 0 done, 1 failed, 2 an import with rejects, 64 invalid usage.
struct Failure {
    private enum Kind {
        /// No message: the reader closed the pipe, or the message was already printed.
        case silent(Int32)
        /// Help, the version or a completion script, on standard output.
        case requested
        case line(String, code: Int32)
    }

    private static let failed: Int32 = 1
    private static let missingFileHint =
        "; 'photostream import --stream NAME FILE' creates it; --database names another"
    private static let usage = ExitCode.validationFailure.rawValue

    private let error: any Error
    private let kind: Kind

    /// Determines the message and the code of an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - subcommand: The subcommand that ran; `nil` if parsing failed.
    init(_ error: any Error, of subcommand: (any ParsableCommand.Type)?) {
        self.error = error
        kind =
            switch error {
            case is ClosedOutput: .silent(0)
            case let error as ExitCode: .silent(error.rawValue)
            case is LayoutError, is ModelError: .line("\(error)", code: Self.usage)
            case StreamServiceError.invalidLimit, StreamServiceError.unansweredCondition, StreamServiceError.emptyRule,
                StreamServiceError.ruleAboutStream,
                StreamServiceError.longDescription:
                .line("\(error)", code: Self.usage)
            case let error as StorageError where error.code == .missingFile:
                .line(error.message + Self.missingFileHint, code: Self.failed)
            case let error as ServerError: .line(error.description, code: Self.code(of: error))
            case is StreamServiceError, is AccessError, is RootError, is ImportError, is FolderImportError,
                is PrimaryError, is StorageError, is PictureWorkersMissing, is CommandError:
                .line("\(error)", code: Self.failed)
            default: Self.kind(ofParserError: error, subcommand: subcommand)
            }
    }

    /// Prints the message and ends the process.
    func exit() -> Never {
        StandardError.clearProgress()
        switch kind {
        case .silent(let code):
            Foundation.exit(code)
        case .requested:
            print(HelpText.text(for: error))
            Foundation.exit(0)
        case .line(let sentence, let code):
            // Output comes before the message if both go to the same place.
            try? StandardOutput.flush()
            StandardError.write(sentence: sentence)
            Foundation.exit(code)
        }
    }

    private static func code(of error: ServerError) -> Int32 {
        switch error {
        case .invalidSetting, .invalidOrigin, .invalidAddress: usage
        case .portTaken, .portForbidden, .foreignAddress, .plainHTTP, .noToken, .openToOthers, .invalidCertificate:
            failed
        }
    }

    /// Classifies the errors of the parser, including those of options and validation.
    private static func kind(ofParserError error: any Error, subcommand: (any ParsableCommand.Type)?) -> Kind {
        let code = PhotoStreamCommand.exitCode(for: error)
        let arguments = Array(CommandLine.arguments.dropFirst())
        // The parser prints the help of the root command for `help` with an unknown subcommand.
        if subcommand == nil || arguments.first == "help", let message = Suggestion.unknownSubcommand(in: arguments) {
            return .line(message, code: usage)
        }
        guard code != .success else { return .requested }
        let sentence = PhotoStreamCommand.message(for: error).split(separator: "\n").first.map(String.init) ?? ""
        let message = explained(sentence)
        // The error of a running subcommand does not name it; the parser's own does.
        let help = subcommand.flatMap { helpCommand(of: $0, in: PhotoStreamCommand.self) } ?? helpCommand(in: error)
        guard code == .validationFailure, let help else { return .line(message, code: code.rawValue) }
        return .line(message.withoutPeriod + " (see '\(help)')", code: code.rawValue)
    }

    /// Explains that a value with a leading dash, such as -5 or a photo's id, was mistaken for an option.
    private static func explained(_ message: String) -> String {
        guard message.hasPrefix("Unknown option '-"), !message.hasPrefix("Unknown option '--") else { return message }
        return message.withoutPeriod + "; put a value that begins with - after --"
    }

    /// Returns the command that prints the help, as the parser suggests it.
    private static func helpCommand(in error: any Error) -> String? {
        let lines = PhotoStreamCommand.fullMessage(for: error).split(separator: "\n")
        let hint = lines.last { $0.hasPrefix("  See '") }
        return hint.flatMap { $0.split(separator: "'").dropFirst().first }.map(String.init)
    }

    /// Returns the command that prints a subcommand's help, such as `photostream photos edit --help`.
    private static func helpCommand(
        of subcommand: any ParsableCommand.Type, in command: any ParsableCommand.Type
    ) -> String? {
        guard let name = command.configuration.commandName else { return nil }
        if subcommand == command { return "\(name) --help" }
        let below = command.configuration.subcommands.lazy.compactMap { helpCommand(of: subcommand, in: $0) }
        return below.first.map { "\(name) \($0)" }
    }
}

/// An error of the command itself, such as a picture that cannot be written.
struct CommandError: Error, CustomStringConvertible {
    /// A sentence that names the invalid value.
    let description: String

    /// Creates an error with a description.
    init(_ description: String) {
        self.description = description
    }
}
