import GRDB
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamStorage

@Suite struct MoveTests {
    private let fixture: StreamFixture

    init() throws {
        fixture = try StreamFixture()
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `moves change the stream like an array`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try fixture.importing(
            (0..<60).map { index in
                // Runs of equal times, some single times, some undated.
                try record("p\(index)", at: index % 10 == 0 ? nil : Int64(index / 7))
            }
        )
        var array = try fixture.photos().map { Standing(id: $0.photo.id, time: $0.key.time) }
        for step in 0..<1_500 {
            let (from, to) = (random.below(array.count), random.below(array.count))
            guard from != to else { continue }
            let target: MoveTarget = random.oneIn(2) ? .before(array[to].id) : .after(array[to].id)
            try move(array[from].id, target)
            Self.move(from, target, in: &array)
            if step % 50 == 0 { try expect(array) }
        }
        try expect(array)
    }

    @Test(arguments: [MoveTarget.before(PhotoID(stored: "p10")), .after(PhotoID(stored: "p10"))])
    func `a gap takes any number of photos, and only nearby ranks change`(target: MoveTarget) throws {
        try fixture.importing((0..<400).map { try record("p\($0)", at: $0 < 20 ? 5 : 100) })
        var array = try fixture.photos().map { Standing(id: $0.photo.id, time: $0.key.time) }
        let before = try fixture.database.read { try $0.lastRevision() } ?? 0
        for index in 20..<400 {
            let id = try PhotoID("p\(index)")
            try move(id, target)
            let from = try #require(array.firstIndex { $0.id == id })
            Self.move(from, target, in: &array)
            if index % 40 == 0 { try expect(array) }
        }
        try expect(array)
        let rows = try fixture.database.read { try $0.changes(streamID: fixture.stream.id, after: before) }
        #expect(rows.count < 380 * 20, "\(rows.count) rows were written for 380 moves")
        // Photos of the other time were never renumbered.
        let other = try StreamOrder.newest.orderTime(of: #require(fixture.photo("p399")?.takenAt))
        #expect(!rows.contains { $0.old?.time == other && $0.new?.time == other })
    }

    @Test func `two photos that swap endlessly never run out of ranks`() throws {
        try fixture.importing([try record("a", at: 1), try record("b", at: 1), try record("c", at: 1)])
        let ids = try ["a", "b", "c"].map { try PhotoID($0) }
        for step in 0..<200 {
            // Each moves between the other two in turn, so the gap is halved at every step.
            let order = try fixture.photos().map(\.photo.id)
            try move(order[2], .after(order[0]))
            #expect(try fixture.photos().map(\.photo.id) == [order[0], order[2], order[1]], "step \(step)")
        }
        #expect(try Set(fixture.photos().map(\.photo.id)) == Set(ids))
    }

    @Test func `a photo that is already there does not change`() throws {
        try fixture.importing([try record("a", at: 1), try record("b", at: 1), try record("c", at: 1)])
        let before = try fixture.database.read { try $0.lastRevision() }
        // Stream order is a, b, c.
        #expect(try !move(PhotoID("a"), .before(PhotoID("b"))))
        #expect(try !move(PhotoID("b"), .after(PhotoID("a"))))
        #expect(try !move(PhotoID("c"), .after(PhotoID("b"))))
        #expect(try fixture.database.read { try $0.lastRevision() } == before)
    }

    @Test func `a photo next to one with another time takes that time`() throws {
        try fixture.importing([try record("new", at: 9), try record("old", at: 1), try record("none")])
        #expect(try move(PhotoID("new"), .before(PhotoID("old"))))
        #expect(try key("new") == OrderKey(time: 4 + 2, rank: -(2 << 20) + (1 << 19)))
        #expect(try move(PhotoID("old"), .after(PhotoID("none"))))
        #expect(try key("old") == OrderKey(time: OrderKey.undatedTime, rank: -(3 << 20) - (1 << 19)))
        #expect(try fixture.photos().map(\.photo.id.rawValue) == ["new", "none", "old"])
    }

    @Test func `a capture time that an import changes keeps a move, and one that a person changes ends it`() throws {
        try fixture.importing([try record("a", at: 1), try record("b", at: 2), try record("c", at: 3)])
        try move(PhotoID("a"), .before(PhotoID("c")))
        try fixture.importing([try record("a", at: 1, width: 500)])
        #expect(try fixture.photos().map(\.photo.id.rawValue) == ["a", "c", "b"])
        let place = try key("a")
        for time in [0, 5, 1] as [Int64] {
            try fixture.importing([try record("a", at: time)])
            #expect(try fixture.photos().map(\.photo.id.rawValue) == ["a", "c", "b"])
            #expect(try key("a") == place)
        }
        func edit(at time: Int64) throws {
            try fixture.database.write { writer in
                _ = try writer.edit(streamID: fixture.stream.id, record: record("a", at: time))
            }
        }
        try edit(at: 0)
        #expect(try fixture.photos().map(\.photo.id.rawValue) == ["c", "b", "a"])
        try edit(at: 1)
        #expect(try fixture.photos().map(\.photo.id.rawValue) == ["c", "b", "a"])
    }

    @Test func `unknown photos and the photo itself are rejected as destinations`() throws {
        try fixture.importing([try record("a", at: 1)])
        let (a, x) = (try PhotoID("a"), try PhotoID("x"))
        let unknown = StorageError(.notFound, message: "there is no photo \"x\" in the stream")
        #expect(failure { try move(x, .before(a)) } == unknown)
        #expect(failure { try move(a, .after(x)) } == unknown)
        let itself = StorageError(.constraint, message: "photo \"a\" cannot be moved next to itself")
        #expect(failure { try move(a, .before(a)) } == itself)
    }

    @Test func `there is room at the minimum and maximum ranks`() throws {
        try fixture.database.write { writer in
            for (id, name) in [(1, "low"), (8_796_093_022_207, "high")] as [(Int64, String)] {
                let insert = try RawStatement(
                    writer.database,
                    sql: "INSERT INTO photo (id, streamId, externalId, width, height) VALUES (?1, ?2, ?3, 1, 1)"
                )
                insert.bind(1, to: id)
                insert.bind(2, to: fixture.stream.id)
                try insert.bind(3, copying: name)
                try insert.run()
            }
        }
        try fixture.database.write { writer in
            try writer.database.execute(sql: "UPDATE photo SET id = 2 WHERE externalId = 'low'")
        }
        for _ in 0..<100 {
            let order = try fixture.photos().map(\.photo.id)
            try move(order[1], .before(order[0]))
            #expect(try fixture.photos().map(\.photo.id) == [order[1], order[0]])
        }
    }

    private static let ends: [Int64] = [
        9_223_372_036_854_775_807, 9_223_372_036_854_775_806, 9_223_372_036_854_772_807, -9_223_372_036_854_775_807,
        -9_223_372_036_854_772_807, 1, -1,
    ]

    @Test(arguments: ends, [1, 2, 40])
    func `a photo at the minimum or maximum rank gets any number of neighbours`(rank: Int64, count: Int) throws {
        try fixture.importing((0..<(count + 3)).map { try record("p\($0)", at: $0 < 3 ? 5 : 100) })
        try fixture.database.write { writer in
            try writer.database.execute(
                sql: """
                    UPDATE photo SET movedTime = 7, movedRank = \(rank), movedFromOrderTime = ownOrderTime
                    WHERE externalId = 'p0'
                    """)
        }
        for step in 0..<count {
            let id = try PhotoID("p\(step + 3)")
            try move(id, step.isMultiple(of: 2) ? .before(PhotoID("p0")) : .after(PhotoID("p0")))
            let order = try fixture.photos().map(\.photo.id)
            let moved = try #require(order.firstIndex(of: id))
            let edge = try #require(order.firstIndex(of: PhotoID("p0")))
            #expect(moved - edge == (step.isMultiple(of: 2) ? -1 : 1), "step \(step): \(order)")
        }
        #expect(try fixture.photos().count == count + 3)
    }

    @Test func `gaps at the ends of the ranks are full and never trap`() {
        let numbers: [Int64] = Self.ends + [Int64.min, 0, Int64.max - 2]
        let ends: [Int64?] = [nil] + numbers.map { Optional($0) }
        for below in ends {
            for above in ends {
                if let below, let above, below >= above { continue }
                let gap = RankGap(below: below, above: above)
                if let rank = gap.middle() {
                    let (low, high) = (below ?? Int64.min, above ?? Int64.max)
                    #expect(rank > low && rank < high && rank % OrderKey.rankStep != 0)
                }
                for count in [1, 2, 1_000] {
                    let ranks = gap.spread(count, minimumStride: 4, avoiding: 5) ?? []
                    #expect(ranks == ranks.sorted() && Set(ranks).count == ranks.count)
                }
            }
        }
        #expect(RankGap(below: .max, above: nil).middle() == nil && RankGap(below: nil, above: .min).middle() == nil)
        #expect(Rank.ofRow(.max) == Rank(.min))
        #expect(Rank.ofRow(.min) == Rank(.max))
        #expect(Rank.ofRow(2) == Rank(-2_097_152))
    }

    @Test func `a gap of ranks is never a multiple of a step`() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<20_000 {
            let low = Int64(random.int(in: -4...4)) << 20 + Int64(random.int(in: -3...3))
            let gap = RankGap(below: low, above: low + Int64(random.int(in: 1...8)))
            guard let rank = gap.middle() else { continue }
            #expect(rank % OrderKey.rankStep != 0 && rank > low && rank < (gap.above ?? low))
            let count = random.int(in: 1...9)
            let taken = low + Int64(random.int(in: 0...40))
            let wide = RankGap(below: low, above: low + 4 * Int64(count + 1) + Int64(random.int(in: 0...99)))
            let ranks = wide.spread(count, minimumStride: 4, avoiding: taken) ?? []
            #expect(ranks.count == count && Set(ranks).count == count && ranks == ranks.sorted())
            #expect(ranks.allSatisfy { $0 % OrderKey.rankStep != 0 && $0 != taken && $0 > low })
            #expect((ranks.last ?? low) < (wide.above ?? low))
        }
    }

    // MARK: - A plain array

    private struct Standing: Equatable {
        let id: PhotoID
        var time: Int64
    }

    private static func move(_ from: Int, _ target: MoveTarget, in array: inout [Standing]) {
        var photo = array.remove(at: from)
        guard let anchor = array.firstIndex(where: { $0.id == target.neighbour }) else { return }
        photo.time = array[anchor].time
        switch target {
        case .before: array.insert(photo, at: anchor)
        case .after: array.insert(photo, at: anchor + 1)
        }
    }

    private func expect(_ array: [Standing], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let photos = try fixture.photos().map { Standing(id: $0.photo.id, time: $0.key.time) }
        #expect(photos == array, sourceLocation: sourceLocation)
    }

    @discardableResult
    private func move(_ id: PhotoID, _ target: MoveTarget) throws -> Bool {
        try fixture.database.write { try $0.move(streamID: fixture.stream.id, id: id, to: target) }
    }

    private func key(_ id: String) throws -> OrderKey? {
        try fixture.database.read { try $0.orderKey(streamID: fixture.stream.id, id: PhotoID(id)) }
    }
}
