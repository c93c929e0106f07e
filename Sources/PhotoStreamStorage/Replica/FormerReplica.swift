package import Foundation
import GRDB
package import PhotoStreamModel

/// The former state of a replica, which is kept next to it when it is rebuilt from a primary with another history.
///
///     let former = try FormerReplica.keep(database)
///     try rebuild(database)
///     if let loss = try former.compare(with: database) { print("\(loss.photoCount) photos are in \(loss.path)") }
///
/// It is named `replica.sqlite.lost-20261127-203000-125` after the replica. If the primary has everything that it had,
/// it is deleted; otherwise it becomes an independent file with a list of the losses. The five newest are kept, and others
/// for 30 days.
package struct FormerReplica: Sendable {
    /// The part of a former replica that the primary does not have.
    package struct Loss: Hashable, Sendable {
        /// The path of the former replica.
        package let path: String
        /// The number of photos.
        package let photoCount: Int
    }

    /// The path.
    package let path: String

    private static let (keptCount, keptSeconds) = (5, 30.0 * 86_400)

    /// Copies a replica, under a name with this process's id until it has been compared.
    ///
    /// - Parameter database: The replica.
    /// - Returns: The copy.
    /// - Throws: ``StorageError`` if it cannot be copied.
    package static func keep(_ database: PhotoDatabase) throws(StorageError) -> FormerReplica {
        let former = FormerReplica(
            path: "\(database.path).\(workingWord)-\(ProcessInfo.processInfo.processIdentifier)")
        former.discard()
        do throws(StorageError) {
            try DatabaseBackup(path: database.path).write(to: former.path)
        } catch {
            former.discard()
            throw error
        }
        return former
    }

    private static let workingWord = "losing"

    private static func names(of path: String, word: String) -> [(rest: String, path: String)] {
        let file = URL(filePath: path)
        let (folder, start) = (file.deletingLastPathComponent(), "\((path as NSString).lastPathComponent).\(word)-")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { name in
            name.hasPrefix(start) && FilePrivacy.endings.allSatisfy { $0.isEmpty || !name.hasSuffix($0) }
        }.sorted().map { name in
            (String(name.dropFirst(start.count)), folder.appending(path: name).path(percentEncoded: false))
        }
    }

    /// The former replicas of a file, the oldest first.
    package static func all(of path: String) -> [FormerReplica] {
        names(of: path, word: "lost").map { FormerReplica(path: $0.path) }
    }

    /// Deletes it.
    package func discard() {
        for ending in FilePrivacy.endings { try? FileManager.default.removeItem(atPath: path + ending) }
    }

    /// Compares it with the rebuilt replica, and records the photos that the primary lacks.
    ///
    /// A photo counts if the former replica's log has a change of it after the last one that both logs have, and it is
    /// missing, has other values, or exists though it was deleted. If the logs have nothing in common, missing photos
    /// count, except those that the primary keeps as deleted.
    ///
    /// - Parameters:
    ///   - database: The replica.
    ///   - now: The time, for the name that the former replica gets.
    /// - Returns: The loss; `nil` if there is none, and the former replica was deleted.
    /// - Throws: ``StorageError``.
    package func compare(with database: PhotoDatabase, now: Date = Date()) throws -> Loss? {
        let count = try comparing(with: database) { connection in
            let sql = """
                SELECT max(own.revision) FROM main.change AS own
                JOIN present.change AS other ON other.revision = own.revision AND other.tag = own.tag
                """
            let fork = try connection.first(sql) { $0.optionalInteger(0) }
            try connection.execute(sql: "DELETE FROM lostPhoto; DELETE FROM replica")
            try noteMissing(after: fork, connection)
            if let fork {
                try noteDiffering(after: fork, connection)
                try noteReturned(after: fork, connection)
            }
            return try connection.number("SELECT count(*) FROM main.lostPhoto")
        }
        guard count > 0 else {
            discard()
            return nil
        }
        let kept = DatedPath.free(database.path, word: "lost", now: now, hasMilliseconds: true)
        guard unsafe rename(path, kept) == 0 else {
            throw StorageError(
                .database, message: "\(path) cannot be renamed: \(unsafe String(cString: strerror(errno)))")
        }
        for old in Self.all(of: database.path).dropLast(Self.keptCount) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: old.path)
            // Its last write was the list of losses.
            guard let time = attributes?[.modificationDate] as? Date, now.timeIntervalSince(time) > Self.keptSeconds
            else { continue }
            old.discard()
        }
        return Loss(path: kept, photoCount: Int(count))
    }

    /// Compares the former replicas of rebuilds that were interrupted.
    ///
    /// - Returns: Their losses.
    /// - Throws: ``StorageError``.
    package static func finishInterrupted(of database: PhotoDatabase) throws -> [Loss] {
        let current = try database.replicaPosition()
        return try names(of: database.path, word: workingWord).compactMap { rest, path in
            // Another process may still be comparing it.
            guard let process = Int32(rest),
                process == ProcessInfo.processInfo.processIdentifier || (kill(process, 0) != 0 && errno == ESRCH)
            else { return nil }
            let former = FormerReplica(path: path)
            // An incomplete copy cannot be opened; the replica is unchanged then.
            let position = try? PhotoDatabase(path: path, access: .readOnly).replicaPosition()
            guard let position, position != current else {
                former.discard()
                return nil
            }
            return try former.compare(with: database)
        }
    }

    private func comparing<T>(with database: PhotoDatabase, _ body: (Database) throws -> T) throws -> T {
        do {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try queue.inDatabase { connection in
                // Afterwards it is a single file.
                try connection.execute(sql: "PRAGMA journal_mode = DELETE")
                try connection.execute(sql: "ATTACH ? AS present", arguments: [database.path])
                defer { try? connection.execute(sql: "DETACH present") }
                var result: T?
                // An immediate transaction would lock the attached replica, too, which has writers at all times.
                try connection.inTransaction(.deferred) {
                    result = try body(connection)
                    return .commit
                }
                guard let result else { throw StorageError(.database, message: "\(path) cannot be compared") }
                return result
            }
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: 0)
        }
    }

    private static let changed = "SELECT photoId FROM main.change WHERE revision > ?1"
    /// The photo of the same stream and id in the present file.
    private static let other = """
        FROM present.photo AS other JOIN present.stream AS otherStream ON otherStream.id = other.streamId
        WHERE otherStream.name = stream.name AND other.externalId =
        """

    private func noteMissing(after fork: Int64?, _ connection: Database) throws {
        let sql = """
            INSERT OR IGNORE INTO main.lostPhoto (streamName, externalId, kind)
            SELECT stream.name, photo.externalId, 0 FROM main.photo JOIN main.stream ON stream.id = photo.streamId
            WHERE NOT EXISTS (SELECT 1 \(Self.other) photo.externalId)
                AND CASE WHEN ?1 IS NULL THEN NOT EXISTS (
                    SELECT 1 FROM present.deletedPhoto AS gone JOIN present.stream AS s ON s.id = gone.streamId
                    WHERE s.name = stream.name AND gone.externalId = photo.externalId)
                ELSE photo.id IN (\(Self.changed)) END
            """
        try connection.run(sql, with: fork)
    }

    private func noteDiffering(after fork: Int64, _ connection: Database) throws {
        let columns = SharedTable.photo.columns.map(\.name).filter { !["id", "streamId", "externalId"].contains($0) }
        let differ = columns.map { "other.\($0) IS NOT photo.\($0)" }.joined(separator: " OR ")
        let sql = """
            INSERT OR IGNORE INTO main.lostPhoto (streamName, externalId, kind)
            SELECT stream.name, photo.externalId, 1 FROM main.photo JOIN main.stream ON stream.id = photo.streamId
            WHERE photo.id IN (\(Self.changed)) AND EXISTS (SELECT 1 \(Self.other) photo.externalId AND (\(differ)))
            """
        try connection.run(sql, with: fork)
    }

    private func noteReturned(after fork: Int64, _ connection: Database) throws {
        let sql = """
            INSERT OR IGNORE INTO main.lostPhoto (streamName, externalId, kind)
            SELECT stream.name, log.oldExternalId, 2 FROM main.change AS log JOIN main.stream ON stream.id = log.streamId
            WHERE log.revision > ?1 AND log.kind = 1 AND log.oldExternalId IS NOT NULL
                AND NOT EXISTS (
                    SELECT 1 FROM main.photo WHERE streamId = log.streamId AND externalId = log.oldExternalId)
                AND EXISTS (SELECT 1 \(Self.other) log.oldExternalId)
            """
        try connection.run(sql, with: fork)
    }
}

