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

    /// Returns the numbers of a stream's files with metadata that was left out or could not be read, by kind.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(files with warnings).
    package func fileWarnings(streamID: Int64) throws -> [FileWarning: Int] {
        let sql = """
            SELECT warnings, count(*) FROM pictureFile WHERE streamId = ?1 AND warnings <> 0 AND state <> 3 GROUP BY 1
            """
        var counts: [FileWarning: Int] = [:]
        try database.forEach(sql, with: streamID) { row in
            for kind in FileWarning.kinds(in: row.integer(0)) { counts[kind, default: 0] += Int(row.integer(1)) }
        }
        return counts
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

    /// Returns the files that have a photo and a content, vanished or not.
    ///
    /// - Complexity: O(limit + log n).
    package func pictureFiles(
        streamID: Int64, content: FileContent, limit: Int = 256
    ) throws -> [PictureFileRow] {
        // The signs keep SQLite from an index that does not have the content.
        let sql = """
            SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables)
            WHERE pictureFile.streamId = ?1 AND pictureFile.contentHash IN (?2, ?3) AND +pictureFile.state IN (0, 3)
                AND photo.id IS NOT NULL
            ORDER BY +pictureFile.rootId, pictureFile.path LIMIT ?4
            """
        return try database.rows(
            sql, with: streamID, content.pictureHash, content.fileHash, limit, read: PictureFileRow.init)
    }

    /// Whether any vanished file has a photo and a known content, so that reading a new file may find it.
    ///
    /// - Complexity: O(vanished files).
    package func hasVanishedContent(streamID: Int64) throws -> Bool {
        let sql = """
            SELECT 1 FROM pictureFile INDEXED BY pictureFileState
            WHERE streamId = ?1 AND state = 3 AND photoId IS NOT NULL AND contentHash IS NOT NULL LIMIT 1
            """
        return try database.exists(sql, with: streamID)
    }

    /// Returns a known file by its row id, or `nil`.
    func pictureFile(rowID: Int64) throws -> PictureFileRow? {
        let sql = "SELECT \(PictureFileRow.columns) FROM \(PictureFileRow.tables) WHERE pictureFile.id = ?1"
        return try database.first(sql, with: rowID, read: PictureFileRow.init)
    }

    /// Returns the numbers of a stream's files with a photo by what identifies them.
    ///
    /// - Complexity: O(files).
    package func fileIdentities(streamID: Int64) throws -> FileIdentities {
        let sql = """
            SELECT count(contentHash), count(*) FROM pictureFile WHERE streamId = ?1 AND photoId IS NOT NULL
            """
        return try database.first(sql, with: streamID) { row in
            let known = Int(row.integer(0))
            return FileIdentities(byContent: known, byName: Int(row.integer(1)) - known)
        } ?? FileIdentities(byContent: 0, byName: 0)
    }

    /// Returns the folders of a root, by their paths, that were mount points when files were seen in them.
    package func mountedFolders(rootID: Int64) throws -> Set<String> {
        Set(try database.rows("SELECT path FROM mountedFolder WHERE rootId = ?1", with: rootID) { $0.text(0) })
    }

    /// Whether the file of a photo that has not vanished has this content.
    ///
    /// - Complexity: O(files with this content).
    package func hasPhoto(streamID: Int64, content: FileContent) throws -> Bool {
        let sql = """
            SELECT 1 FROM pictureFile INDEXED BY pictureFileContent
            WHERE streamId = ?1 AND contentHash IN (?2, ?3) AND state = 0 AND photoId IS NOT NULL LIMIT 1
            """
        return try database.exists(sql, with: streamID, content.pictureHash, content.fileHash)
    }

    /// Returns the files of a root with this content that have a photo and have not vanished.
    ///
    /// - Complexity: O(files with this content).
    package func pictureFiles(
        streamID: Int64, rootID: Int64, content: FileContent
    ) throws -> [PictureFileRow] {
        try pictureFiles(streamID: streamID, content: content).filter { $0.rootID == rootID && $0.state == .read }
    }

    /// Returns the hash of all bytes of a photo's file; `nil` if it is not known.
    package func fileHash(of row: PictureFileRow, streamID: Int64) throws -> [UInt8]? {
        if let content = row.content, content.kind == .allBytes { return content.hash }
        guard let id = row.photo, let place = try place(streamID: streamID, id: id) else { return nil }
        return try pictures(photoRowIDs: [place.rowID])[place.rowID]?.fileHash
    }

    /// Whether any file of a stream has vanished.
    ///
    /// - Complexity: O(log files).
    func hasVanishedFile(streamID: Int64) throws -> Bool {
        let vanished = Int(PictureFileRow.State.vanished.rawValue)
        return try database.exists(
            "SELECT 1 FROM pictureFile WHERE streamId = ?1 AND state = ?2 LIMIT 1", with: streamID, vanished)
    }

    /// Whether a file of a stream has metadata that was left out or could not be read.
    ///
    /// - Complexity: O(log files).
    func hasFileWarning(streamID: Int64) throws -> Bool {
        try database.exists("SELECT 1 FROM pictureFile WHERE streamId = ?1 AND warnings <> 0 LIMIT 1", with: streamID)
    }

    /// Whether a file of a stream contains a film.
    ///
    /// - Complexity: O(log files).
    func hasFilm(streamID: Int64) throws -> Bool {
        try database.exists("SELECT 1 FROM pictureFile WHERE streamId = ?1 AND filmStart >= 0 LIMIT 1", with: streamID)
    }

    /// Returns the states of the files of some photos, by their row ids; photos with nothing to report are missing.
    ///
    /// A photo has vanished if all its files have.
    ///
    /// - Complexity: O(photos × log files); O(log files) if there is nothing to report of any file of the stream.
    package func fileStates(
        streamID: Int64, among rowIDs: some Sequence<Int64>
    ) throws -> [Int64: PhotoFileState] {
        guard
            try hasVanishedFile(streamID: streamID) || hasFileWarning(streamID: streamID)
                || hasFilm(streamID: streamID)
        else { return [:] }
        let statement = try RawStatement(
            database, sql: "SELECT state, warnings, filmStart FROM pictureFile WHERE photoId = ?1")
        var found: [Int64: PhotoFileState] = [:]
        for id in rowIDs {
            try statement.bind(id)
            var (state, count) = (PhotoFileState(isVanished: true), 0)
            try statement.forEach { row in
                count += 1
                if row.integer(0) != Int64(PictureFileRow.State.vanished.rawValue) { state.isVanished = false }
                if !row.isNull(2) { state.hasFilm = true }
                state.warnings.formUnion(FileWarning.kinds(in: row.integer(1)))
            }
            if count > 0, state != PhotoFileState() { found[id] = state }
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
