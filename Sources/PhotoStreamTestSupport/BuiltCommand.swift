package import Foundation

/// The command as the package has just built it: it lies beside the bundle that the tests run from.
package enum BuiltCommand {
    /// Where it is.
    package static let url = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "photostream")
}
