import Foundation
import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Adds or replaces the records of files.
    ///
    /// The photo of a row is found by its id; a row whose photo does not exist belongs to none. If a file was read in
    /// another version, the result of decoding that version is deleted, so that no answer shows the old picture. A row
    /// without a preview keeps that of the same version.
    package func savePictureFiles(streamID: Int64, _ rows: some Sequence<PictureFileRow>) throws {
        try forgetPictures(ofOtherVersionsThan: rows, streamID: streamID)
        try noteStates(of: rows, streamID: streamID)
        let isOfSameVersion = "byteCount = excluded.byteCount AND modifiedNanoseconds = excluded.modifiedNanoseconds"
        let statement = try RawStatement(
            database,
            sql: """
                INSERT INTO pictureFile (streamId, rootId, path, photoId, byteCount, modifiedNanoseconds, sidecars,
                    fieldSources, state, reason, contentHash, earliestNanoseconds, previewOrientation,
                    previewPlaceholder, previewColor, warnings, reader, kind, stem, contentIdentifier, burst, contentKind,
                    filmStart, filmEnd)
                VALUES (?1, ?2, ?3, (SELECT id FROM photo WHERE streamId = ?1 AND externalId = ?4), ?5, ?6, ?7, ?8, ?9,
                    ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)
                ON CONFLICT (streamId, rootId, path) DO UPDATE SET photoId = excluded.photoId,
                    contentHash = CASE
                        WHEN excluded.contentHash IS NULL AND \(isOfSameVersion)
                        THEN contentHash ELSE excluded.contentHash END,
                    contentKind = CASE
                        WHEN excluded.contentHash IS NULL AND \(isOfSameVersion)
                        THEN contentKind ELSE excluded.contentKind END,
                    previewOrientation = CASE
                        WHEN excluded.previewColor IS NULL AND \(isOfSameVersion)
                        THEN previewOrientation ELSE excluded.previewOrientation END,
                    previewPlaceholder = CASE
                        WHEN excluded.previewColor IS NULL AND \(isOfSameVersion)
                        THEN previewPlaceholder ELSE excluded.previewPlaceholder END,
                    previewColor = CASE
                        WHEN excluded.previewColor IS NULL AND \(isOfSameVersion)
                        THEN previewColor ELSE excluded.previewColor END,
                    earliestNanoseconds = excluded.earliestNanoseconds,
                    byteCount = excluded.byteCount, modifiedNanoseconds = excluded.modifiedNanoseconds,
                    sidecars = excluded.sidecars, fieldSources = excluded.fieldSources, state = excluded.state,
                    reason = excluded.reason, warnings = excluded.warnings, reader = excluded.reader,
                    kind = excluded.kind, stem = excluded.stem, contentIdentifier = excluded.contentIdentifier,
                    burst = excluded.burst, filmStart = excluded.filmStart, filmEnd = excluded.filmEnd
                """)
        for row in rows {
            try statement.run(
                with: streamID, row.rootID, row.path, row.photo?.rawValue, row.byteCount, row.modifiedNanoseconds,
                row.sidecars, FieldSourcesText.encode(row.fieldSources), Int(row.state.rawValue), row.reason,
                row.content?.hash, row.earliestNanoseconds, (row.preview?.orientation.rawValue).map(Int.init),
                row.preview?.placeholder, (row.preview?.color.rawValue).map(Int.init),
                FileWarning.bits(of: row.warnings), row.reader, Int(row.kind.rawValue), row.stem,
                row.contentIdentifier, row.burst, row.content?.kind.rawValue ?? 0, row.film?.lowerBound,
                row.film?.upperBound)
        }
        // An answer may show another preview although the photo is unchanged.
        if rows.contains(where: { $0.preview != nil }), try !ReplicaState.isPresent(database) {
            try notePictureWrite(streamID: streamID)
        }
    }

    /// Raises the revision of the stream's pictures if files are there again, or have other warnings, because answers show
    /// that.
    private func noteStates(of rows: some Sequence<PictureFileRow>, streamID: Int64) throws {
        guard
            try rows.contains(where: { !$0.warnings.isEmpty }) || reader.hasVanishedFile(streamID: streamID)
                || reader.hasFileWarning(streamID: streamID)
        else { return }
        for row in rows where row.state != .vanished {
            let known = try reader.pictureFile(streamID: streamID, rootID: row.rootID, path: row.path)
            guard let known, known.state == .vanished || known.warnings != row.warnings else { continue }
            return try notePictureWrite(streamID: streamID)
        }
    }

    private func forgetPictures(
        ofOtherVersionsThan rows: some Sequence<PictureFileRow>, streamID: Int64
    ) throws {
        guard
            try database.exists("SELECT 1 FROM picture WHERE streamId = ?1", with: streamID)
                || database.exists("SELECT 1 FROM pictureTry WHERE streamId = ?1", with: streamID)
        else { return }
        let isReplica = try ReplicaState.isPresent(database)
        let isPhoto = "(SELECT id FROM photo WHERE streamId = ?1 AND externalId = ?2)"
        // Copies on other machines have other times. If the length is the same, the file is another version only if
        // this machine has seen another one.
        let results = try RawStatement(
            database,
            sql: """
                DELETE FROM picture WHERE id = \(isPhoto) AND (byteCount <> ?3 OR modifiedNanoseconds <> ?4)
                    AND NOT EXISTS (
                        SELECT 1 FROM pictureTry AS own WHERE own.photoId = picture.id AND own.hash = picture.hash
                            AND own.byteCount = ?3 AND own.modifiedNanoseconds = ?4)
                    AND (?5 = 0 OR byteCount <> ?3 OR EXISTS (
                        SELECT 1 FROM pictureFile AS file WHERE file.photoId = picture.id
                            AND (file.byteCount <> ?3 OR file.modifiedNanoseconds <> ?4)))
                """)
        let tries = try RawStatement(
            database,
            sql: "DELETE FROM pictureTry WHERE photoId = \(isPhoto) AND (byteCount <> ?3 OR modifiedNanoseconds <> ?4)")
        var isChanged = false
        for row in rows where row.state == .read {
            guard let photo = row.photo else { continue }
            try results.run(with: streamID, photo.rawValue, row.byteCount, row.modifiedNanoseconds, isReplica ? 1 : 0)
            isChanged = isChanged || database.changesCount > 0
            try tries.run(with: streamID, photo.rawValue, row.byteCount, row.modifiedNanoseconds)
            isChanged = isChanged || database.changesCount > 0 && !isReplica
        }
        if isChanged { try notePictureWrite(streamID: streamID) }
    }

    /// Records folders of a root that are mount points, and removes others.
    package func noteMountedFolders(_ new: Set<String>, forgetting gone: Set<String>, rootID: Int64) throws {
        for (sql, folders) in [
            ("INSERT OR IGNORE INTO mountedFolder (rootId, path) VALUES (?1, ?2)", new),
            ("DELETE FROM mountedFolder WHERE rootId = ?1 AND path = ?2", gone),
        ] {
            let statement = try RawStatement(database, sql: sql)
            for folder in folders { try statement.run(with: rootID, folder) }
        }
    }

    /// Records the content of files that still have the length and time of their rows.
    package func noteContent(of rows: some Sequence<PictureFileRow>, streamID: Int64) throws {
        let statement = try RawStatement(
            database,
            sql: """
                UPDATE pictureFile SET contentHash = ?6, contentKind = ?7
                WHERE streamId = ?1 AND rootId = ?2 AND path = ?3 AND byteCount = ?4 AND modifiedNanoseconds = ?5
                """)
        for row in rows {
            try statement.run(
                with: streamID, row.rootID, row.path, row.byteCount, row.modifiedNanoseconds,
                row.content?.hash, row.content?.kind.rawValue ?? 0)
        }
    }

    /// Marks files as vanished; their photos stay.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - rootID: The root's row id.
    ///   - paths: The paths from the root.
    ///   - now: The present time, in milliseconds since 1970.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func markVanished(streamID: Int64, rootID: Int64, paths: some Collection<String>, at now: Int64) throws {
        guard !paths.isEmpty else { return }
        let sql = "UPDATE pictureFile SET state = 3, reason = ?4 WHERE streamId = ?1 AND rootId = ?2 AND path = ?3"
        let statement = try RawStatement(database, sql: sql)
        for path in paths { try statement.run(with: streamID, rootID, path, String(now)) }
        try notePictureWrite(streamID: streamID, now: now)
    }

    /// Marks a file as vanished under another path, at a time that the next import notes.
    func markVanished(rowID: Int64, as path: String, streamID: Int64) throws {
        try database.run(
            "UPDATE pictureFile SET path = ?2, state = 3, reason = NULL WHERE id = ?1", with: rowID, path)
        try notePictureWrite(streamID: streamID)
    }

    /// Deletes the records of files; their photos stay.
    package func deletePictureFiles(streamID: Int64, rootID: Int64, paths: some Sequence<String>) throws {
        try forEachFile(
            of: streamID, beneath: rootID, at: paths,
            run: "DELETE FROM pictureFile WHERE streamId = ?1 AND rootId = ?2 AND path = ?3")
    }

    /// Gives the photo of a moved file another id and location.
    ///
    /// Everything else stays: its edits, its place, and the result of the decode, as does a location that a person or a
    /// record has set. The triggers log the change.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - id: The id.
    ///   - newID: The new id.
    ///   - location: The new location.
    /// - Returns: `false`, without any write, if the stream has no photo with the id, or one with the new id.
    /// - Throws: `DatabaseError` if SQLite fails.
    package func renamePhoto(streamID: Int64, from id: PhotoID, to newID: PhotoID, location: String?) throws -> Bool {
        guard let stored = try reader.photo(streamID: streamID, id: id),
            try id == newID || reader.place(streamID: streamID, id: newID) == nil
        else { return false }
        let field = PhotoField.text(.location)
        let follows =
            !stored.photo.editedFields.contains(field) && !stored.photo.clearedFields.contains(field)
            && (stored.photo.fileFields.contains(field) || !stored.photo.hasValue(of: field))
        let result = try reader.shownPicture(photoRowID: stored.rowID)
        let known = try reader.picture(photoRowID: stored.rowID)
        let statement = try RawStatement(
            database, sql: "UPDATE OR FAIL photo SET externalId = ?2, location = ?3, fileFields = ?4 WHERE id = ?1")
        var fileFields = stored.photo.fileFields
        if follows {
            fileFields.remove(field)
            if location != nil { fileFields.insert(field) }
        }
        try statement.run(
            with: stored.rowID, newID.rawValue, follows ? location : stored.photo.location, Int(fileFields.rawValue))
        if let result { try insert(result, streamID: streamID, photoRowID: stored.rowID) }
        if let known, known != result {
            try insertTry(
                known, hash: known.state == .ready ? known.fileHash : nil, streamID: streamID,
                photoRowID: stored.rowID)
        }
        return true
    }

    private func forEachFile(
        of streamID: Int64, beneath rootID: Int64, at paths: some Sequence<String>, run sql: String
    ) throws {
        let statement = try RawStatement(database, sql: sql)
        for path in paths { try statement.run(with: streamID, rootID, path) }
    }
}
