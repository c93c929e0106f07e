import Foundation
import PhotoStreamModel

/// Checks a path before SQLite opens it, since SQLite's errors give no reason.
struct FileCheck {
    let path: String
    let access: FileAccess

    private let files = FileManager.default

    init(path: String, access: FileAccess) {
        self.path = path
        self.access = access
    }

    /// Throws if the path is not, and cannot become, a database.
    ///
    /// - Returns: Whether the file is missing or empty.
    func run() throws(StorageError) -> Bool {
        guard !path.isEmpty else { throw StorageError(.missingFile, message: "the path of the database is empty") }
        guard files.fileExists(atPath: path) else {
            try checkMissing()
            return true
        }
        let attributes = try? files.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        switch attributes?[.type] as? FileAttributeType {
        case .typeDirectory?: throw StorageError(.notADatabase, message: "\(path) is a folder, not a database file")
        case .typeRegular?, nil: break
        default: throw StorageError(.notADatabase, message: "\(path) is not a regular file")
        }
        guard files.isReadableFile(atPath: path) else {
            throw StorageError(.database, message: "\(path) cannot be read: its permissions forbid it")
        }
        if access != .readOnly { try checkWritable() }
        guard (attributes?[.size] as? Int ?? 0) == 0 else { return false }
        guard access == .readWrite else {
            throw StorageError(.notADatabase, message: "\(path) is empty: it does not contain a PhotoStream database")
        }
        return true
    }

    private func checkMissing() throws(StorageError) {
        guard files.fileExists(atPath: folder) else {
            throw StorageError(
                .missingFolder, message: "the folder \(folder) does not exist, so \(path) cannot be opened")
        }
        guard access == .readWrite else { throw StorageError(.missingFile, message: "\(path) does not exist") }
        guard files.isWritableFile(atPath: folder) else {
            throw StorageError(.readOnly, message: "\(path) cannot be created: the folder \(folder) is read-only")
        }
    }

    private func checkWritable() throws(StorageError) {
        guard files.isWritableFile(atPath: path) else {
            throw StorageError(.readOnly, message: "\(path) is read-only: its permissions forbid writing")
        }
        guard files.isWritableFile(atPath: folder) else {
            throw StorageError(
                .readOnly,
                message:
                    "\(path) cannot be written: SQLite keeps two files next to it, and the folder \(folder) is read-only"
            )
        }
    }

    private var folder: String {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? "." : parent
    }
}
