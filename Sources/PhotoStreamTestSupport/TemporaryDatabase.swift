import Foundation
package import PhotoStreamModel
package import PhotoStreamStorage

/// A folder of its own for a test's database, removed with its last reference.
package final class TemporaryDatabase: Sendable {
    /// The folder.
    package let folder: String
    /// Where the database is, or will be when somebody opens it.
    package let path: String

    /// Makes the folder; the file comes with the first ``open(_:busyTimeoutMilliseconds:)``.
    package init(name: String = "photos.sqlite") throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("PhotoStream-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path
        path = url.appendingPathComponent(name).path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Opens the file, creating it unless `access` says otherwise.
    package func open(
        _ access: FileAccess = .readWrite,
        busyTimeoutMilliseconds: Int = 5_000
    ) throws(StorageError) -> PhotoDatabase {
        try PhotoDatabase(path: path, access: access, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
    }
}
