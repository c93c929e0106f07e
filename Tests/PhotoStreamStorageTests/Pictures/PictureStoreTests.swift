import Foundation
import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamStorage

@Suite struct PictureStoreTests {
    private let temporary: TemporaryDatabase
    private let day = Day()
    private static let kind = ThumbnailKind(.pixels320, as: .webP)

    /// The day that the store receives.
    private final class Day: Sendable {
        private let number = Mutex<Int32>(20_000)
        var value: Int32 { number.withLock { $0 } }
        func pass() { number.withLock { $0 += 1 } }
    }

    init() throws {
        temporary = try TemporaryDatabase(name: "photos.pictures.sqlite")
    }

    private func store(budget: Int64 = 100_000_000) throws -> PictureStore {
        try PictureStore(path: temporary.path, budgetBytes: budget, today: { [day] in day.value })
    }

    private func key(_ number: Int) throws -> PictureKey {
        try #require(PictureKey(bytes: (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8) ^ $0) }))
    }

    private func thumbnail(
        _ kind: ThumbnailKind = Self.kind, byteCount: Int, seed: UInt64 = 0
    ) -> StoredThumbnail {
        var random = SplitMix64(seed: seed)
        return StoredThumbnail(
            kind: kind, width: 320, height: 200,
            bytes: (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    @Test func `every size and format is stored and replaced separately`() throws {
        let store = try store()
        let kinds = ThumbnailSize.allCases.flatMap { size in
            ThumbnailFormat.allCases.map { ThumbnailKind(size, as: $0) }
        }
        let (one, other) = (try key(1), try key(2))
        for (position, kind) in kinds.enumerated() {
            #expect(!store.contains(key: one, kinds: [kind]))
            try store.add(key: one, [thumbnail(kind, byteCount: position * 977, seed: UInt64(position))])
        }
        #expect(store.contains(key: one, kinds: kinds) && !store.contains(key: other, kinds: [Self.kind]))
        for (position, kind) in kinds.enumerated() {
            let expected = thumbnail(kind, byteCount: position * 977, seed: UInt64(position))
            #expect(try store.thumbnail(key: one, kind: kind) == expected)
            #expect(try store.thumbnail(key: other, kind: kind) == nil)
        }
        try store.add(key: one, [thumbnail(byteCount: 5, seed: 77)])
        #expect(try store.thumbnail(key: one, kind: Self.kind) == thumbnail(byteCount: 5, seed: 77))
        #expect(try store.count == 1)
        #expect(try store.verify() == [])
    }

    @Test(arguments: UInt64(0)..<6)
    func `the file keeps its budget, and the least recently used pictures are removed first`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let budget = Int64(random.int(in: 500_000...1_500_000))
        let store = try store(budget: budget)
        // The naive store: the day of last use of each picture ever added, and when it was added.
        var uses: [Int: (day: Int32, added: Int)] = [:]
        var content: [Int: StoredThumbnail] = [:]
        for step in 0..<300 {
            let number = random.int(in: 0...99)
            let key = try key(number)
            if random.oneIn(8) { day.pass() }
            if random.oneIn(3) {
                let found = try store.thumbnail(key: key, kind: Self.kind)
                #expect(found == (found == nil ? nil : content[number]))
                if found != nil { uses[number]?.day = day.value }
            } else {
                let isNew = !store.contains(key: key, kinds: [Self.kind])
                content[number] = thumbnail(byteCount: random.int(in: 0...60_000), seed: UInt64(step))
                try store.add(key: key, [try #require(content[number])])
                uses[number] = (day.value, isNew ? step : uses[number]?.added ?? step)
            }
            #expect(try store.byteCount <= budget)
        }
        try store.writeUses()
        #expect(try FileManager.default.attributesOfItem(atPath: temporary.path)[.size] as? Int64 ?? 0 <= budget)
        let order = uses.keys.sorted { left, right in
            let (one, other) = (uses[left] ?? (0, 0), uses[right] ?? (0, 0))
            return (one.day, one.added) < (other.day, other.added)
        }
        let present = try order.map { store.contains(key: try key($0), kinds: [Self.kind]) }
        // Everything that was used on a later day than something that is there, is there.
        let first = try #require(present.firstIndex(of: true))
        let firstDay = try #require(uses[order[first]]).day
        for (number, isPresent) in zip(order, present) where try #require(uses[number]).day > firstDay {
            #expect(isPresent, "\(number) of a later day is gone")
        }
        // The stored thumbnails fill most of the budget.
        #expect(try store.byteCount > budget - 16 * 4_096 - 2 * 70_000)
        for (number, isPresent) in zip(order, present) where isPresent {
            #expect(try store.thumbnail(key: try key(number), kind: Self.kind) == content[number])
        }
        #expect(try store.verify() == [])
    }

    @Test func `a use on a later day keeps a picture`() throws {
        let store = try store(budget: 400_000)
        for number in 0..<8 { try store.add(key: try key(number), [thumbnail(byteCount: 30_000)]) }
        day.pass()
        #expect(try store.thumbnail(key: try key(0), kind: Self.kind) != nil)
        for number in 8..<14 { try store.add(key: try key(number), [thumbnail(byteCount: 30_000)]) }
        #expect(store.contains(key: try key(0), kinds: [Self.kind]))
        #expect(!store.contains(key: try key(1), kinds: [Self.kind]))
    }

    @Test func `a smaller budget shrinks the file, and a picture that is too large is not stored`() throws {
        let large = try store()
        for number in 0..<50 { try large.add(key: try key(number), [thumbnail(byteCount: 50_000)]) }
        let small = try store(budget: 300_000)
        try small.add(key: try key(99), [thumbnail(byteCount: 50_000)])
        #expect(try small.byteCount <= 300_000 && small.contains(key: try key(99), kinds: [Self.kind]))
        let database = try DatabaseQueue(path: temporary.path)
        let pages = try database.read { try Int64.fetchOne($0, sql: "PRAGMA page_count") }
        #expect(try #require(pages) * 4_096 <= 300_000)
        try small.add(key: try key(100), [thumbnail(byteCount: 400_000)])
        #expect(!small.contains(key: try key(100), kinds: [Self.kind]))
        #expect(small.contains(key: try key(99), kinds: [Self.kind]))
    }

    @Test(arguments: [["", "-wal", "-shm"], [""]])
    func `a file deleted while it is open is created again`(suffixes: [String]) throws {
        let (one, other) = (try store(), try store())
        try one.add(key: try key(1), [thumbnail(byteCount: 20_000)])
        #expect(try other.thumbnail(key: try key(1), kind: Self.kind) != nil)
        for suffix in suffixes { try FileManager.default.removeItem(atPath: temporary.path + suffix) }
        #expect(try one.thumbnail(key: try key(1), kind: Self.kind) == nil)
        try one.add(key: try key(2), [thumbnail(byteCount: 20_000)])
        #expect(try other.thumbnail(key: try key(2), kind: Self.kind) == thumbnail(byteCount: 20_000))
        try other.add(key: try key(3), [thumbnail(byteCount: 20_000)])
        #expect(one.contains(key: try key(3), kinds: [Self.kind]))
        #expect(try one.verify() == [] && one.count == 2)
    }

    @Test func `a file that is damaged while it is open counts as empty until the next start`() throws {
        let store = try store()
        for number in 0..<60 { try store.add(key: try key(number), [thumbnail(byteCount: 20_000)]) }
        try DatabaseQueue(path: temporary.path).inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        let file = try FileHandle(forUpdating: URL(filePath: temporary.path))
        let pageCount = try file.seekToEnd() / 4_096
        #expect(pageCount > 300)
        try file.seek(toOffset: pageCount / 2 * 4_096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 12 * 4_096))
        try file.close()

        // Nothing fails. From the first look at the damage on, there are no thumbnails, and none are taken.
        let other = try self.store()
        for number in 0..<60 { _ = try other.thumbnail(key: try key(number), kind: Self.kind) }
        try other.add(key: try key(100), [thumbnail(byteCount: 20_000)])
        #expect(try other.count == 0 && other.thumbnail(key: try key(0), kind: Self.kind) == nil)
        #expect(!other.contains(key: try key(100), kinds: [Self.kind]))

        let next = try self.store()
        let kept = try (0..<60).filter { next.contains(key: try key($0), kinds: [Self.kind]) }
        #expect((40...59).contains(kept.count))
        for number in kept {
            #expect(try next.thumbnail(key: try key(number), kind: Self.kind) == thumbnail(byteCount: 20_000))
        }
        #expect(try next.verify() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.folder)
        #expect(names.allSatisfy { !$0.hasSuffix("damaged") && !$0.contains("aside") }, "\(names)")
        // The other ones find the new file.
        try other.add(key: try key(101), [thumbnail(byteCount: 20_000)])
        for each in [store, next] { #expect(each.contains(key: try key(101), kinds: [Self.kind])) }
    }

    @Test(arguments: ["text", "zeros", "cut off", "other version", "pages"])
    func `a damaged file is replaced at the next start, without an error`(damage: String) throws {
        do {
            let store = try store()
            for number in 0..<20 { try store.add(key: try key(number), [thumbnail(byteCount: 20_000)]) }
            try store.add(key: try key(500), [thumbnail(byteCount: 20_000)])
        }
        let queue = try DatabaseQueue(path: temporary.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        if damage == "other version" { try queue.write { try $0.execute(sql: "PRAGMA user_version = 99") } }
        try queue.close()
        let file = try FileHandle(forUpdating: URL(filePath: temporary.path))
        switch damage {
        case "text":
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(String(repeating: "no database ", count: 900).utf8))
        case "zeros": try file.write(contentsOf: Data(count: 8_192))
        case "cut off": try file.truncate(atOffset: 4_096 * 3)
        case "pages":
            try file.seek(toOffset: 4_096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096 * 6))
        default: break
        }
        try file.close()
        let first = try store()
        for number in 0..<20 { _ = try first.thumbnail(key: try key(number), kind: Self.kind) }
        let store = try store()
        try store.add(key: try key(7), [thumbnail(byteCount: 20_000, seed: 3)])
        #expect(try store.thumbnail(key: try key(7), kind: Self.kind) == thumbnail(byteCount: 20_000, seed: 3))
        #expect(try store.verify() == [])
    }

    @Test func `a thumbnail with other bytes than were stored is reported, and is not returned`() throws {
        let store = try store()
        try store.add(key: try key(1), [thumbnail(byteCount: 20_000)])
        let queue = try DatabaseQueue(path: temporary.path)
        try queue.write { try $0.execute(sql: "UPDATE thumbnail SET bytes = zeroblob(20000)") }
        #expect(try store.verify() == ["the thumbnail of \(try key(1)) with 320 pixels is damaged"])
        #expect(try store.thumbnail(key: try key(1), kind: Self.kind) == nil)
        #expect(try store.verify() == [] && store.count == 0)
    }

    @Test(arguments: [false, true])
    func `an unfinished change of a killed process is rolled back`(wasNew: Bool) throws {
        // A file and its journal in the middle of a change, as after a process was killed.
        let source = temporary.folder + "/source.sqlite"
        if !wasNew {
            let store = try PictureStore(path: source, budgetBytes: 100_000_000, today: { 20_000 })
            try store.add(key: try key(1), [thumbnail(byteCount: 20_000)])
        }
        try DatabaseQueue(path: source).inDatabase { handle in
            try handle.execute(
                sql: """
                    PRAGMA journal_mode = DELETE; PRAGMA user_version; PRAGMA cache_size = 1;
                    BEGIN; CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(50000))
                    """)
            for ending in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: source + ending, toPath: temporary.path + ending)
            }
            try handle.execute(sql: "ROLLBACK")
        }
        let store = try store()
        #expect(try store.count == (wasNew ? 0 : 1))
        try store.add(key: try key(2), [thumbnail(byteCount: 20_000)])
        #expect(try store.verify() == [])
        #expect(!FileManager.default.fileExists(atPath: temporary.path + "-journal"))
    }

