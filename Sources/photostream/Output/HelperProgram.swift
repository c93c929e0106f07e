import Foundation

/// A program of another package that the command runs if it is installed.
enum HelperProgram {
    /// Returns the path of a program in the folders of `PATH`; `nil` if it is not installed.
    static func locate(_ name: String) -> URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(filePath: String($0)).appending(path: name) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
        }
    }
}
