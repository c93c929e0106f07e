import Foundation
import Testing

extension Command {
    /// Creates a file with a stream `many` that contains `count` photos, without derived data.
    func makeManyPhotos(_ count: Int) throws {
        try #require(try self("streams", "create", "many").status == 0)
        let sql = """
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
            INSERT INTO photo (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
            SELECT 1, 'photo-' || n, 300 + n * 7919 % 3000, 300 + n * 104729 % 2000, n * 100000, 2 FROM number
            """
        // Without triggers, since the first write would trim that many rows of the change log, which takes long.
        _ = try ProcessRunner(folder: folder.path).sqlite(
            url("photostream.sqlite").path, ".dbconfig enable_trigger off", sql,
            ".dbconfig enable_trigger on", "UPDATE photo SET width = 640 WHERE id = 1")
    }
}
