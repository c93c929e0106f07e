import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamLayout

/// Laws of the walk over chunks, which layouts of files, of the past and in memory share.
///
/// The fold is a toy with few states, so that old states are often met again after an edit. The oracle folds all chunks
/// from scratch and compares the states from which each chunk was folded.
@Suite struct ChunkWalkTests {
    @Test(arguments: [false, true], UInt64(0)..<64)
    func `a walk equals a complete fold, and folds no chunk with a valid placement`(
        isBackward: Bool, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var stream = ToyStream(count: random.int(in: 0...40), isBackward: isBackward, using: &random)
        let all = stream.contents.indices
        #expect(stream.walk(Array(all)) == (all.isEmpty ? [] : [all]))
        for _ in 0..<20 {
            let old = stream
            let edited = stream.edit(using: &random)
            let folded = Set(stream.walk(edited).flatMap { $0 })
            #expect(stream.exits == stream.exitsFromNothing)
            // Those whose photos or entry states have changed, and no others.
            let due = stream.contents.indices.filter { turn in
                let position = stream.position(ofTurn: turn)
                return stream.contents[position] != old.contents[position]
                    || stream.entry(ofTurn: turn) != old.entry(ofTurn: turn)
            }
            #expect(folded == Set(due))
        }
    }

    @Test(arguments: UInt64(0)..<16)
    func `valid chunks are reused without folding, and each is visited once if all are touched`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var stream = ToyStream(count: 30, isBackward: seed % 2 == 0, using: &random)
        _ = stream.walk(Array(stream.contents.indices))
        _ = stream.edit(using: &random)
        stream.visited = []
        _ = stream.walk(Array(stream.contents.indices))
        #expect(stream.visited == stream.contents.indices.map(stream.position(ofTurn:)))
        stream.visited = []
        #expect(stream.walk(Array(stream.contents.indices)).isEmpty)
        #expect(stream.visited == stream.contents.indices.map(stream.position(ofTurn:)))
    }

    @Test func `only touched chunks are visited if nothing has changed`() {
        var random = SplitMix64(seed: 1)
        var stream = ToyStream(count: 30, isBackward: false, using: &random)
        _ = stream.walk(Array(stream.contents.indices))
        stream.visited = []
        #expect(stream.walk([3, 3, 4, 20]).isEmpty)
        #expect(stream.visited == [3, 4, 20])
    }

    @Test func `a walk ends with the first error`() {
        struct Stop: Error {}
        let walk = ChunkWalk(count: 10, isBackward: false)
        var visited: [Int] = []
        #expect(throws: Stop.self) {
            try walk.run(0..<10) { _ in
                0
            } reuse: { position, state throws(Stop) in
                position < 2 ? state : nil
            } fold: { position, state throws(Stop) in
                visited.append(position)
                if position == 5 { throw Stop() }
                return state
            }
        }
        #expect(visited == [2, 3, 4, 5])
    }

    @Test func `positions and steps correspond`() {
        let (forward, backward) = (
            ChunkWalk(count: 5, isBackward: false), ChunkWalk(count: 5, isBackward: true)
        )
        #expect(forward.turns(ofPositions: [1, 4]) == [1, 4])
        #expect(backward.turns(ofPositions: [1, 4]) == [0, 3])
        for turn in 0..<5 { #expect(backward.position(ofTurn: backward.position(ofTurn: turn)) == turn) }
    }
}

/// Chunks of a number each, folded by a function with seven states.
private struct ToyStream {
    private(set) var contents: [Int]
    let isBackward: Bool
    /// The remembered content, entry state and exit state of each chunk.
    private var placements: [(content: Int, entry: Int, exit: Int)?]
    /// The positions that the walk has visited.
    var visited: [Int] = []

    init(count: Int, isBackward: Bool, using random: inout SplitMix64) {
        contents = (0..<count).map { _ in random.int(in: 0...9) }
        placements = Array(repeating: nil, count: count)
        self.isBackward = isBackward
    }

    private static func exit(_ state: Int, _ content: Int) -> Int {
        // A zero ends a section: earlier content does not matter.
        content == 0 ? 0 : (state * 3 + content) % 7
    }

    private var walk: ChunkWalk { ChunkWalk(count: contents.count, isBackward: isBackward) }

    func position(ofTurn turn: Int) -> Int { walk.position(ofTurn: turn) }

    func entry(ofTurn turn: Int) -> Int { turn == 0 ? 0 : placements[position(ofTurn: turn - 1)]?.exit ?? -1 }

    /// The exit states of all chunks, by turns.
    var exits: [Int?] { contents.indices.map { placements[position(ofTurn: $0)]?.exit } }

    var exitsFromNothing: [Int?] {
        var state = 0
        return contents.indices.map { turn in
            state = Self.exit(state, contents[position(ofTurn: turn)])
            return state
        }
    }

    /// Changes some chunks.
    ///
    /// - Returns: The positions that were written, ascending; the content of some may be the same.
    mutating func edit(using random: inout SplitMix64) -> [Int] {
        let edited = contents.indices.filter { _ in random.oneIn(6) }
        for position in edited { contents[position] = random.int(in: 0...9) }
        return edited
    }

    mutating func walk(_ touched: [Int]) -> [Range<Int>] {
        let walk = walk
        return walk.run(walk.turns(ofPositions: touched)) { turn in
            entry(ofTurn: turn)
        } reuse: { position, state in
            guard let placement = placements[position], placement.content == contents[position],
                placement.entry == state
            else { return nil }
            visited.append(position)
            return placement.exit
        } fold: { position, state in
            visited.append(position)
            let exit = Self.exit(state, contents[position])
            placements[position] = (contents[position], state, exit)
            return exit
        }
    }
}