/// A photo that a rebuild of a replica has lost.
package struct LostPhoto: Hashable, Sendable {
    /// The difference from the primary.
    package enum Kind: Int64, Sendable {
        /// The primary does not have the photo.
        case missing
        /// The primary has it with other values.
        case different
        /// The primary has it, though it was deleted.
        case returned
    }

    /// The name of its stream.
    package let stream: StreamName
    /// Its id.
    package let id: PhotoID
    /// The difference.
    package let kind: Kind
}

extension PhotoReader {
    /// Returns the photos of a former replica that the primary lacks or has in another state, by stream and id.
    package func lostPhotos() throws -> [LostPhoto] {
        guard try database.tableExists("lostPhoto") else { return [] }
        let sql = "SELECT streamName, externalId, kind FROM lostPhoto ORDER BY streamName, externalId"
        return try database.rows(sql) { row in
            LostPhoto.Kind(rawValue: row.integer(2)).map { kind in
                LostPhoto(stream: StreamName(stored: row.text(0)), id: PhotoID(stored: row.text(1)), kind: kind)
            }
        }
    }

    /// Returns the numbers of streams and of photos.
    package func contentCounts() throws -> (streams: Int64, photos: Int64) {
        try database.first("SELECT (SELECT count(*) FROM stream), (SELECT count(*) FROM photo)") {
            ($0.integer(0), $0.integer(1))
        } ?? (0, 0)
    }
}
