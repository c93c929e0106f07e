import Foundation

/// Tells whether two paths name one file: by device and number where it exists, else by the path without links.
struct FileIdentity: Equatable {
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
