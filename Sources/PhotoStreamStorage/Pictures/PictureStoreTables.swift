import GRDB
import PhotoStreamModel

/// The statements of a file of thumbnails, in a transaction of its connection.
struct PictureStoreTables {
    /// The tables.
    ///
    /// The id of a thumbnail is made of the picture's id and its kind, so that no second index is needed and the
    /// thumbnails of a picture are adjacent. The day has a table of its own, because SQLite rewrites a row as a whole.
    static let schema = """
        CREATE TABLE picture (
            id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND \(Int64(1) << 48)),
            pictureKey BLOB NOT NULL UNIQUE,
            day INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX pictureDay ON picture (day, id);
        CREATE TABLE thumbnail (
            id INTEGER PRIMARY KEY,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        """

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    // MARK: - Reading

    /// Returns a thumbnail, the day of the picture's last use, and whether the thumbnail has its checksum.
    func thumbnail(
        key: PictureKey, kind: ThumbnailKind
    ) throws -> (thumbnail: StoredThumbnail, day: Int32, isIntact: Bool)? {
        let sql = """
            SELECT thumbnail.width, thumbnail.height, thumbnail.checksum, thumbnail.bytes, picture.day
            FROM picture JOIN thumbnail ON thumbnail.id = picture.id * \(Self.idsPerPicture) + ?2
            WHERE picture.pictureKey = ?1
            """
        return try database.first(sql, with: key.bytes, Self.number(of: kind)) { row in
            let thumbnail = StoredThumbnail(
                kind: kind, width: Int(row.integer(0)), height: Int(row.integer(1)), bytes: row.bytes(3))
            return (
                thumbnail, Int32(clamping: row.integer(4)), row.integer(2) == Self.checksum(of: thumbnail, key: key)
            )
        }
    }

    /// Returns the kinds of thumbnails of a picture.
    func kinds(of key: PictureKey) throws -> Set<ThumbnailKind> {
        guard let id = try id(of: key) else { return [] }
        let (first, end) = (id * Self.idsPerPicture, (id + 1) * Self.idsPerPicture)
        let ids = try database.integers("SELECT id FROM thumbnail WHERE id >= ?1 AND id < ?2", with: first, end)
        return Set(ids.compactMap { Self.kind(of: $0 % Self.idsPerPicture) })
    }

    /// The number of pictures.
    var count: Int { get throws { Int(try database.number("SELECT count(*) FROM picture INDEXED BY pictureDay")) } }

