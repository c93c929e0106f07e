import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Synchronization
import Testing

/// Many callers at once share one computation, wait no longer than they want, and block no other caller.
@Suite struct SingleFlightTests {
    private let gallery: Gallery
    private let key: LayoutKey

    init() throws {
        var random = SplitMix64(seed: 41)
        gallery = try Gallery()
        try gallery.insert(30_000, using: &random)
        key = try LayoutKey(SampleLayouts.configurations[7])
    }

    @Test func `many clients share one fold`() async throws {
        let (service, key) = (gallery.service, key)
        let alone = try gallery.anotherService()
        _ = try alone.read { try $0.layout(key, of: Gallery.stream).summary() }
        let chunkCount = alone.work.foldedChunkCount
        let answers = try await askers(24) { try service.read { try $0.layout(key, of: Gallery.stream).summary() } }
        #expect(Set(answers).count == 1)
        #expect(service.work.foldedChunkCount == chunkCount)
        #expect(service.work.hitCount == 23)
    }

    @Test func `clients of more layouts than slots all get theirs, and pages continue meanwhile`() async throws {
        let service = gallery.service
        let keys = try (0..<12).map { try LayoutKey(LayoutConfiguration(containerLength: Double(500 + $0))) }
        let next = Mutex(0)
        let answers = try await askers(36) {
            let number = next.withLock { number in
                defer { number += 1 }
                return number
            }
            guard number % 3 == 0 else {
                return try service.read { try $0.layout(keys[number / 3], of: Gallery.stream).page() }.context.layoutKey
            }
            return try service.read { try $0.layout(keys[number / 3], of: Gallery.stream).summary() }.context.layoutKey
        }
        #expect(Set(answers) == Set(keys))
        #expect(service.work.resolvedLayoutCount == 12)
    }

    @Test func `a fold ends when its only client is cancelled, but not while another waits`() async throws {
        let (service, stream, key) = (gallery.service, Gallery.stream, key)
        let lonely = HeldWork(service, stream, key)
        lonely.task.cancel()
        lonely.release()
        await #expect(throws: CancellationError.self) { try await lonely.task.value }
        #expect(service.work.resolvedLayoutCount == 0)

        let followed = HeldWork(service, stream, key)
        let followers = (0..<2).map { _ in onThread { try service.read { try $0.layout(key, of: stream).summary() } } }
        while service.work.awaitedFoldCount < 2 { await Task.yield() }
        followed.task.cancel()
        followers[0].cancel()
        await #expect(throws: CancellationError.self) { try await followers[0].value }
        followed.release()
        #expect(try await followers[1].value.count == 30_000)
        #expect(service.work.resolvedLayoutCount == 1)
        _ = try? await followed.task.value
    }

    @Test func `a fold holds up neither a writer nor a reader of other data`() async throws {
        let (service, stream) = (gallery.service, Gallery.stream)
        let fold = HeldWork(service, stream, key)
        var record = PhotoRecord(id: PhotoID(stored: "photo-7"))
        record.alt = .set("written meanwhile")
        try gallery.anotherService().edit(record, in: stream)
        record.alt = .set("written again")
        try service.edit(record, in: stream)
        let other = try LayoutKey(SampleLayouts.configurations[1])
        #expect(try service.read { try $0.layout(other, of: stream).summary() }.count == 30_000)
        #expect(try service.read { try $0.layout(key, of: stream).page() }.items.count <= 100)
        fold.release()
        #expect(try await fold.task.value.count == 30_000)
        #expect(try service.read { try $0.photo(PhotoID(stored: "photo-7"), of: stream) }.alt == "written again")
    }

    @Test func `while all slots fold, stored layouts are answered and the rest waits its turn`()
        async throws
    {
        let (service, stream) = (gallery.service, Gallery.stream)
        let keys = try [5, 6, 7, 8].map { try LayoutKey(LayoutConfiguration(containerLength: Double($0) * 100)) }
        _ = try service.warm(stream, layout: keys[0])
        try gallery.restart()
        let again = gallery.service
        let folds = keys[1...2].map { HeldWork(again, stream, $0) }
        #expect(try again.read { try $0.layout(keys[0], of: stream).summary() }.count == 30_000)
        let waiting = onThread { try again.read { try $0.layout(keys[3], of: stream).summary() } }
        while again.work.awaitedFoldCount < 1 { await Task.yield() }
        #expect(try again.read { try $0.layout(keys[0], of: stream).item(at: 29_999) }.item.attributes.index == 29_999)
        for fold in folds { fold.release() }
        #expect(try await waiting.value.count == 30_000)
        for fold in folds { #expect(try await fold.task.value.count == 30_000) }
    }

    private func askers<Answer: Sendable>(
        _ count: Int, _ ask: @escaping @Sendable () throws -> Answer
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<count { group.addTask { try await onThread(ask).value } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
