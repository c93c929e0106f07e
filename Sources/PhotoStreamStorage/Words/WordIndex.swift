import GRDB
package import PhotoStreamModel
import Synchronization

/// The index of the words of all photos, as one transaction sees it.
///
///     if let index = try reader.wordIndex() {
///         let found = try index.photos(with: search)
///         let isFound = found.mask(of: photos)  // counts where index.mask(of: photos) is set
///     }
package struct WordIndex {
    private let database: Database
    private let file: OpenFile
    private let state: WordIndexState
    /// The photos that the log shows as changed since their documents were written.
    private let changed: RowIDSet

    fileprivate init(_ reader: PhotoReader, state: WordIndexState, changed: RowIDSet) {
        (database, file, self.state, self.changed) = (reader.database, reader.file, state, changed)
    }

    /// Whether the index has the current words of the photo with a row id.
    package func contains(_ photo: Int64) -> Bool {
        1 <= photo && photo <= state.lastPhotoID && !changed.contains(photo)
    }

    /// Returns the mask of the photos whose current words the index has, given by their row ids.
    package func mask(of photos: [Int64]) -> PhotoMask {
        var mask = PhotoMask(count: photos.count) { 1 <= photos[$0] && photos[$0] <= state.lastPhotoID }
        mask.formIntersection(changed.mask(of: photos).inverted)
        return mask
    }

    /// Returns the photos with some words.
    ///
    /// - Parameter search: The words, and the columns in which they are searched.
    /// - Returns: The row ids, which count only for photos that the index contains; `nil` if the index is damaged, and
    ///   disregarded from now on.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(photos found + photos with newer documents).
    package func photos(with search: Condition.WordSearch) throws -> RowIDSet? {
        do {
            return try search.columns.isEmpty ? RowIDSet() : documents(with: search)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            file.state.withLock { $0.distrustsWords = true }
            return nil
        }
    }

    private func documents(with search: Condition.WordSearch) throws -> RowIDSet {
        var found = RowIDSet()
        var newer: [Int64] = []
        try database.forEach("SELECT rowid FROM photoWords WHERE photoWords MATCH ?", with: search.expression) { row in
            let document = row.integer(0)
            if document > 0 { found.insert(document) } else { newer.append(document) }
        }
        for photo in try database.integers("SELECT photoId FROM photoWordsNewer") { found.remove(photo) }
        let photo = try RawStatement(database, sql: "SELECT photoId FROM photoWordsNewer WHERE document = ?")
        for document in newer {
            try photo.bind(document)
            if let id = try photo.first({ $0.integer(0) }) { found.insert(id) }
        }
        return found
    }
}

extension PhotoReader {
    /// The maximum number of changed photos that a reader examines itself.
    private static let changeLimit = 20_000

    /// Returns the index of words.
    ///
    /// - Returns: `nil` if there is none, or if the log does not reach back to its state.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(changes since it was written).
    package func wordIndex() throws -> WordIndex? {
        guard let state = try wordIndexState(), state.lastPhotoID > 0 else { return nil }
        let sql = "SELECT photoId FROM change WHERE revision > ? LIMIT \(Self.changeLimit + 1)"
        let changed = try database.integers(sql, with: state.consumed.rawValue)
        guard changed.count <= Self.changeLimit else { return nil }
        return WordIndex(self, state: state, changed: changed.reduce(into: RowIDSet()) { $0.insert($1) })
    }

    /// Whether the index of words lacks photos or changes.
    ///
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(1).
    package func wordIndexIsBehind() throws -> Bool {
        guard let state = try wordIndexState() else {
            return try database.exists("SELECT 1 FROM photo LIMIT 1")
        }
        return try lastRevision() ?? 0 != state.consumed.rawValue
            || database.exists("SELECT 1 FROM photo WHERE id > ? LIMIT 1", with: state.lastPhotoID)
    }

