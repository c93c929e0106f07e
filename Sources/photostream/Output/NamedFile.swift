import Foundation

/// The file that a path names; two paths are equal if they name one file.
///
/// An existing file is compared by device and number, any other by its path without links.
struct NamedFile: Equatable {
    private let device: UInt64?
    private let number: UInt64?
    private let path: String

    init(_ path: String) {
        var status = stat()
        let exists = stat(path, &status) == 0
        device = exists ? UInt64(status.st_dev) : nil
        number = exists ? UInt64(status.st_ino) : nil
        // Hard links have several paths.
        self.path = exists ? "" : URL(filePath: path).standardized.resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
