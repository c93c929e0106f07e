import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

/// Long work takes a slot, reports its progress, and ends when no question wants the result any more.
@Suite struct FoldSlotTests {
    private let gallery: Gallery
    private let stream = Gallery.stream
    private let key: LayoutKey
    private let map: LayoutKey
    private let rect = Rect(x: 0, y: 0, width: 1_203, height: 900)

    init() throws {
        var random = SplitMix64(seed: 51)
        gallery = try Gallery()
        try gallery.insert(30_000, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[0])
        map = try LayoutKey(SampleLayouts.map)
    }

    @Test(arguments: [(400, false), (5_000, true)])
    func `a fold of more than one chunk takes a slot`(count: Int, waits: Bool) async throws {
        var random = SplitMix64(seed: 8)
        let small = try Gallery(foldSlotCount: 2)
        try small.insert(count, using: &random)
        let (service, stream, key) = (small.service, stream, key)
        let others = [InFlightFold(), InFlightFold()]
        for fold in others { try service.layouts.takeSlot(fold) }
        let asked = Finding { try service.read { try $0.layout(key, of: stream).summary() }.count }
        await asked.waits(in: service)
        #expect((service.work.awaitedFoldCount > 0) == waits)
        for fold in others { service.layouts.end(fold) }
        #expect(try await asked.task.value == count)
    }

    @Test(arguments: [1, 3])
    func `as many folds run concurrently as there are slots`(count: Int) async throws {
        var random = SplitMix64(seed: 8)
        let small = try Gallery(foldSlotCount: count)
        try small.insert(5_000, using: &random)
        let (service, stream, key) = (small.service, stream, key)
        let folds = (0..<count).map { _ in InFlightFold() }
        for fold in folds { try service.layouts.takeSlot(fold) }
        // A fold that has a slot takes no other.
        try service.layouts.takeSlot(folds[0])
        #expect(throws: ReadInterruption.self) { try service.layouts.takeSlot(InFlightFold()) }
        let asked = Finding { try service.read { try $0.layout(key, of: stream).summary() }.count }
        await asked.waits(in: service)
        #expect(service.work.awaitedFoldCount > 0)
        // The fold that has run for longest is the one to wait for.
        service.layouts.end(folds[0])
        #expect(try await asked.task.value == 5_000)
        for fold in folds { service.layouts.end(fold) }
    }

    @Test func `folds run on all cores but one, and at least on one`() {
        let coreCount = ProcessInfo.processInfo.activeProcessorCount
        #expect(LayoutCache().foldSlotCount == max(1, coreCount - 1))
        #expect(LayoutCache(foldSlotCount: 0).foldSlotCount == 1)
    }

