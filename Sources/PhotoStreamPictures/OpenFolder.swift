import CShims
import Foundation

/// An open folder that opens files beneath it, and nothing outside of it.
package struct OpenFolder: ~Copyable, Sendable {
    /// The descriptor of the folder, which is closed at the end of the value's lifetime.
    package let descriptor: Int32

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: An absolute path without symbolic links; a link that was added later is refused.
    ///   - forWriting: Whether files are also put into the folder.
    /// - Throws: ``FolderError``, with `ELOOP` for a link.
    package init(_ path: String, forWriting: Bool = false) throws(FolderError) {
        descriptor = try unsafe FolderError.checked(
            forWriting ? photostream_open_folder_for_writing(path) : photostream_open_folder(path))
    }

    deinit {
        close(descriptor)
    }

    /// Opens a file beneath the folder for reading.
    ///
    /// - Parameter path: Relative to the folder. It may name anything, even a folder or a pipe.
    /// - Returns: A descriptor that the caller closes.
    /// - Throws: ``FolderError``, with `EXDEV` if the path leads out of the folder.
    package func open(_ path: String) throws(FolderError) -> Int32 {
        // The kernel would read only the part before the NUL.
        guard !path.utf8.contains(0) else { throw FolderError(code: ENOENT) }
        return try unsafe FolderError.checked(photostream_open_beneath(descriptor, path))
    }
}

/// A reason why a folder or a file beneath it cannot be used, in terms of the system.
package struct FolderError: Error, Hashable, Sendable {
    /// A code of `errno`.
    package let code: Int32

    /// Creates the error of a code.
    package init(code: Int32) { self.code = code }

    /// The system's description.
    package var systemReason: String { unsafe String(cString: strerror(code)) }

    /// The reason as a clause, for a folder or a link of a walk.
    package var reason: String {
        switch code {
        case EXDEV: "it leads out of the folder"
        case ELOOP: "there is a loop of links in it, or a link that is not followed"
        case ENOENT: "there is nothing at its end"
        case EACCES, EPERM: "it may not be read"
        default: systemReason
        }
    }

    /// Returns the result of a call of the system, or throws the code that it is the negative of.
    fileprivate static func checked(_ result: Int32) throws(FolderError) -> Int32 {
        guard result >= 0 else { throw FolderError(code: -result) }
        return result
    }
}
