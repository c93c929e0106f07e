import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport

@testable import PhotoStreamService

/// Every question that a file is asked, and what came of them.
struct DamageQuestions {
    /// The answers to questions that read, by question; errors among them.
    private(set) var answers: [String] = []
    /// Sentences that tell of damage.
    private(set) var told: [String] = []
    /// Errors that no caller should see: of another kind than the service's.
    private(set) var strange: [String] = []
    private let path: String
    private let revision: Revision

    init(_ path: String, since revision: Revision) {
        (self.path, self.revision) = (path, revision)
    }

    /// Asks all that reads, then verifies, then asks all that writes.
    mutating func ask() {
        guard let service = opened() else { return }
        defer { try? service.close() }
        askForPhotos(service)
        for number in DamageBase.keys { askForLayout(service, number) }
        ask("store", isAnswer: false) { try service.storeDerived() }
        verify(service)
        write(service)
        verify(service)
    }

    private mutating func opened() -> PhotoStreamService? {
        let path = path
        var service: PhotoStreamService?
        ask("open", isAnswer: false) {
            service = try PhotoStreamService(
                path: path, access: .existing, chunkSize: DamageBase.chunkSize, now: TestClock().tick)
        }
        return service
    }

    private mutating func verify(_ service: PhotoStreamService) {
        var differences: [String] = []
        ask("verify", isAnswer: false) { differences = try service.verifyDerived().differences }
        told += differences
    }

    /// Asks a question.
    private mutating func ask<Answer>(
        _ name: String, isAnswer: Bool = true, _ question: () throws -> Answer
    ) {
        do {
            let answer = try question()
            if isAnswer { answers.append("\(name): \(answer)") }
        } catch {
            if isAnswer { answers.append("\(name): \(error)") }
            switch error {
            case StreamServiceError.storage(_, let message): told.append(message)
            case is StreamServiceError, is LayoutError: break
            default: strange.append("\(name): \(error)")
            }
        }
    }

    private mutating func askForPhotos(_ service: PhotoStreamService) {
        let stream = Gallery.stream
        ask("streams") { try service.streams() }
        ask("stream") { try service.stream(stream) }
        // It tells of what is stored, too.
        ask("stats", isAnswer: false) { try service.stats() }
        ask("roots") { try service.roots() }
        ask("cache", isAnswer: false) { try service.cacheStatus() }
        ask("state") { try service.state(of: stream) }
        ask("export") {
            var ids: [PhotoID] = []
            try service.forEachPhoto(of: stream) { ids.append($0.id) }
            return ids
        }
        ask("list") {
            var (photos, last): ([Photo], PhotoID?) = ([], nil)
            // A damaged index may say of an id that it stands elsewhere.
            for _ in 0..<30 {
                let answer = try service.photos(of: stream, after: last, limit: 13)
                photos += answer.photos
                last = answer.photos.last?.id
                guard answer.isTruncated else { break }
            }
            return photos
        }
        for number in [1, 5, 50, 77] {
            ask("photo") { try service.photo(PhotoID(stored: "photo-\(number)"), of: stream) }
        }
        for since in [Revision(0), revision] { ask("changes") { try service.changes(of: stream, since: since) } }
        ask("picture") { _ = try? service.picture(of: PhotoID(stored: "photo-1"), in: stream) }
    }

    private mutating func askForLayout(_ service: PhotoStreamService, _ number: Int) {
        let (stream, revision) = (Gallery.stream, revision)
        guard let key = try? LayoutKey(SampleLayouts.configurations[number]) else { return }
        ask("chain") {
            var page = try service.page(of: stream, key, limit: 17)
            var items = page.items
            for _ in 0..<30 {
                guard let cursor = page.nextCursor else { break }
                page = try service.page(after: cursor, of: stream, limit: 17)
                items += page.items
            }
            return items
        }
        ask("layout") { try service.layout(of: stream, key) }
        ask("first paint") { try service.firstPaint(of: stream, key, limit: 20) }
        let rects = [
            Rect(x: 0, y: 0, width: 1e6, height: 1e6), Rect(x: 100, y: 900, width: 500, height: 700),
        ]
        for rect in rects {
            ask("rect") { try service.elements(in: rect, of: stream, key, limit: 1_000) }
            ask("updates") { try service.updates(of: stream, key, since: revision, in: rect) }
        }
        ask("items") { try service.items(from: 30, count: 40, of: stream, key) }
        for index in [0, 64, 118] { ask("item") { try service.item(at: index, of: stream, key) } }
        for id in ["photo-5", "photo-90"] { ask("locate") { try service.locate(PhotoID(stored: id), in: stream, key) } }
        ask("at") { try service.item(at: Point(x: 200, y: 1_500), of: stream, key) }
        ask("scrubber") { try service.scrubber(of: stream, key, steps: 9) }
        ask("headers") { try service.elements(ofKind: .sectionHeader, of: stream, key) }
    }

    private mutating func write(_ service: PhotoStreamService) {
        let stream = Gallery.stream
        let ids = [3, 9, 60, 61].map { PhotoID(stored: "photo-\($0)") }
        func asks<Answer>(_ name: String, _ question: () throws -> Answer) { ask(name, isAnswer: false, question) }
        asks("edit") {
            var record = PhotoRecord(id: ids[0])
            record.caption = .set("another")
            return try service.edit(record, in: stream)
        }
        asks("put") {
            var record = PhotoRecord(id: PhotoID(stored: "put"))
            record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 400, height: 300)))
            return try service.put(record, in: stream)
        }
        asks("move") { try service.movePhotos([ids[1], ids[0]], .after(ids[2]), in: stream) }
        asks("delete") { try service.deletePhotos([ids[3]], from: stream) }
        asks("layout") { try service.layout(of: stream, LayoutKey(SampleLayouts.configurations[0])) }
        asks("import") {
            let row = try service.database.read { try $0.stream(named: stream) }
            var seen = RowIDSet()
            var record = PhotoRecord(id: PhotoID(stored: "photo-12"))
            record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 40, height: 300)))
            let new = PhotoRecord(id: PhotoID(stored: "imported"))
            _ = try translatingStorageErrors {
                try service.database.importRecords([record, new], into: row?.id ?? 1, seen: &seen)
            }
            try service.refreshChunks(streamID: row?.id ?? 1)
        }
        asks("warm") { try service.warm(stream, LayoutKey(SampleLayouts.configurations[3])) }
        asks("clear") { try service.clearDerived() }
        asks("rename") { try service.renameStream(DamageBase.other, to: StreamName(stored: "else")) }
        asks("budget") { try service.setCacheBudget(5_000) }
        asks("delete stream") { try service.deleteStream(stream, evenWithPhotos: true) }
    }
}
