import Foundation
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// After any change, by any process, every answer equals the results of a plain array of photos and the naive layouts.
///
/// `PHOTOSTREAM_MODEL_STEPS=20000 PHOTOSTREAM_MODEL_SEED=7 swift test --filter ModelTests` runs longer, from that seed
/// on, with another one every thousand steps; every third with a change log so short that it is trimmed all the time.
@Suite struct ModelTests {
    @Test(.withoutPrimary, arguments: UInt64(1)...4)
    func `after any operation, every answer equals the model`(seed: UInt64) throws {
        try run(seed: seed, steps: 60)
    }

    @Test(.withoutPrimary) func `splitting and merging large chunks does not affect the answers`() throws {
        try run(seed: 77, steps: 12, chunkSize: .standard, greatestCount: 9_000)
    }

    @Test(.withoutPrimary, arguments: [11, 12, 15] as [UInt64])
    func `with a constantly trimmed log, every answer equals the model or is too old`(
        seed: UInt64
    ) throws {
        try run(seed: seed, steps: 60, log: Self.shortLog)
    }

    /// A few steps fill it.
    private static let shortLog = ChangeLog(keptRowCount: 150, slackRowCount: 15)

    @Test(.enabled(if: ModelTests.longRun != nil))
    func `the long run`() throws {
        var left = try #require(Self.longRun)
        var seed = ProcessInfo.processInfo.environment["PHOTOSTREAM_MODEL_SEED"].flatMap(UInt64.init) ?? 1_000
        while left > 0 {
            let steps = min(left, 1_000)
            // Every tenth with chunks as large as programs make them.
            if seed.isMultiple(of: 10) {
                try run(seed: seed, steps: steps / 10, chunkSize: .standard, greatestCount: 9_000)
            } else {
                try run(seed: seed, steps: steps, log: seed.isMultiple(of: 3) ? Self.shortLog : .standard)
            }
            left -= steps
            seed += 1
        }
    }

    static var longRun: Int? {
        ProcessInfo.processInfo.environment["PHOTOSTREAM_MODEL_STEPS"].flatMap(Int.init)
    }

    /// Operates and checks; ends with the first mismatch.
    private func run(
        seed: UInt64, steps: Int, chunkSize: ChunkSize? = nil, greatestCount: Int = 300, log: ChangeLog = .standard
    ) throws {
        let sizes = [
            ChunkSize(minimum: 4, target: 8, maximum: 16), ChunkSize(minimum: 1, target: 2, maximum: 4),
            ChunkSize(minimum: 16, target: 32, maximum: 64),
        ]
        let world = try ModelWorld(
            seed: seed, chunkSize: chunkSize ?? sizes[Int(seed % 3)], greatestCount: greatestCount, log: log)
        var step = 0
        do {
            while step < steps {
                try world.remember()
                try world.operate()
                try world.checkChanges()
                try world.checkPhotos()
                try world.checkLayouts(step % 25 == 24 ? world.layouts.count : 2)
                try world.checkChains()
                if step % 3 == 2 { try world.checkUpdates() }
                if step % 10 == 9 { try world.checkStored() }
                step += 1
            }
        } catch {
            let last = world.history.suffix(6).joined(separator: "\n  ")
            Issue.record("seed \(seed), step \(step): \(error)\nlast:\n  \(last)")
            throw error
        }
        if Self.longRun != nil {
            let counts = world.checkCounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            print("model seed \(seed): \(steps) steps, \(counts.joined(separator: ", "))")
        }
        // A short log is trimmed of many changes that clients ask for.
        let isShort = log != .standard
        let least = [
            "summaries": steps, "rects": steps, "items": steps, "exact pages": 1,
            "changes": isShort ? steps / 2 : steps, "changes from long ago": isShort ? steps / 8 : steps / 2,
            "updates": isShort ? 1 : steps / 12, "anchors": 1, "too old": isShort ? steps / 4 : 0,
        ]
        for (what, least) in least {
            #expect(world.checkCounts[what, default: 0] >= least, "too few \(what)")
        }
    }
}
