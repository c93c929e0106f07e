import GRDB
import PhotoStreamMigrations
import PhotoStreamModel

/// The difference between a file's schema and this version's, read without changing the file.
package struct SchemaVersion: Hashable, Sendable {
    /// The migrations that the file lacks, in their order.
    package let missing: [String]
    /// The number of photos.
    package let photoCount: Int
    /// Whether bringing the file up to date writes all of its photos again.
    package let rewritesPhotos: Bool

    /// Reads a file's version.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``StorageError`` for a file that is not PhotoStream's, or was made by a newer or a different build.
    package init(path: String) throws(StorageError) {
        do {
            let opener = DatabaseOpener(
                path: path, access: .readOnly, busyTimeoutMilliseconds: 5_000, mapsFile: false,
                file: OpenFile(path: path))
            let connection = try opener.openAsItIs()
            defer { try? connection.close() }
            self = try connection.inDatabase { database in
                let inspector = SchemaInspector(path: path, access: .existing)
                let update = try inspector.inspect(database)
                let applied = try inspector.appliedScripts(database)
                let count = try RawStatement(database, sql: "SELECT count(*) FROM photo").first { $0.integer(0) } ?? 0
                return SchemaVersion(
                    missing: Migration.all.map(\.name).filter { applied[$0] == nil }, photoCount: Int(count),
                    rewritesPhotos: update != nil)
            }
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: 5_000)
        } catch {
            throw StorageError(.database, message: "\(path) cannot be read: \(error)")
        }
    }

    private init(missing: [String], photoCount: Int, rewritesPhotos: Bool) {
        (self.missing, self.photoCount, self.rewritesPhotos) = (missing, photoCount, rewritesPhotos)
    }
}
