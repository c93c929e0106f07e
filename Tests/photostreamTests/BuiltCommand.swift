import Foundation

/// The command as the package has just built it: it lies beside the bundle that the tests run from.
enum BuiltCommand {
    static let url = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "photostream")
}