    /// The number of bytes of the pages in use.
    var byteCount: Int64 {
        get throws {
            try (database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")) * Self.pageByteCount
        }
    }

    // MARK: - Writing

    /// Adds thumbnails of a picture that is used today, after evicting others if they need room.
    func add(key: PictureKey, _ thumbnails: [StoredThumbnail], day: Int32, budgetBytes: Int64) throws {
        let needed = thumbnails.reduce(Self.pageByteCount) { $0 + Self.expectedByteCount(of: $1) }
        guard needed + Self.emptyByteCount <= budgetBytes else { return }
        let id = try idAfterUse(of: key, on: day)
        try evict(except: id, toByteCount: budgetBytes - needed)
        for thumbnail in thumbnails {
            let row: KeyValuePairs<StaticString, any SQLValue> = [
                "id": id * Self.idsPerPicture + Self.number(of: thumbnail.kind), "width": thumbnail.width,
                "height": thumbnail.height, "checksum": Self.checksum(of: thumbnail, key: key),
                "bytes": thumbnail.bytes,
            ]
            try RawStatement(database, into: "thumbnail", replacing: true, row: row).run()
        }
        try evict(except: id, toByteCount: budgetBytes)
        // A picture that is stored in ever more sizes may exceed the budget alone.
        if try byteCount > budgetBytes { try delete(id) }
        try shrink(toByteCount: budgetBytes)
    }

    /// Sets the day of last use of pictures that still exist.
    func note(_ uses: [PictureKey: Int32]) throws {
        let statement = try RawStatement(
            database, sql: "UPDATE picture SET day = ?2 WHERE pictureKey = ?1 AND day < ?2")
        for (key, day) in uses { try statement.run(with: key.bytes, Int64(day)) }
    }

    /// Deletes a picture.
    func delete(_ key: PictureKey) throws {
        if let id = try id(of: key) { try delete(id) }
    }

    private func idAfterUse(of key: PictureKey, on day: Int32) throws -> Int64 {
        let sql = """
            INSERT INTO picture (pictureKey, day) VALUES (?1, ?2)
            ON CONFLICT (pictureKey) DO UPDATE SET day = max(day, excluded.day) RETURNING id
            """
        var id: Int64 = 0
        try database.forEach(sql, with: key.bytes, Int64(day)) { id = $0.integer(0) }
        return id
    }

    private func id(of key: PictureKey) throws -> Int64? {
        try database.first("SELECT id FROM picture WHERE pictureKey = ?1", with: key.bytes) { $0.integer(0) }
    }

    private func delete(_ id: Int64) throws {
        try database.run(
            "DELETE FROM thumbnail WHERE id BETWEEN ?1 AND ?2", with: id * Self.idsPerPicture,
            (id + 1) * Self.idsPerPicture - 1)
        try database.run("DELETE FROM picture WHERE id = ?1", with: id)
    }

    /// Deletes the pictures that were used least recently until the file is small enough or only one is left.
    private func evict(except kept: Int64, toByteCount limit: Int64) throws {
        let oldest = try RawStatement(
            database, sql: "SELECT id FROM picture INDEXED BY pictureDay WHERE id <> ?1 ORDER BY day, id LIMIT 1")
        while try byteCount > limit {
            try oldest.bind(kept)
            guard let id = try oldest.first({ $0.integer(0) }) else { return }
            try delete(id)
        }
    }

    /// Returns free pages to the disk if the file is too large, such as after the budget was reduced.
    private func shrink(toByteCount limit: Int64) throws {
        let excess = try database.number("PRAGMA page_count") - limit / Self.pageByteCount
        guard excess > 0 else { return }
        try database.run("PRAGMA incremental_vacuum(\(excess))")
    }

    // MARK: - Checking

    /// Compares some thumbnails with their checksums, in the order of their ids.
    func check(
        from first: Int64, limit: Int, examine: (StoredThumbnail) -> String?
    ) throws -> (count: Int, last: Int64?, problems: [String]) {
        let sql = """
            SELECT thumbnail.id, picture.pictureKey, thumbnail.width, thumbnail.height, thumbnail.checksum,
                thumbnail.bytes
            FROM thumbnail LEFT JOIN picture ON picture.id = thumbnail.id / \(Self.idsPerPicture)
            WHERE thumbnail.id >= ?1 ORDER BY thumbnail.id LIMIT ?2
            """
        var (count, last, problems): (Int, Int64?, [String]) = (0, nil, [])
        try database.forEach(sql, with: first, limit) { row in
            let id = row.integer(0)
            (count, last) = (count + 1, id)
            guard let key = PictureKey(bytes: row.bytes(1)) else {
                problems.append("thumbnail \(id) belongs to no picture")
                return
            }
            guard let kind = Self.kind(of: id % Self.idsPerPicture) else {
                problems.append("thumbnail \(id) of \(key) has a size or format that does not exist")
                return
            }
            let thumbnail = StoredThumbnail(
                kind: kind, width: Int(row.integer(2)), height: Int(row.integer(3)), bytes: row.bytes(5))
            let isIntact = row.integer(4) == Self.checksum(of: thumbnail, key: key)
            guard let problem = isIntact ? examine(thumbnail) : "is damaged" else { return }
            problems.append("the thumbnail of \(key) with \(kind.size.rawValue) pixels \(problem)")
        }
        return (count, last, problems)
    }

    /// Calls a closure with each thumbnail that is intact and with the day of its picture's last use, in the order of ids.
    func forEachThumbnail(descending: Bool, _ body: (PictureKey, StoredThumbnail, Int32) throws -> Void) throws {
        let sql = """
            SELECT thumbnail.id, picture.pictureKey, thumbnail.width, thumbnail.height, thumbnail.checksum,
                thumbnail.bytes, picture.day
            FROM thumbnail JOIN picture ON picture.id = thumbnail.id / \(Self.idsPerPicture)
            ORDER BY thumbnail.id \(descending ? "DESC" : "ASC")
            """
        try database.forEach(sql) { row in
            guard let key = PictureKey(bytes: row.bytes(1)),
                let kind = Self.kind(of: row.integer(0) % Self.idsPerPicture)
            else { return }
            let thumbnail = StoredThumbnail(
                kind: kind, width: Int(row.integer(2)), height: Int(row.integer(3)), bytes: row.bytes(5))
            guard row.integer(4) == Self.checksum(of: thumbnail, key: key) else { return }
            try body(key, thumbnail, Int32(clamping: row.integer(6)))
        }
    }

    /// Returns the findings of SQLite's own check.
    func integrityProblems() throws -> [String] {
        try database.rows("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
            .map { "SQLite's integrity check: \($0)" }
    }
}

extension PictureStoreTables {
    /// SQLite's default, which no statement changes.
    static let pageByteCount: Int64 = 4_096
    /// The size of a file without thumbnails, rounded up.
    private static let emptyByteCount: Int64 = 16 * pageByteCount
    /// The number of ids of the thumbnails of a picture.
    private static let idsPerPicture: Int64 = 1 << 13

    private static func number(of kind: ThumbnailKind) -> Int64 {
        Int64(kind.size.rawValue) << 1 | Int64(kind.format.rawValue)
    }

    private static func kind(of number: Int64) -> ThumbnailKind? {
        guard let size = ThumbnailSize(rawValue: UInt16(clamping: number >> 1)),
            let format = ThumbnailFormat(rawValue: UInt8(number & 1))
        else { return nil }
        return ThumbnailKind(size, as: format)
    }

    /// Returns the maximum space of a thumbnail: its overflow pages, and one for the rest.
    private static func expectedByteCount(of thumbnail: StoredThumbnail) -> Int64 {
        (Int64(thumbnail.bytes.count) / (pageByteCount - 4) + 2) * pageByteCount
    }

    /// Returns a number that differs for almost all other thumbnails.
    ///
    /// It consumes eight bytes at a time, with one multiplication and one rotation each, as FNV does with one byte.
    static func checksum(of thumbnail: StoredThumbnail, key: PictureKey) -> Int64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ word: UInt64) {
            sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
            sum = sum << 29 | sum >> 35
        }
        add(UInt64(truncatingIfNeeded: number(of: thumbnail.kind)))
        add(UInt64(truncatingIfNeeded: thumbnail.width))
        add(UInt64(truncatingIfNeeded: thumbnail.height))
        add(UInt64(thumbnail.bytes.count))
        for bytes in [key.bytes, thumbnail.bytes] {
            unsafe bytes.withUnsafeBytes { buffer in
                let wordCount = buffer.count / 8
                for index in 0..<wordCount {
                    unsafe add(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
                }
                unsafe buffer.dropFirst(wordCount * 8).forEach { add(UInt64($0)) }
            }
        }
        return Int64(bitPattern: sum)
    }
}
