import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// Returns the number of folders, of all roots, that have known files.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(files).
    package func pictureFolderCount() throws -> Int {
        // A path without its last name: the path, trimmed of all its characters except "/".
        let sql = """
            SELECT count(*) FROM (SELECT DISTINCT rootId, rtrim(path, replace(path, '/', '')) FROM pictureFile)
            """
        return Int(try database.number(sql))
    }

    /// Returns the known files of a folder, in the order of the bytes of their paths.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - rootID: The root's row id.
    ///   - folder: The folder's path from the root; empty for the root itself.
    ///   - path: The path after which to begin; `nil` for the first.
    ///   - limit: The maximum number of files.
    /// - Returns: The files; fewer than `limit` only at the end.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(limit · log n).
    package func pictureFiles(
        streamID: Int64, rootID: Int64, below folder: String = "", after path: String? = nil, limit: Int
    ) throws -> [PictureFileRow] {
        // "0" is the character after "/". No UTF-8 path is greater than U+10FFFF.
        let (first, end) = folder.isEmpty ? ("", "\u{10FFFF}") : ("\(folder)/", "\(folder)0")
        let start = path.map { $0.utf8.lexicographicallyPrecedes(first.utf8) ? first : $0 } ?? first
        let sql = """
            SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables)
            WHERE pictureFile.streamId = ?1 AND pictureFile.rootId = ?2 AND pictureFile.path > ?3
                AND pictureFile.path < ?4
            ORDER BY pictureFile.path LIMIT ?5
            """
        return try database.rows(sql, with: streamID, rootID, start, end, limit, read: PictureFileRow.init)
    }

    /// Returns a known file, or `nil`.
    package func pictureFile(streamID: Int64, rootID: Int64, path: String) throws -> PictureFileRow? {
        let sql = """
            SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables)
            WHERE pictureFile.streamId = ?1 AND pictureFile.rootId = ?2 AND pictureFile.path = ?3
            """
        return try database.first(sql, with: streamID, rootID, path, read: PictureFileRow.init)
    }

    /// Returns the vanished files that may be a new file: of the same size, time and last name, and with a photo.
    ///
    /// - Complexity: O(files of the same size and time).
    package func vanishedPictureFiles(
        streamID: Int64, byteCount: Int64, modifiedNanoseconds: Int64, lastName: String, limit: Int = 16
    ) throws -> [PictureFileRow] {
        let sql = """
            SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables)
            WHERE pictureFile.streamId = ?1 AND pictureFile.state = 3 AND pictureFile.byteCount = ?2
                AND pictureFile.modifiedNanoseconds = ?3 AND photo.id IS NOT NULL
                AND (pictureFile.path = ?4 OR substr(pictureFile.path, -length(?4) - 1) = '/' || ?4)
            ORDER BY pictureFile.rootId, pictureFile.path LIMIT ?5
            """
        return try database.rows(
            sql, with: streamID, byteCount, modifiedNanoseconds, lastName, limit, read: PictureFileRow.init)
    }

    /// Returns the vanished files that have a photo and had the same content.
    ///
    /// - Complexity: O(files of the same length).
    package func vanishedPictureFiles(
        streamID: Int64, byteCount: Int64, contentHash: [UInt8], limit: Int = 16
    ) throws -> [PictureFileRow] {
        let sql = """
            SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables)
            WHERE pictureFile.streamId = ?1 AND pictureFile.state = 3 AND pictureFile.byteCount = ?2
                AND photo.id IS NOT NULL AND pictureFile.contentHash = ?3
            ORDER BY pictureFile.rootId, pictureFile.path LIMIT ?4
            """
        return try database.rows(sql, with: streamID, byteCount, contentHash, limit, read: PictureFileRow.init)
    }

    /// Whether any vanished file of a length has a photo with a known content, so that hashing a new file may find it.
    package func hasVanishedPictureFile(streamID: Int64, byteCount: Int64) throws -> Bool {
        let sql = """
            SELECT 1 FROM pictureFile INDEXED BY pictureFileState
            WHERE streamId = ?1 AND state = 3 AND byteCount = ?2 AND photoId IS NOT NULL AND contentHash IS NOT NULL
            LIMIT 1
            """
        return try database.exists(sql, with: streamID, byteCount)
    }

    /// Returns the folders of a root, by their paths, that were mount points when files were seen in them.
    package func mountedFolders(rootID: Int64) throws -> Set<String> {
        Set(try database.rows("SELECT path FROM mountedFolder WHERE rootId = ?1", with: rootID) { $0.text(0) })
    }

    /// Whether the file of a photo that has not vanished has this content.
    ///
    /// - Complexity: O(files of the same length).
    package func hasPhoto(streamID: Int64, byteCount: Int64, contentHash: [UInt8]) throws -> Bool {
        let sql = """
            SELECT 1 FROM pictureFile INDEXED BY pictureFileState
            WHERE streamId = ?1 AND state = 0 AND byteCount = ?2 AND photoId IS NOT NULL AND contentHash = ?3 LIMIT 1
            """
        return try database.exists(sql, with: streamID, byteCount, contentHash)
    }

    /// Returns the files of a root with this content that have a photo and have not vanished.
    ///
    /// - Complexity: O(files of the same length).
    package func pictureFiles(
        streamID: Int64, rootID: Int64, byteCount: Int64, contentHash: [UInt8]
    ) throws -> [PictureFileRow] {
        let sql = """
            SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables)
            WHERE pictureFile.streamId = ?1 AND pictureFile.state = 0 AND pictureFile.byteCount = ?2
                AND pictureFile.rootId = ?3 AND photo.id IS NOT NULL AND pictureFile.contentHash = ?4
            ORDER BY pictureFile.path
            """
        return try database.rows(sql, with: streamID, byteCount, rootID, contentHash, read: PictureFileRow.init)
    }

    /// Whether any file of a stream has vanished.
    ///
    /// - Complexity: O(log files).
    func hasVanishedFile(streamID: Int64) throws -> Bool {
        let vanished = Int(PictureFileRow.State.vanished.rawValue)
        return try database.exists(
            "SELECT 1 FROM pictureFile WHERE streamId = ?1 AND state = ?2 LIMIT 1", with: streamID, vanished)
    }

    /// Returns those of some photos whose files have all vanished, by their row ids.
    ///
    /// - Complexity: O(photos × log files); O(log files) if no file of the stream has vanished.
    package func vanishedPhotos(streamID: Int64, among rowIDs: some Sequence<Int64>) throws -> Set<Int64> {
        guard try hasVanishedFile(streamID: streamID) else { return [] }
        // Without a file, the least state is NULL.
        let vanished = PictureFileRow.State.vanished.rawValue
        let statement = try RawStatement(
            database, sql: "SELECT 1 FROM pictureFile WHERE photoId = ?1 HAVING min(state) = \(vanished)")
        var found: Set<Int64> = []
        for id in rowIDs {
            try statement.bind(id)
            if try statement.first({ _ in true }) == true { found.insert(id) }
        }
        return found
    }

    /// Returns the files of a photo; none if the stream has no such photo.
    package func pictureFiles(of id: PhotoID, streamID: Int64) throws -> [PictureFileRow] {
        try place(streamID: streamID, id: id).map { try pictureFiles(ofPhotoRowID: $0.rowID) } ?? []
    }

    /// Returns the files of a photo.
    func pictureFiles(ofPhotoRowID rowID: Int64) throws -> [PictureFileRow] {
        let sql = """
            SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables)
            WHERE pictureFile.photoId = ?1 ORDER BY pictureFile.rootId, pictureFile.path
            """
        return try database.rows(sql, with: rowID, read: PictureFileRow.init)
    }

    /// Returns the files of a stream in a state, in the order of root and path.
    ///
    /// - Complexity: O(files in that state).
    package func pictureFiles(streamID: Int64, in state: PictureFileRow.State, limit: Int) throws -> [PictureFileRow] {
        let sql = """
            SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables)
            WHERE pictureFile.streamId = ?1 AND pictureFile.state = ?2
            ORDER BY pictureFile.rootId, pictureFile.path LIMIT ?3
            """
        return try database.rows(sql, with: streamID, Int(state.rawValue), limit, read: PictureFileRow.init)
    }
}
