import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

/// Stacks of files that an import of a folder stores.
@Suite struct FolderStacksTests {
    private let fixture: StreamFixture

    init() throws {
        fixture = try StreamFixture()
        try fixture.database.write { writer in
            try writer.database.execute(
                sql: """
                    INSERT INTO root (id, path, resolvedPath, machine, addedAtMilliseconds) VALUES (1, '/p', '/p', 'm', 0)
                    """)
        }
    }

    /// A file as the reader of a folder describes it.
    private func entry(
        _ path: String, at seconds: Int64 = 0, live identifier: String? = nil, burst: String? = nil
    ) throws -> FolderEntry {
        let ending = path.split(separator: ".").last?.lowercased()
        var record = try record(path, at: seconds * 1_000)
        (record.takenAtSource, record.camera) = (.embedded, .set("A camera"))
        var row = PictureFileRow(
            rootID: 1, path: path, photo: record.id, byteCount: 5, modifiedNanoseconds: 5, state: .read)
        row.kind = ending == "dng" ? .raw : ending == "mov" ? .video : .still
        if row.kind == .video { record.duration = .set(2_000) }
        (row.contentIdentifier, row.burst) = (identifier, burst)
        return FolderEntry(row: row, record: record)
    }

    @discardableResult
    private func run(_ entries: [FolderEntry], _ rules: StackRules = .pairs) throws -> [StackKind: Int] {
        var (seen, rest) = (RowIDSet(), entries[...])
        var counts: [StackKind: Int] = [:]
        while !rest.isEmpty {
            let result = try fixture.database.importFiles(
                rest, into: fixture.stream.id, stacking: rules, seen: &seen)
            rest = rest.dropFirst(result.outcomes.count)
            counts.merge(result.hiddenCounts, uniquingKeysWith: +)
        }
        return counts
    }

    /// The stacks of the stream, each with its cover first, in the order of their covers.
    private func stacks() throws -> [[String]] {
        try fixture.database.read { reader in
            let names = try reader.database.rows("SELECT DISTINCT stack FROM photo WHERE stack IS NOT NULL") {
                $0.text(0)
            }
            return try names.map { try reader.stack($0, streamID: fixture.stream.id).map(\.photo.id.rawValue) }
                .sorted { $0.joined() < $1.joined() }
        }
    }

    private func shown() throws -> [String] { try fixture.photos().map(\.photo.id.rawValue) }

