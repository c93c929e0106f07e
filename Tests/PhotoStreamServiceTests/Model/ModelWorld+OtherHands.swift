import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport

@testable import PhotoStreamService

// The actions of other processes: the sqlite3 shell, the command, a restart, a change of the budget.
extension ModelWorld {
    func restart() throws {
        let index = random.int(in: 0...holders.count - 1)
        history.append("restarts holder \(index)")
        try holders[index].service.close()
        holders[index].service = try gallery.anotherService(
            holders[index].access, chunkSize: holders[index].chunkSize)
    }

    func clear() throws {
        history.append("clears what is derived")
        try writer().clearDerived()
    }

    func storeAll() throws {
        history.append("stores what all holders have computed")
        for holder in holders { try holder.service.storeDerived() }
    }

    func shellSizes() throws {
        let ids = chosen(oneIn: random.element(of: [5, 50]))
        history.append("turns \(ids.count) photos in the shell")
        try gallery.shell(
            "UPDATE photo SET width = height, height = width, caption = ' ' WHERE externalId IN (\(list(ids)))")
        try stream.change(ids, isInShell: true, arbiter: arbiter) { photo in
            // A blank caption is none.
            (photo.size, photo.caption, photo.hasBlankCaption) = (photo.size.turned, nil, true)
        }
    }

    func shellDelete() throws {
        let ids = chosen(oneIn: random.element(of: [4, 20, 100]))
        history.append("deletes \(ids.count) photos in the shell")
        try gallery.shell("DELETE FROM photo WHERE externalId IN (\(list(ids)))")
        stream.remove(Set(ids))
    }

    /// A row that is removed without a log entry, and one with the same name that is added.
    func shellReplace() throws {
        let id = randomID()
        history.append("replaces \(id) in the shell")
        let time = ModelTime(milliseconds: 5_000, offset: nil)
        try gallery.shell(
            """
            REPLACE INTO photo
                (streamId, streamOrder, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
            VALUES (1, (SELECT streamOrder FROM stream WHERE id = 1), '\(id)', 300, 200, 5000, 5)
            """)
        var photo = ModelPhoto(id: id)
        (photo.size, photo.time) = (ModelSize(width: 300, height: 200), time)
        stream.remove([id])
        try stream.add(photo, arbiter: arbiter)
    }

    /// Other dates for many.
    ///
    /// The times are new: a move that was ended in the shell would begin again if the old time returned.
    func shellDates() throws {
        // A day, a month or a year has no other known digits.
        let ids = chosen(oneIn: 10).filter { stream[$0]?.time?.precision == .millisecond }
        let shift = Int64(fresh()) * 7_777_777 + 13
        history.append("shifts the dates of \(ids.count) photos in the shell")
        try gallery.shell(
            """
            UPDATE photo SET takenAtMilliseconds = takenAtMilliseconds + \(shift) WHERE externalId IN (\(list(ids)))
            """)
        try stream.change(ids, isInShell: true, arbiter: arbiter) { $0.time?.milliseconds += shift }
    }

    func budget() throws {
        let budget: Int64 = random.element(of: [0, 3_000, 40_000, 1_000_000, 256 << 20])
        history.append("sets the budget to \(budget) bytes")
        let service = writer()
        try service.setCacheBudget(budget)
        let status = try service.cacheStatus()
        try expect(status.byteCount <= budget, "\(status.byteCount) bytes are kept of \(budget)")
    }

    func byCommand() throws {
        let layout = random.element(of: layouts)
        let (stream, key) = (Gallery.stream.rawValue, layout.key.description)
        switch random.int(in: 0...3) {
        case 0:
            history.append("warms \(key) by the command")
            // It refuses what the budget has no room for.
            let isTight = try anyone().cacheStatus().budget < 1 << 20
            try command(
                "cache", "warm", "--stream", stream, "--layout-key", key, allowing: isTight ? [0, 1] : [0])
        case 1:
            history.append("asks the command for a rectangle of \(key)")
            try command("rect", "--stream", stream, "--layout-key", key, "--rect", "0,0,800,5000")
        case 2:
            history.append("lets the command verify")
            try command("cache", "verify")
        default:
            history.append("clears by the command")
            try command("cache", "clear")
        }
    }

    /// Another stream is written to: the log is shared, the answers are not.
    func noise() throws {
        let count = random.element(of: [1, 40, 1_500])
        history.append("writes \(count) photos of another stream")
        try gallery.shell(
            """
            DELETE FROM photo WHERE streamId = (SELECT id FROM stream WHERE name = 'noise') AND externalId LIKE '%5';
            INSERT INTO photo (streamId, externalId, width, height)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            SELECT (SELECT id FROM stream WHERE name = 'noise'), \(fresh()) || '-' || i, 30, 20 FROM n;
            """)
    }

    /// Drops a part of the derived data, which can always be computed from the photos.
    func damage() throws {
        let statement = random.element(of: [
            "DELETE FROM layoutFrames WHERE chunkId % 2 = 0", "DELETE FROM streamIndex",
            "DELETE FROM layout WHERE id % 2 = 0",
        ])
        history.append(statement)
        try gallery.shell(statement)
        // The counted bytes are a part of it.
        try gallery.service.database.write { writer in
            for size in try writer.reader.layoutSizes() { try writer.countBytes(ofLayout: size.layout.id) }
        }
    }

    /// Some photos, at least one.
    private func chosen(oneIn chance: Int) -> [String] {
        let ids = stream.photos.map(\.id).filter { _ in random.oneIn(chance) }
        return ids.isEmpty ? [randomID()] : ids
    }

    private func list(_ ids: [String]) -> String { ids.map { "'\($0)'" }.joined(separator: ",") }
}
