import Foundation
import GRDB
import PhotoStreamModel

/// A copy of a whole file, of one moment, made while others read and write it.
///
/// A file of an older version is copied as it is. One read transaction is open meanwhile: nobody waits for it, and the
/// write-ahead log keeps what is written until it ends. The copy takes as much room as the file.
package struct DatabaseBackup: Sendable {
    private let path: String
    private let busyTimeoutMilliseconds: Int

    /// Prepares a copy.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - busyTimeoutMilliseconds: How long to wait for another program's lock.
    package init(path: String, busyTimeoutMilliseconds: Int = 5_000) {
        (self.path, self.busyTimeoutMilliseconds) = (path, busyTimeoutMilliseconds)
    }

    /// Writes the copy.
    ///
    /// - Parameter destination: The path of a file that is missing or empty. It is not whole before this returns.
    /// - Throws: ``StorageError`` where the file is not ours or cannot be read, and where the copy cannot be written.
    /// - Complexity: O(bytes of the file).
    package func write(to destination: String) throws(StorageError) {
        let opener = DatabaseOpener(
            path: path, access: .readOnly, busyTimeoutMilliseconds: busyTimeoutMilliseconds, mapsFile: false,
            file: OpenFile(path: path))
        do {
            let connection = try opener.openAsItIs()
            defer { try? connection.close() }
            try connection.inDatabase { database in
                let isOurs = try SchemaInspector(path: path, access: .readOnly).isOurs(database)
                guard isOurs else { throw StorageError(.notADatabase, "\(path) is empty: there is nothing to copy") }
            }
            let copy = try DatabaseQueue(path: destination)
            defer { try? copy.close() }
            // All pages in one step, so that a writer cannot make it begin again. VACUUM
            // INTO fails through these connections where a table has generated columns.
            try connection.backup(to: copy, pagesPerStep: -1)
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
        } catch {
            throw StorageError(.database, "\(path) cannot be copied: \(error)")
        }
    }
}
