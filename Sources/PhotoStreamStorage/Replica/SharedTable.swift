import PhotoStreamModel

/// A table that all files of one PostgreSQL database share; a file's other tables are its own.
///
/// Tables, columns and ids have the same names and meanings in both databases. The cases are in an order in which rows can be
/// inserted: a row refers to rows of earlier tables only.
package enum SharedTable: String, CaseIterable, Sendable {
    case secret, stream, photo, picture, pictureRevision, declaredRoot, deletedPhoto, tombstone, importRun,
        importFailure, token, share, session

    /// A column with the type that both databases give it.
    package struct Column: Hashable, Sendable {
        /// The type of a column.
        package enum Kind: Sendable {
            case integer, real, text, bytes
        }

        /// The name, quoted where SQL needs it.
        package let name: String
        /// The type.
        package let kind: Kind

        /// Creates a column with the type that its name implies.
        package init(_ name: String) {
            self.name = name == "column" ? "\"column\"" : name
            kind =
                switch name {
                case "latitude", "longitude", "oldLatitude", "oldLongitude": .real
                case "hash", "cursorKey", "imageKey", "formerImageKey", "pictureKey", "decodedPlaceholder": .bytes
                case let name where Self.texts.contains(name): .text
                default: .integer
                }
        }

        private static let texts: Set<String> = Set(
            [
                "name", "externalId", "sources", "source", "reason", "path", "resolvedPath", "oldExternalId", "stack",
                "oldStack", "rule", "description", "cover",
            ]
                + (PhotoText.allCases.map(\.name.description) + PhotoList.allCases.map(\.name.description))
                .flatMap { [$0, oldName($0)] })

        /// Returns the name of the column of the change log for the value before.
        static func oldName(_ name: String) -> String {
            "old" + name.prefix(1).uppercased() + name.dropFirst()
        }
    }

    /// The columns that a program writes; the first is the row id.
    package var columns: [Column] { Self.columns[self] ?? [] }

    /// The names of the columns, separated by commas.
    package var columnList: String { columns.map(\.name).joined(separator: ", ") }

    /// Whether an updated row is inserted if the primary has none: its own triggers delete the results of photos that
    /// the same transaction has changed.
    package var insertsMissing: Bool { self == .picture || self == .pictureRevision }

    /// Whether rows that belong to one file only refer to rows of the table, which therefore keep their place when all
    /// are copied.
    var isReferred: Bool { [.stream, .photo, .declaredRoot].contains(self) }

    /// Whether SQLite remembers the greatest id that the table ever had, so that ids are never reused.
    package var remembersIDs: Bool { [.stream, .token, .share, .session].contains(self) }

    /// The columns of a row of the change log; the first is the revision and the second its tag.
    package static let changeColumns =
        ([
            "revision", "tag", "streamId", "photoId", "kind", "oldTime", "oldRank", "newTime", "newRank", "oldWidth",
            "oldHeight", "oldHasCaption", "oldExternalId", "oldLatitude", "oldLongitude", "changedColumns",
        ] + loggedColumns.map(Column.oldName)).map { Column($0) }

    /// The columns of `photo` whose former values are in the log only if they have changed, in the order of the bits of
    /// `changedColumns`.
    ///
    /// With them, a condition, a layout or a text of any earlier state within the log is computed from the current
    /// photos.
    package static let loggedColumns = [
        "caption", "alt", "title", "tags", "camera", "location", "rating", "takenAtMilliseconds", "utcOffsetMinutes",
        "takenAtPrecision", "orientation", "editedFields", "contentHash", "metricsSource", "color", "placeholder",
        "lens", "iso", "aperture", "exposureTime", "focalLength", "people", "takenAtSource",
        "duration", "codec", "stack", "stackRank", "stackKind", "favourite", "albums", "archived",
    ]

    private static let columns: [SharedTable: [Column]] = {
        let photo = PhotoColumn.inserted.map(\.name) + ["movedTime", "movedRank", "movedFromOrderTime"]
        let names: [SharedTable: [String]] = [
            .secret: ["id", "cursorKey", "imageKey", "formerImageKey"],
            .stream: [
                "id", "name", "createdAtMilliseconds", "streamOrder", "sourceId", "rule", "ruleRevision", "description",
                "cover",
            ],
            .photo: photo,
            .picture: [
                "id", "streamId", "byteCount", "modifiedNanoseconds", "orientation", "hash", "pictureKey",
                "decodedPlaceholder", "decodedColor",
            ],
            .pictureRevision: ["id", "revision", "raisedAtMilliseconds", "isDue", "tag", "nextTag"],
            .declaredRoot: ["id", "streamId", "path", "resolvedPath", "addedAtMilliseconds"],
            .deletedPhoto: [
                "id", "deletedAtMilliseconds", "photoId", "orderTime", "orderRank", "decodedPlaceholder",
                "decodedColor", "isPruned",
            ] + photo.dropFirst(),
            .tombstone: [
                "id", "streamId", "byteCount", "hash", "externalId", "deletedAtMilliseconds", "isPruned",
            ],
            .importRun: [
                "id", "streamId", "sources", "startedAtMilliseconds", "finishedAtMilliseconds", "readCount",
                "insertedCount", "updatedCount", "unchangedCount", "duplicateCount", "rejectedCount", "assumedCount",
            ],
            .importFailure: ["id", "importRunId", "source", "line", "column", "externalId", "reason"],
            .token: [
                "id", "name", "hashStart", "hash", "scope", "streamId", "createdAtMilliseconds",
                "expiresAtMilliseconds",
            ],
            .share: [
                "id", "name", "hashStart", "hash", "streamId", "showsPositions", "showsNames", "sendsOriginals",
                "createdAtMilliseconds", "expiresAtMilliseconds",
            ],
            .session: [
                "id", "hashStart", "hash", "tokenId", "isLink", "createdAtMilliseconds", "expiresAtMilliseconds",
            ],
        ]
        return names.mapValues { $0.map { Column($0) } }
    }()
}