    @Test func `another program's database is left alone`() throws {
        let queue = try DatabaseQueue(path: temporary.path)
        try queue.write { try $0.execute(sql: "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)") }
        #expect(failure { try store() }?.code == .notADatabase)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM mine") } == 1)
    }

    @Test func `a full disk is an error that the store survives`() throws {
        let store = try store()
        try store.add(key: try key(1), [thumbnail(byteCount: 20_000)])
        // The largest number of pages that the only writing connection may use.
        try store.limitPages(to: 30)
        var last: StorageError?
        for number in 2..<20 {
            let expected = thumbnail(byteCount: 20_000, seed: UInt64(number))
            last = failure { try store.add(key: try key(number), [expected]) }
            #expect(store.contains(key: try key(number), kinds: [Self.kind]) == (last == nil))
        }
        #expect(last?.code == .diskFull)
        #expect(try store.thumbnail(key: try key(1), kind: Self.kind) == thumbnail(byteCount: 20_000))
        try store.limitPages(to: 1_000)
        try store.add(key: try key(50), [thumbnail(byteCount: 20_000)])
        #expect(store.contains(key: try key(50), kinds: [Self.kind]))
        #expect(try store.verify() == [])
    }

    @Test func `clearing leaves an empty store, also for others that have it open`() throws {
        let (one, other) = (try store(), try store())
        for number in 0..<10 { try one.add(key: try key(number), [thumbnail(byteCount: 20_000)]) }
        try other.clear()
        #expect(try one.count == 0 && other.count == 0)
        #expect(try one.byteCount < 100_000)
        try one.add(key: try key(1), [thumbnail(byteCount: 20_000)])
        #expect(other.contains(key: try key(1), kinds: [Self.kind]))
    }

    @Test func `stores of two processes and many threads read and write at once`() async throws {
        let stores = [try store(budget: 2_000_000), try store(budget: 2_000_000)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask { [self] in
                    let store = stores[worker % 2]
                    for step in 0..<60 {
                        let number = (worker * 31 + step * 7) % 90
                        let expected = thumbnail(byteCount: 20_000, seed: UInt64(number))
                        if let found = try store.thumbnail(key: try key(number), kind: Self.kind) {
                            #expect(found == expected)
                        } else {
                            try store.add(key: try key(number), [expected])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stores[0].byteCount <= 2_000_000)
        #expect(try stores[1].verify() == [])
    }
}
