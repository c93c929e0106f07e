import Glibc

/// A search for programs that are recommended, and not required.
package enum ProgramSearch {
    /// Finds a program in the folders of `PATH`.
    ///
    /// - Parameter name: The name of the program, such as `exiftool`.
    /// - Returns: Its path; `nil` if none of the folders has it.
    package static func path(of name: String) -> String? {
        var folders = "/usr/local/bin:/usr/bin:/bin"
        if let path = unsafe getenv("PATH") { folders = unsafe String(cString: path) }
        // A relative folder is another one in each working directory.
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }.first {
            $0.hasPrefix("/") && isProgram($0)
        }
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
