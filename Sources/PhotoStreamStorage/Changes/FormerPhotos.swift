import GRDB
package import PhotoStreamModel

extension PhotoReader {
    /// Passes photos of a stream to `body` as they were at a revision, from the current ones and the log.
    ///
    /// The former value of a column is that of the first row of the log that changed it, or the current one. Columns
    /// that no condition reads are not logged: the cleared fields, the fields of the file, and the origin of a caption.
    ///
    /// - Parameters:
    ///   - ids: Photos that the stream had at the revision.
    ///   - streamID: The stream's row id.
    ///   - revision: The revision.
    ///   - body: Receives an id and the photo; one that the stream did not have may be missing.
    /// - Throws: The errors of reading and of `body`, and `CancellationError`.
    /// - Precondition: The log is complete since the revision: ``hasAllChanges(streamID:after:)``.
    /// - Complexity: O(rows of the log after the revision, of all streams), and a look-up for each photo.
    package func forEachPhoto(
        _ ids: Set<PhotoID>, streamID: Int64, at revision: Int64, body: (PhotoID, Photo) throws -> Void
    ) throws {
        guard !ids.isEmpty else { return }
        var former = FormerRows(ids)
        let rows = try Row.fetchCursor(database, sql: FormerRows.sql, arguments: [revision, streamID])
        while let row = try rows.next() {
            try Task.checkCancellation()
            former.undo(row)
        }
        for id in ids {
            try Task.checkCancellation()
            let found = try former.row(of: id).map { try photo($0) } ?? photo(streamID: streamID, id: id)?.photo
            if let found { try body(id, found) }
        }
    }

    /// Returns the photo with former values, and the current ones of the other columns.
    private func photo(_ former: FormerRow) throws -> Photo? {
        let current =
            former.isWhole ? nil : try Row.fetchOne(database, sql: PhotoSQL.byRowID, arguments: [former.rowID])
        let statement = try RawStatement(database, sql: FormerRow.sql)
        for (index, column) in PhotoColumn.allCases.enumerated() {
            let value = former.values[column.name] ?? current?[index] ?? DatabaseValue.null
            try value.bind(to: column.index + 1, of: statement)
        }
        defer { statement.clear() }
        return try statement.first { try PhotoRow.photo($0) }
    }
}

/// The former rows of photos, out of the log from its oldest row on.
private struct FormerRows {
    /// The rows of the log of a stream: revision, stream.
    static let sql = """
        SELECT photoId, kind, changedColumns, oldExternalId, oldWidth, oldHeight, oldLatitude, oldLongitude, \(loggedNames)
        FROM change WHERE revision > ?1 AND streamId = ?2 AND oldExternalId IS NOT NULL ORDER BY revision
        """

    private static let loggedNames = SharedTable.loggedColumns.map(SharedTable.Column.oldName).joined(separator: ", ")
    /// The columns whose former values each row of the log has.
    private static let alwaysLogged = ["externalId", "width", "height", "latitude", "longitude"]
    /// The columns of the first of these values, and of the first of those that are logged if they have changed.
    private static let (firstValue, firstLogged) = (3, 3 + alwaysLogged.count)

    private let ids: Set<PhotoID>
    private var rows: [PhotoID: FormerRow] = [:]
    /// The photos by the row ids in the log.
    private var owners: [Int64: PhotoID] = [:]

    init(_ ids: Set<PhotoID>) {
        self.ids = ids
    }

    func row(of id: PhotoID) -> FormerRow? { rows[id] }

    /// Adds the former values of the next row of the log, of columns that no row before has changed.
    mutating func undo(_ logged: Row) {
        guard let id = photo(of: logged) else { return }
        var row = rows[id] ?? FormerRow()
        row.rowID = logged[0]
        row.isWhole = logged[1] != Int64(ChangeRow.Kind.updated.rawValue)
        let changed: Int64 = logged[2] ?? 0
        for (offset, name) in Self.alwaysLogged.enumerated() {
            row.add(logged[Self.firstValue + offset], of: name)
        }
        for (bit, name) in SharedTable.loggedColumns.enumerated() where row.isWhole || changed & 1 << Int64(bit) != 0 {
            row.add(logged[Self.firstLogged + bit], of: name)
        }
        rows[id] = row
    }

    /// The photo that a row of the log is about; `nil` for one that is not asked for, or whose values are all known.
    private mutating func photo(of logged: Row) -> PhotoID? {
        let rowID: Int64 = logged[0]
        if let id = owners[rowID], rows[id]?.isWhole == false { return id }
        // A photo that was not removed has its id even if another program gave it another row id.
        let id = PhotoID(stored: logged[Self.firstValue])
        guard ids.contains(id), rows[id]?.isWhole != true else { return nil }
        owners[rowID] = id
        return id
    }
}

/// The values of a photo at a revision that differ from the current ones, or all of a photo that was removed.
private struct FormerRow {
    /// Reads a photo out of the values of its columns.
    static let sql = "SELECT \(PhotoColumn.allCases.map(\.parameter).joined(separator: ", "))"

    var rowID: Int64 = 0
    /// Whether no current value is needed.
    var isWhole = false
    private(set) var values: [String: DatabaseValue] = [:]

    /// Adds the former value of a column unless an earlier one is known.
    mutating func add(_ value: DatabaseValue, of name: String) {
        if values[name] == nil { values[name] = value }
    }
}

extension DatabaseValue: SQLValue {
    func bind(to index: Int32, of statement: RawStatement) throws {
        switch storage {
        case .null: statement.bind(index, to: Int64?.none)
        case .int64(let number): statement.bind(index, to: number)
        case .double(let number): statement.bind(index, to: number)
        case .string(let text): try statement.bind(index, copying: text)
        case .blob(let data): try statement.bind(index, copyingBytes: [UInt8](data))
        }
    }
}