    @Test func `a live photo, a raw file and an edited version are shown as one picture`() throws {
        let counts = try run([
            entry("a/IMG_1.HEIC", live: "X"), entry("a/IMG_1.MOV", live: "X"), entry("a/IMG_2.JPG"),
            entry("a/IMG_2.DNG"), entry("a/x.jpg"), entry("a/x-edited.jpg"), entry("b/IMG_2.DNG"),
        ])
        #expect(counts == [.live: 1, .raw: 1, .edited: 1])
        #expect(
            try stacks() == [
                ["a/IMG_1.HEIC", "a/IMG_1.MOV"], ["a/IMG_2.JPG", "a/IMG_2.DNG"], ["a/x-edited.jpg", "a/x.jpg"],
            ])
        #expect(try Set(shown()) == ["a/IMG_1.HEIC", "a/IMG_2.JPG", "a/x-edited.jpg", "b/IMG_2.DNG"])
        try fixture.database.read { reader in
            #expect(try reader.photoCount(in: fixture.stream.id) == 4)
            let chunks = try reader.streamChunks(fixture.stream.id)
            #expect(chunks.chunks.map(\.count).reduce(0, +) == 4)
            let cover = try #require(try reader.photo(streamID: fixture.stream.id, id: PhotoID("a/IMG_1.HEIC")))
            #expect(
                try reader.stackSummaries(photoRowIDs: [cover.rowID])[cover.rowID]
                    == StackSummary(count: 2, kinds: [.live]))
        }
        #expect(try run([entry("a/IMG_1.MOV", live: "X")]) == [:], "nothing changes")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `stacks are those of all files, in whatever order and batches they are imported`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<30 {
            let all = try [
                "IMG_1.JPG", "IMG_1.DNG", "IMG_1.MOV", "IMG_1.HEIC", "x.jpg", "x-edited.jpg", "y.jpg", "y.mov",
            ]
            .filter { _ in !random.oneIn(4) }
            .map {
                try entry(
                    "\(round)/\($0)", at: Int64(random.int(in: 0...1)),
                    live: $0.hasPrefix("y") ? "\(round)" : nil)
            }
            var rest = all.shuffled(using: &random)[...]
            while !rest.isEmpty {
                let count = random.int(in: 1...3)
                try run(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let expected = StackRules.pairs.stacks(of: try all.map { try candidate(of: $0) })
                .map { $0.map(\.id.rawValue) }
            let found = try stacks().filter { $0[0].hasPrefix("\(round)/") }
            #expect(Set(found) == Set(expected), "round \(round)")
            let hidden = Set(expected.flatMap { $0.dropFirst() })
            let visible = try shown().filter { $0.hasPrefix("\(round)/") }
            #expect(Set(visible) == Set(all.map(\.row.path)).subtracting(hidden))
        }
    }

    private func candidate(of entry: FolderEntry) throws -> StackCandidate {
        let parts = entry.row.path.split(separator: "/")
        var candidate = StackCandidate(
            id: try PhotoID(entry.row.path), folder: String(parts[0]), name: String(parts[1]), kind: entry.row.kind)
        guard case .set(let time) = entry.record?.takenAt else { return candidate }
        (candidate.takenAt, candidate.camera) = (time, "A camera")
        candidate.contentIdentifier = entry.row.contentIdentifier
        candidate.duration = entry.row.kind == .video ? 2_000 : nil
        return candidate
    }

    @Test func `a stack that a person takes apart stays so, and a cover that a person chooses remains one`() throws {
        let files = [try entry("IMG_1.JPG"), try entry("IMG_1.DNG"), try entry("IMG_2.JPG"), try entry("IMG_2.DNG")]
        try run(files)
        let name = try #require(try fixture.photo("IMG_1.JPG")?.stack?.stack)
        try fixture.database.write { writer in
            let apart = try writer.takeApart(streamID: fixture.stream.id, stack: name)
            #expect(apart.map(\.photo.id.rawValue) == ["IMG_1.JPG", "IMG_1.DNG"])
            let chosen = try writer.makeCover(streamID: fixture.stream.id, id: PhotoID("IMG_2.DNG"))
            #expect(chosen?.map(\.photo.id.rawValue) == ["IMG_2.DNG", "IMG_2.JPG"])
            #expect(try writer.makeCover(streamID: fixture.stream.id, id: PhotoID("IMG_1.DNG")) == nil)
        }
        #expect(try Set(shown()) == ["IMG_1.JPG", "IMG_1.DNG", "IMG_2.DNG"])
        // Read again, as after a change of metadata, and joined by another file.
        try run(files + [try entry("IMG_2.HEIC")])
        #expect(try stacks() == [["IMG_2.DNG", "IMG_2.JPG", "IMG_2.HEIC"]])
        #expect(try Set(shown()) == ["IMG_1.JPG", "IMG_1.DNG", "IMG_2.DNG"])
    }

    @Test func `the next photo takes over the place of a cover that is deleted, and the cover returns to it`() throws {
        try run([
            try entry("a.jpg", at: 50), try entry("IMG_1.JPG"), try entry("IMG_1.DNG"), try entry("b.jpg", at: -50),
        ])
        let stream = fixture.stream.id
        try fixture.database.write {
            _ = try $0.move(streamID: stream, id: PhotoID("IMG_1.JPG"), to: .before(PhotoID("a.jpg")))
        }
        #expect(try shown() == ["IMG_1.JPG", "a.jpg", "b.jpg"])
        try fixture.database.write { _ = try $0.deletePhotos(streamID: stream, ids: [PhotoID("IMG_1.JPG")], now: 9) }
        #expect(try shown() == ["IMG_1.DNG", "a.jpg", "b.jpg"])
        try fixture.database.write { _ = try $0.restorePhoto(streamID: stream, id: PhotoID("IMG_1.JPG")) }
        #expect(try shown() == ["IMG_1.JPG", "a.jpg", "b.jpg"])
        #expect(try stacks() == [["IMG_1.JPG", "IMG_1.DNG"]])
        #expect(try fixture.database.read { try $0.fileProblems() } == [])
    }

    @Test func `a film that no longer belongs to a picture is shown again`() throws {
        try run([try entry("IMG_1.HEIC", at: 10), try entry("IMG_1.MOV", at: 11)])
        #expect(try shown() == ["IMG_1.HEIC"])
        try run([try entry("IMG_1.MOV", at: 99)])
        #expect(try shown() == ["IMG_1.MOV", "IMG_1.HEIC"])
        #expect(try stacks() == [])
    }

    @Test func `bursts are stacked only on request`() throws {
        let files = [try entry("1.jpg", burst: "B"), try entry("2.jpg", burst: "B")]
        try run(files)
        #expect(try stacks() == [])
        #expect(try run(files, StackRules([.burst])) == [.burst: 1])
        #expect(try stacks() == [["1.jpg", "2.jpg"]])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `records of any ranks leave each stack with one cover`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<20 {
            let records = try (0..<random.int(in: 1...30)).map { number in
                var record = try record("\(round)/\(number)", at: Int64(number))
                record.stack = .set(
                    try StackPlace(
                        stack: "\(random.int(in: 0...3))", rank: random.element(of: [0, 1, 2, 500]), kind: .manual))
                return record
            }
            try fixture.importing(records)
            let wrong = try fixture.database.read { reader in
                try reader.database.rows(
                    "SELECT stack FROM photo WHERE stack IS NOT NULL GROUP BY 1 HAVING sum(stackRank = 0) <> 1"
                ) { $0.text(0) }
            }
            #expect(wrong.isEmpty)
            #expect(try fixture.photos().count == stacks().count)
            let chunks = try fixture.database.read { try $0.streamChunks(fixture.stream.id).chunks }
            #expect(chunks.map(\.count).reduce(0, +) == (try stacks().count))
        }
    }

    @Test func `a record's stack outranks the rules`() throws {
        var record = try record("IMG_1.JPG", at: 0)
        record.stack = .set(try StackPlace(stack: "mine", rank: 0, kind: .manual))
        try fixture.importing([record])
        try run([try entry("IMG_1.JPG"), try entry("IMG_1.DNG")])
        #expect(try fixture.photo("IMG_1.JPG")?.stack == record.stack.value)
        #expect(try stacks() == [["IMG_1.JPG", "IMG_1.DNG"]])
    }
}

extension FieldChange {
    fileprivate var value: Value? { if case .set(let value) = self { value } else { nil } }
}
