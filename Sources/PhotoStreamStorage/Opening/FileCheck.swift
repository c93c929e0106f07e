import Foundation
import PhotoStreamModel

/// What can be seen of a path before SQLite is asked: its answers name no reason.
struct FileCheck {
    let path: String
    let access: FileAccess

    private let files = FileManager.default

    init(path: String, access: FileAccess) {
        self.path = path
        self.access = access
    }

    /// Refuses what cannot become or be a database.
    ///
    /// - Returns: Whether the file is missing or empty, so that there is nothing to look at.
    func run() throws(StorageError) -> Bool {
        guard !path.isEmpty else { throw StorageError(.missingFile, "the path of the database is empty") }
        guard files.fileExists(atPath: path) else {
            try checkMissing()
            return true
        }
        let attributes = try? files.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        switch attributes?[.type] as? FileAttributeType {
        case .typeDirectory?: throw StorageError(.notADatabase, "\(path) is a folder, not a database file")
        case .typeRegular?, nil: break
        default: throw StorageError(.notADatabase, "\(path) is not a regular file")
        }
        guard files.isReadableFile(atPath: path) else {
            throw StorageError(.database, "\(path) cannot be read: its permissions forbid it")
        }
        if access != .readOnly { try checkWritable() }
        guard (attributes?[.size] as? Int ?? 0) == 0 else { return false }
        guard access == .readWrite else {
            throw StorageError(.notADatabase, "\(path) is empty: it holds no PhotoStream database")
        }
        return true
    }

    private func checkMissing() throws(StorageError) {
        guard files.fileExists(atPath: folder) else {
            throw StorageError(.missingFolder, "the folder \(folder) does not exist, so \(path) cannot be opened")
        }
        guard access == .readWrite else { throw StorageError(.missingFile, "\(path) does not exist") }
        guard files.isWritableFile(atPath: folder) else {
            throw StorageError(.readOnly, "\(path) cannot be created: the folder \(folder) is read-only")
        }
    }

    private func checkWritable() throws(StorageError) {
        guard files.isWritableFile(atPath: path) else {
            throw StorageError(.readOnly, "\(path) is read-only: its permissions forbid writing")
        }
        guard files.isWritableFile(atPath: folder) else {
            throw StorageError(
                .readOnly,
                "\(path) cannot be written: SQLite keeps two files beside it, and the folder \(folder) is read-only"
            )
        }
    }

    private var folder: String {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? "." : parent
    }
}