    /// Returns the state of the index; `nil` if it must be built from the beginning.
    func wordIndexState() throws -> WordIndexState? {
        guard !file.state.withLock({ $0.distrustsWords }),
            let state = try database.first(WordIndexState.sql, read: WordIndexState.init(row:)),
            try state.consumed.rawValue >= logStart(), try isKnown(state.consumed)
        else { return nil }
        return state
    }
}

extension PhotoReader {
    /// Compares the index of words with a sample of photos.
    ///
    /// - Parameter sampleCount: The number of photos.
    /// - Returns: A sentence if a photo is not found by its words.
    /// - Throws: `DatabaseError` if SQLite fails.
    /// - Complexity: O(sample × words of a photo).
    package func wordDifferences(sampleCount: Int) throws -> [String] {
        guard let index = try wordIndex() else { return [] }
        let last = try database.number("SELECT lastPhotoId FROM photoWordsState")
        let step = max(1, last / Int64(max(1, sampleCount)))
        let photos = try stride(from: 0, to: last, by: Int64.Stride(step)).compactMap { id in
            try database.first(PhotoSQL.afterRowID, with: id, Int64(1), read: PhotoRow.storedPhoto)
        }
        let wrong = try photos.filter { try index.contains($0.rowID) && !index.finds($0) }
        guard !wrong.isEmpty else { return [] }
        return [
            """
            the index of words is damaged: it does not find \(wrong.count) of \(photos.count) photos; \
            `photostream cache clear` repairs it
            """
        ]
    }
}

extension WordIndex {
    /// Whether the index finds a photo by the first words of each of its texts.
    fileprivate func finds(_ photo: StoredPhoto) throws -> Bool {
        for column in WordColumn.allCases {
            for text in column.texts(of: photo.photo) {
                guard let phrase = SearchPhrase(SearchWords(text).words.prefix(3).joined(separator: " ")) else {
                    continue
                }
                let found = try photos(with: Condition.WordSearch(phrase, in: [column]))
                guard found?.contains(photo.rowID) == true else { return false }
            }
        }
        return true
    }
}

extension Condition.WordSearch {
    /// The search in the language of FTS5.
    ///
    /// Words contain no quotation marks.
    fileprivate var expression: String {
        let columns = columns.map(\.rawValue).joined(separator: " ")
        return "{\(columns)} : \"\(words.words.joined(separator: " "))\"\(words.isPrefix ? " *" : "")"
    }
}

/// The state of the index of words.
struct WordIndexState: Equatable {
    /// The last row of the change log that the documents contain.
    var consumed: Revision
    /// Photos with row ids from 1 to this one have documents.
    var lastPhotoID: Int64 = 0
    /// The least number of a document that was ever used, or 0.
    var leastDocument: Int64 = 0

    static let sql = "SELECT consumedRevision, consumedTag, lastPhotoId, leastDocument, checksum FROM photoWordsState"

    init(consumed: Revision) {
        self.consumed = consumed
    }

    /// Reads a row; `nil` if its checksum is wrong.
    init?(row: RawStatement) throws {
        consumed = Revision(try row.revision(0), tag: row.integer(1))
        (lastPhotoID, leastDocument) = (row.integer(2), row.integer(3))
        guard checksum == row.integer(4) else { return nil }
    }

    private var checksum: Int64 {
        var sum = RowChecksum(.wordIndex)
        for number in [consumed.rawValue, consumed.tag ?? 0, lastPhotoID, leastDocument] { sum.add(number) }
        return sum.value
    }

    func write(to database: Database) throws {
        let row: KeyValuePairs<StaticString, any SQLValue> = [
            "id": Int64(1), "consumedRevision": consumed.rawValue, "consumedTag": consumed.tag ?? 0,
            "lastPhotoId": lastPhotoID, "leastDocument": leastDocument, "checksum": checksum,
        ]
        try RawStatement(database, into: "photoWordsState", replacing: true, row: row).run()
    }
}