/// A value of a ``SharedTable``.
package enum SharedValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
}

/// Rows that are read one after the other, so that a large table is never in memory as a whole.
package struct SharedRows {
    /// A row: the value of each column, by its position.
    package typealias Row = (Int) throws -> SharedValue

    private let visit: (_ body: (Row) throws -> Void) throws -> Void

    /// Creates rows from a function that calls its argument with each of them.
    package init(_ visit: @escaping (_ body: (Row) throws -> Void) throws -> Void) {
        self.visit = visit
    }

    /// Creates rows from values in memory.
    package init(_ rows: [[SharedValue]]) {
        visit = { body in
            for row in rows { try body { row[$0] } }
        }
    }

    /// Calls `body` with each row.
    package func forEach(_ body: (Row) throws -> Void) throws { try visit(body) }

    /// Returns all values of all rows.
    package func values(columnCount: Int) throws -> [[SharedValue]] {
        var values: [[SharedValue]] = []
        try forEach { row in values.append(try (0..<columnCount).map(row)) }
        return values
    }
}

extension SharedValue: SQLValue {
    func bind(to index: Int32, of statement: RawStatement) throws {
        switch self {
        case .null: statement.bind(index, to: Int64?.none)
        case .integer(let number): statement.bind(index, to: number)
        case .real(let number): statement.bind(index, to: number)
        case .text(let text): try statement.bind(index, copying: text)
        case .bytes(let bytes): try statement.bind(index, copyingBytes: bytes)
        }
    }
}

extension RawStatement {
    /// Binds a row, one parameter for each column, and runs the statement.
    func run(_ row: SharedRows.Row, columnCount: Int) throws {
        for column in 0..<columnCount { try row(column).bind(to: Int32(column + 1), of: self) }
        try run()
    }

    /// Reads a row of a shared table.
    func values(of columns: [SharedTable.Column]) -> [SharedValue] {
        columns.enumerated().map { value(of: $1, at: Int32($0)) }
    }

    /// Reads a value of a shared table.
    func value(of column: SharedTable.Column, at index: Int32) -> SharedValue {
        guard !isNull(index) else { return .null }
        return switch column.kind {
        case .integer: .integer(integer(index))
        case .real: .real(double(index))
        case .text: .text(text(index))
        case .bytes: .bytes(bytes(index))
        }
    }
}
