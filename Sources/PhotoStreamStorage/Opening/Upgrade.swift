import GRDB
import PhotoStreamMigrations
package import PhotoStreamModel

extension Upgrade {
    /// Reads the difference between a file's schema and this version's, without changing the file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``StorageError`` for a file that is not PhotoStream's, or was made by a newer or a different build.
    package init(ofFileAt path: String) throws(StorageError) {
        self = try DatabaseOpener.readAsItIs(path) { connection in
            try connection.inDatabase { database in
                let inspector = SchemaInspector(path: path, access: .existing)
                let update = try inspector.inspect(database)
                let applied = try inspector.appliedScripts(database)
                let missing = Migration.all.map(\.name).filter { applied[$0] == nil }
                return Upgrade(
                    migrations: missing, photoCount: Int(try database.number("SELECT count(*) FROM photo")),
                    seconds: update?.seconds ?? min(missing.count, 1))
            }
        }
    }
}
