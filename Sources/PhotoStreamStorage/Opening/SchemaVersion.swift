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
        self = try DatabaseOpener.readAsItIs(path) { connection in
            try connection.inDatabase { database in
                let inspector = SchemaInspector(path: path, access: .existing)
                let update = try inspector.inspect(database)
                let applied = try inspector.appliedScripts(database)
                let count = try RawStatement(database, sql: "SELECT count(*) FROM photo").first { $0.integer(0) } ?? 0
                return SchemaVersion(
                    missing: Migration.all.map(\.name).filter { applied[$0] == nil }, photoCount: Int(count),
                    rewritesPhotos: update != nil)
            }
        }
    }

    private init(missing: [String], photoCount: Int, rewritesPhotos: Bool) {
        (self.missing, self.photoCount, self.rewritesPhotos) = (missing, photoCount, rewritesPhotos)
    }
}