    @Test func `a page that folds ends when it is cancelled`() async throws {
        let (service, stream) = (gallery.service, stream)
        let wide = try LayoutKey(
            LayoutConfiguration(
                containerLength: 99_990, algorithm: .justified(JustifiedParameters(breaks: .optimal))))
        #expect(try service.read { try $0.layout(wide, of: stream).page(limit: 10) }.items.count == 10)
        let page = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try service.read { try $0.layout(wide, of: stream).page(limit: 10) }
        }
        await #expect(throws: CancellationError.self) { _ = try await page.value }
    }

    @Test func `updates wait for a slot if they fold many chunks`() async throws {
        let (service, stream, key, rect) = (gallery.service, stream, key, rect)
        let revision = try changeEverywhere()
        let folds = try held(by: service)
        let updates = Finding { try service.read { try $0.layout(key, of: stream).updates(since: revision, in: rect) } }
        await updates.waits(in: service)
        #expect(service.work.awaitedFoldCount > 0)
        for fold in folds { fold.release() }
        guard case .changes(let answer) = try await updates.task.value else { throw Unexpected() }
        #expect(answer.since == revision)
        for fold in folds { _ = try await fold.task.value }
    }

    @Test func `small updates take no slot`() async throws {
        let service = gallery.service
        _ = try service.read { try $0.layout(map, of: stream).summary() }
        let revision = try service.read { try $0.stream(stream) }.revision
        try gallery.shell("UPDATE photo SET alt = 'other' WHERE id = 77")
        _ = try service.read { try $0.layout(map, of: stream).summary() }
        let folds = try held(by: service)
        let point = Rect(x: 0, y: 0, width: 1, height: 1)
        guard case .changes = try service.read({ try $0.layout(map, of: stream).updates(since: revision, in: point) })
        else { throw Unexpected() }
        #expect(service.work.awaitedFoldCount == 0)
        for fold in folds { fold.release() }
        for fold in folds { _ = try await fold.task.value }
    }

    @Test func `updates report their progress and end when they are cancelled`() async throws {
        let (service, stream, key, rect) = (gallery.service, stream, key, rect)
        let revision = try changeEverywhere()
        let parts = Parts()
        _ = try service.read { try $0.layout(key, of: stream).updates(since: revision, in: rect, progress: parts.add) }
        parts.expectSteadyRise(from: 0.5)
        let held = HeldWork { progress in
            try service.read { try $0.layout(key, of: stream).updates(since: revision, in: rect, progress: progress) }
        }
        held.task.cancel()
        held.release()
        await #expect(throws: CancellationError.self) { _ = try await held.task.value }
    }

    @Test func `chunks are rebuilt in a slot, with progress, as long as a client waits`() async throws {
        let (service, stream, map) = (gallery.service, stream, map)
        let folds = try held(by: service)
        // A map is not folded: the only work is to build chunks.
        let asked = Finding { try service.read { try $0.layout(map, of: stream).summary() }.count }
        await asked.waits(in: service)
        #expect(service.work.awaitedFoldCount > 0)
        for fold in folds { fold.release() }
        #expect(try await asked.task.value == 30_000)
        for fold in folds { _ = try await fold.task.value }

        let parts = Parts()
        try gallery.anotherService().read { session in
            _ = try session.layout(map, of: stream).placed(progress: parts.add)
        }
        #expect(parts.all == [], "the chunks are stored")
        try service.clearDerived()
        let other = try gallery.anotherService()
        let held = HeldWork { progress in
            try other.read { session in _ = try session.layout(map, of: stream).placed(progress: progress) }
        }
        held.task.cancel()
        held.release()
        await #expect(throws: CancellationError.self) { try await held.task.value }
        #expect(other.work.resolvedLayoutCount == 0)
        try other.read { session in _ = try session.layout(map, of: stream).placed(progress: parts.add) }
        parts.expectSteadyRise(from: 0)
    }

    @Test func `the work after an import waits for a slot, reports its progress, and leaves nothing when cancelled`()
        async throws
    {
        let service = gallery.service
        let folds = try held(by: service)
        let asked = Finding { try service.refreshChunks(streamID: 1) }
        await asked.waits(in: service)
        #expect(service.work.awaitedFoldCount > 0)
        for fold in folds { fold.release() }
        try await asked.task.value
        for fold in folds { _ = try await fold.task.value }

        try service.clearDerived()
        let held = HeldWork { progress in try service.refreshChunks(streamID: 1, progress: progress) }
        held.task.cancel()
        held.release()
        try await held.task.value
        #expect(try gallery.shellOutput("SELECT count(*) FROM chunk") == "0\n")
        let parts = Parts()
        try service.refreshChunks(streamID: 1, progress: parts.add)
        #expect(parts.all == [1])
        #expect(try gallery.shellOutput("SELECT count(*) FROM chunk") == "30\n")
    }

    /// Both slots are taken.
    private func held(by service: PhotoStreamService) throws -> [HeldWork<LayoutAnswer>] {
        try [710.0, 720].map { width in
            HeldWork(service, stream, try LayoutKey(LayoutConfiguration(containerLength: width)))
        }
    }

    /// Turns a photo in every chunk and gives the revision before; the current layout is cached.
    private func changeEverywhere() throws -> Revision {
        _ = try gallery.service.read { try $0.layout(key, of: stream).summary() }
        let revision = try gallery.service.read { try $0.stream(stream) }.revision
        try gallery.shell("UPDATE photo SET width = 500, height = 400 + id % 90 WHERE id % 100 = 7")
        _ = try gallery.service.read { try $0.layout(key, of: stream).summary() }
        return revision
    }

    private struct Unexpected: Error {}

    /// The reports of progress.
    private final class Parts: Sendable {
        private let parts = Mutex<[Double]>([])

        var all: [Double] { parts.withLock { $0 } }

        func add(_ part: Double) { parts.withLock { $0.append(part) } }

        func expectSteadyRise(from start: Double) {
            let all = all
            #expect(all == all.sorted() && all.count > 20)
            #expect((start...start + 0.1).contains(all.first ?? -1) && (0.8...1).contains(all.last ?? -1))
        }
    }

    /// A query on a separate thread, which shows whether it waits.
    private struct Finding<Answer: Sendable> {
        let task: Task<Answer, any Error>
        private let end = End()

        private final class End: Sendable {
            let isReached = Mutex(false)
        }

        init(_ ask: @escaping @Sendable () throws -> Answer) {
            let end = end
            task = onThread {
                defer { end.isReached.withLock { $0 = true } }
                return try ask()
            }
        }

        /// Returns when it waits for a fold, or is over.
        func waits(in service: PhotoStreamService) async {
            while service.work.awaitedFoldCount == 0, !end.isReached.withLock({ $0 }) { await Task.yield() }
        }
    }
}
