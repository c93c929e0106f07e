#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A source of which the descriptor is open.
struct OpenSource {
    /// What errors call a source.
    static func name(of path: String) -> String { path == "-" ? "standard input" : "\"\(path)\"" }

    let path: String
    /// What positions call it: its path, unless that is nobody's business.
    let label: String
    let descriptor: Int32
    let closesDescriptor: Bool

    var name: String { label == path ? Self.name(of: path) : label }

    /// Opens a file, or takes standard input for `-`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limits: What is held in memory.
    ///   - label: What positions and errors call it; `nil` for its path.
    /// - Throws: ``ImportError`` naming the path.
    init(path: String, limits: ReaderLimits, label: String? = nil) throws(ImportError) {
        self.path = path
        self.label = label ?? path
        guard path != "-" else {
            descriptor = limits.standardInput
            closesDescriptor = false
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        closesDescriptor = true
        guard descriptor >= 0 else { throw Self.error(errno, path: path) }
    }

    /// The bytes of a regular file still to be read, or `nil` for a pipe and the like.
    ///
    /// - Throws: ``ImportError`` when nothing can be read there: it is missing, forbidden, or a directory.
    static func regularByteCount(of path: String, limits: ReaderLimits) throws(ImportError) -> Int64? {
        var status = stat()
        guard path != "-" else {
            guard fstat(limits.standardInput, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return Int64(status.st_size) - Int64(max(0, lseek(limits.standardInput, 0, SEEK_CUR)))
        }
        guard stat(path, &status) == 0 else { throw error(errno, path: path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw ImportError("\(name(of: path)) is a directory, not a file.")
        }
        guard access(path, R_OK) == 0 else { throw error(errno, path: path) }
        return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    private static func error(_ code: Int32, path: String) -> ImportError {
        switch code {
        case ENOENT where path.unicodeScalars.contains("\u{FFFD}"):
            // The arguments of a process come as text, in which other bytes are replaced.
            ImportError(
                "The file \(name(of: path)) cannot be named here, since its name is not valid UTF-8; rename it, or give its "
                    + "content to standard input: photostream import --stream NAME - < FILE")
        case ENOENT: ImportError("There is no file \(name(of: path)).")
        case EACCES: ImportError("There is no permission to read \(name(of: path)).")
        default: ImportError("\(name(of: path)) cannot be opened: \(String(cString: strerror(code))).")
        }
    }
}
