import Foundation
import GRDB
package import PhotoStreamModel
import Synchronization

/// A stored thumbnail.
package struct StoredThumbnail: Hashable, Sendable {
    /// The size and the format.
    package let kind: ThumbnailKind
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The encoded picture.
    package let bytes: [UInt8]

    /// Creates a thumbnail.
    package init(kind: ThumbnailKind, width: Int, height: Int, bytes: [UInt8]) {
        (self.kind, self.width, self.height, self.bytes) = (kind, width, height, bytes)
    }
}

/// The thumbnails of pictures in a separate SQLite file, bounded in bytes.
///
///     let store = try PictureStore(path: "photos.pictures.sqlite", budgetBytes: 10 << 30, today: { 20_000 })
///     try store.add(key: key, thumbnails)
///     let thumbnail = try store.thumbnail(key: key, kind: ThumbnailKind(.pixels320, as: .webP))
///
/// Several processes may use a file at once, and it may be deleted at any time: the next call creates another one. A
/// file that SQLite reports as corrupt counts as empty, without an error. The next start renames it and copies its
/// readable rows. Every picture has a day of last use; the least recently used are evicted first and, within a day, in
/// the order in which they were added.
package final class PictureStore: Sendable {
    /// The path of the file.
    package let path: String
    /// The maximum number of bytes in the file, without its write-ahead log.
    package let budgetBytes: Int64
    private let today: @Sendable () -> Int32
    private let state: Mutex<State>

    private struct State {
        static let maximumUseCount = 65_536
        static let useCountOfWrite = 256
        var file: PictureStoreFile
        /// Whether SQLite has reported the file as corrupt, so that it counts as empty.
        var isDamaged = false
        /// The days of the uses that have not been written yet.
        var uses: [PictureKey: Int32] = [:]
        var isWritingUses = false
    }

    /// Opens or creates a store, and copies the readable rows of a damaged one.
    ///
    /// - Parameters:
    ///   - path: The file's path. SQLite keeps two more files next to it while it is open.
    ///   - budgetBytes: The maximum number of bytes in the file.
    ///   - today: The number of the current day.
    /// - Throws: ``StorageError`` if the file can neither be opened nor replaced, or belongs to another program.
    package init(path: String, budgetBytes: Int64, today: @escaping @Sendable () -> Int32) throws {
        (self.path, self.budgetBytes, self.today) = (path, budgetBytes, today)
        let file = try PictureStoreFile.open(path)
        file.takeRowsSetAside(budgetBytes: budgetBytes)
        state = Mutex(State(file: file))
    }

    /// Returns the damage to the structures of a store, in SQLite's words, without changing it.
    ///
    /// - Parameter path: The store's path.
    /// - Returns: `nil` if there is no damage, or no store.
    /// - Complexity: O(bytes of the store).
    package static func damage(of path: String) -> String? { PictureStoreFile.damage(of: path) }

    /// Returns a thumbnail, if the store has it.
    ///
    /// The first use of a picture on a day is recorded, and written later.
    ///
    /// - Throws: ``StorageError``, but not for damage: the thumbnail then counts as missing.
    package func thumbnail(key: PictureKey, kind: ThumbnailKind) throws -> StoredThumbnail? {
        let today = today()
        let found = try reading(orIfEmpty: nil) { database in
            try PictureStoreTables(database).thumbnail(key: key, kind: kind)
        }
        guard let found else { return nil }
        if found.day < today { note(key, on: today) }
        guard found.isIntact else {
            try? writing { try PictureStoreTables($0).delete(key) }
            return nil
        }
        return found.thumbnail
    }

    /// Whether the store has thumbnails of some kinds of a picture, as far as it is readable.
    package func contains(key: PictureKey, kinds: some Sequence<ThumbnailKind>) -> Bool {
        let stored = try? reading(orIfEmpty: []) { try PictureStoreTables($0).kinds(of: key) }
        return kinds.allSatisfy { stored?.contains($0) == true }
    }

    /// Adds thumbnails of a picture, and replaces those of the same kind.
    ///
    /// - Throws: ``StorageError``, with ``StorageFailure/diskFull`` if there is no room for them. The store is then
    ///   unchanged and can still be used.
    package func add(key: PictureKey, _ thumbnails: [StoredThumbnail]) throws {
        try add([(key, thumbnails)])
    }

    /// Adds the thumbnails of several pictures in one transaction.
    ///
    /// Other pictures are evicted first, so that the file stays within its budget. A picture that alone exceeds the
    /// budget is not stored.
    package func add(_ pictures: [(key: PictureKey, thumbnails: [StoredThumbnail])]) throws {
        let today = today()
        try writing { database in
            let tables = PictureStoreTables(database)
            try tables.note(takenUses)
            for (key, thumbnails) in pictures {
                try tables.add(key: key, thumbnails, day: today, budgetBytes: budgetBytes)
            }
        }
    }

    /// Deletes all thumbnails, by replacing the file.
    package func clear() throws {
        try translating {
            try state.withLock { state in
                state.uses = [:]
                (state.file, state.isDamaged) = (try state.file.replaced(), false)
            }
        }
    }

    /// The number of bytes in the file that are in use.
    package var byteCount: Int64 {
        get throws { try reading(orIfEmpty: 0) { try PictureStoreTables($0).byteCount } }
    }

    /// The number of pictures with thumbnails.
    package var count: Int {
        get throws { try reading(orIfEmpty: 0) { try PictureStoreTables($0).count } }
    }

    /// Reads everything and compares it with its checksums.
    ///
    /// - Parameters:
    ///   - examine: Returns the problem of an intact thumbnail, as a clause whose subject is the thumbnail.
    ///   - progress: Called with the number of thumbnails read so far. An error ends the work.
    /// - Returns: The problems, one sentence each.
    /// - Throws: ``StorageError``, and errors of `progress`.
    package func verify(
        examine: (StoredThumbnail) -> String? = { _ in nil }, progress: (Int) throws -> Void = { _ in }
    ) throws -> [String] {
        var problems: [String] = []
        do {
            var next: Int64 = .min
            var count = 0
            while true {
                // Short reads, so that none keeps the write-ahead log from being emptied.
                guard let file = try current() else { return ["\(path) is damaged; the next start replaces it"] }
                let batch = try file.pool.unsafeRead {
                    try PictureStoreTables($0).check(from: next, limit: 256, examine: examine)
                }
                problems += batch.problems
                count += batch.count
                try progress(count)
                guard let last = batch.last, last < .max else { break }
                next = last + 1
            }
            problems += try current()?.pool.unsafeRead { try PictureStoreTables($0).integrityProblems() } ?? []
        } catch let error as DatabaseError where PictureStoreFile.isDamage(error) {
            problems.append("SQLite cannot read \(path): \(error.message ?? "it is damaged")")
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: PictureStoreFile.busyMilliseconds)
        }
        return problems
    }

    /// Writes the recorded uses.
    package func writeUses() throws {
        try writing { try PictureStoreTables($0).note(takenUses) }
    }
}

