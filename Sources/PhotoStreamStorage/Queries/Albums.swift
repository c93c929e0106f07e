import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// Returns the photos of a stream whose albums a closure accepts, hidden members of stacks included.
    ///
    /// - Complexity: O(photos of the file).
    package func albums(
        streamID: Int64, where isMet: ([String]) -> Bool
    ) throws -> [(id: PhotoID, albums: [String])] {
        let sql = "SELECT externalId, albums FROM photo NOT INDEXED WHERE albums IS NOT NULL AND streamId = ?"
        return try database.rows(sql, with: streamID) { row in
            let albums = JSONTextList.decode(row.text(1))
            return isMet(albums) ? (id: PhotoID(stored: row.text(0)), albums: albums) : nil
        }.compactMap(\.self)
    }
}