extension PictureStore {
    /// Limits the number of pages that writes may use, as a full disk does.
    func limitPages(to count: Int) throws {
        try current()?.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(count)") }
    }
}

// MARK: - Transactions

extension PictureStore {
    /// The open file, or a new one if it was deleted or replaced; `nil` if it is damaged.
    private func current() throws -> PictureStoreFile? {
        try state.withLock { state in
            if !state.file.isInPlace { (state.file, state.isDamaged) = (try PictureStoreFile.open(path), false) }
            return state.isDamaged ? nil : state.file
        }
    }

    private func reading<T>(orIfEmpty none: T, _ body: (Database) throws -> T) throws -> T {
        try usingFile { try $0.pool.unsafeRead(body) } ?? none
    }

    private func writing(_ body: (Database) throws -> Void) throws {
        try usingFile { try $0.write(body) }
    }

    /// Calls a closure with the open file; returns `nil` if it is damaged, or turns out to be.
    @discardableResult
    private func usingFile<T>(_ body: (PictureStoreFile) throws -> T) throws -> T? {
        try translating {
            guard let file = try current() else { return nil }
            do {
                return try body(file)
            } catch let error as DatabaseError where PictureStoreFile.isDamage(error) {
                state.withLock { state in
                    guard state.file.identity == file.identity else { return }
                    state.isDamaged = true
                    file.markDamaged()
                }
                return nil
            }
        }
    }

    private func translating<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StorageError(error, path: path, busyTimeoutMilliseconds: PictureStoreFile.busyMilliseconds)
        }
    }
}

// MARK: - Uses

extension PictureStore {
    /// Records a use; another thread writes them to the file once there are many.
    private func note(_ key: PictureKey, on day: Int32) {
        let isEnough = state.withLock { state in
            guard state.uses.count < State.maximumUseCount else { return false }
            state.uses[key] = day
            guard state.uses.count >= State.useCountOfWrite, !state.isWritingUses else { return false }
            state.isWritingUses = true
            return true
        }
        guard isEnough else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            // A lost use only makes the picture's eviction come earlier.
            try? writeUses()
            state.withLock { $0.isWritingUses = false }
        }
    }

    /// Takes the uses that have not been written yet.
    private var takenUses: [PictureKey: Int32] {
        state.withLock { state in
            defer { state.uses = [:] }
            return state.uses
        }
    }
}
