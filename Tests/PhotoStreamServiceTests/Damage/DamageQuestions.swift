import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport

@testable import PhotoStreamService

/// The answer to a query, or the sentence of its error.
struct DamageAnswer {
    let question: String
    private let value: any Equatable

    init(_ question: String, _ value: any Equatable) {
        (self.question, self.value) = (question, value)
    }

    private var description: String { "\(question): \(value)" }

    /// The answer and the expected one, from shortly before the first difference on.
    func described(insteadOf other: DamageAnswer) -> String {
        let (text, otherText) = (description, other.description)
        let start = max(0, text.commonPrefix(with: otherText).count - 60)
        let (found, expected) = (text.dropFirst(start).prefix(400), otherText.dropFirst(start).prefix(400))
        return "\(question): …\(found) instead of …\(expected)"
    }

    func isSame(as other: DamageAnswer) -> Bool {
        func isSame<Value: Equatable>(_ value: Value) -> Bool { value == other.value as? Value }
        return question == other.question && isSame(value)
    }
}

/// Every query of a file, and the results.
struct DamageQuestions {
    /// The answers to questions that read.
    private(set) var answers: [DamageAnswer] = []
    /// Sentences that report damage.
    private(set) var told: [String] = []
    /// Errors that no caller should see: of another kind than the service's.
    private(set) var strange: [String] = []
    /// The number of queries so far.
    private(set) var count = 0
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
        askForViews(service)
        tell("store") { try service.storeDerived() }
        verify(service)
        write(service)
        verify(service)
    }

    private mutating func opened() -> PhotoStreamService? {
        let path = path
        var service: PhotoStreamService?
        tell("open") {
            service = try PhotoStreamService(
                path: path, access: .existing, chunkSize: DamageBase.chunkSize, now: TestClock().tick)
        }
        return service
    }

    private mutating func verify(_ service: PhotoStreamService) {
        var differences: [String] = []
        tell("verify") { differences = try service.verifyDerived().differences }
        told += differences
    }

    /// Runs a query whose answer is compared with that of a healthy file.
    private mutating func ask<Answer: Equatable>(_ name: String, _ question: () throws -> Answer) {
        do {
            answers.append(DamageAnswer(name, try attempt(name, question)))
        } catch {
            answers.append(DamageAnswer(name, "\(error)"))
        }
    }

    /// Asks a question whose answer is not compared.
    private mutating func tell<Answer>(_ name: String, _ question: () throws -> Answer) {
        _ = try? attempt(name, question)
    }

    private mutating func attempt<Answer>(_ name: String, _ question: () throws -> Answer) throws -> Answer {
        count += 1
        do {
            return try question()
        } catch {
            switch error {
            case let error as StorageError: told.append(error.message)
            case is StreamServiceError, is LayoutError, is PictureError: break
            default: strange.append("\(name): \(error)")
            }
            throw error
        }
    }

    private mutating func askForPhotos(_ service: PhotoStreamService) {
        let stream = Gallery.stream
        ask("streams") { try service.read { try $0.streams() } }
        ask("stream") { try service.read { try $0.stream(stream) } }
        // It also reports on stored data.
        tell("stats") { try service.read { try $0.stats() } }
        ask("roots") { try service.roots() }
        tell("cache") { try service.cacheStatus() }
        ask("state") { try service.read { try $0.state(of: stream) } }
        ask("export") {
            var ids: [PhotoID] = []
            try service.read { session in try session.forEachPhoto(of: stream) { ids.append($0.id) } }
            return ids
        }
        ask("list") {
            var (photos, last): ([Photo], PhotoID?) = ([], nil)
            // A damaged index may report another place for an id.
            for _ in 0..<30 {
                let answer = try service.read { try $0.photos(of: stream, after: last, limit: 7) }
                photos += answer.photos
                last = answer.photos.last?.id
                guard answer.isTruncated else { break }
            }
            return photos
        }
        for number in [1, 5, 30, 40] {
            ask("photo") { try service.read { try $0.photo(PhotoID(stored: "photo-\(number)"), of: stream) } }
        }
        for since in [Revision(0), revision] {
            ask("changes") { try service.read { try $0.changes(of: stream, since: since) } }
        }
        ask("picture") {
            switch try service.picture(of: PhotoID(stored: "photo-1"), in: stream) {
            case .address(let address): address
            case .file: "a file"
            }
        }
    }

    private mutating func askForLayout(_ service: PhotoStreamService, _ number: Int) {
        let (stream, revision) = (Gallery.stream, revision)
        guard let key = try? LayoutKey(SampleLayouts.configurations[number]) else { return }
        ask("chain") {
            var page = try service.read { try $0.layout(key, of: stream).page(limit: 9) }
            var items = page.items
            for _ in 0..<30 {
                guard let cursor = page.nextCursor else { break }
                page = try service.read { try $0.layout(key, of: stream).page(.after(cursor), limit: 9) }
                items += page.items
            }
            return items
        }
        ask("layout") { try service.read { try $0.layout(key, of: stream).summary() } }
        ask("first paint") { try service.read { try $0.layout(key, of: stream).firstPaint(limit: 20) } }
        let rects = [
            Rect(x: 0, y: 0, width: 1e6, height: 1e6), Rect(x: 100, y: 450, width: 500, height: 350),
        ]
        for rect in rects {
            ask("rect") { try service.read { try $0.layout(key, of: stream).rect(.first(in: rect), limit: 1_000) } }
            ask("updates") { try service.read { try $0.layout(key, of: stream).updates(since: revision, in: rect) } }
        }
        ask("items") { try service.read { try $0.layout(key, of: stream).items(from: 16, count: 20) } }
        for index in [0, 34, 62] { ask("item") { try service.read { try $0.layout(key, of: stream).item(at: index) } } }
        for id in ["photo-5", "photo-50"] {
            var cursor: String?
            ask("locate") {
                let found = try service.read { try $0.layout(key, of: stream).locate(PhotoID(stored: id), limit: 9) }
                cursor = found.cursor
                return ItemAnswer(context: found.context, item: found.item)
            }
            // The page that the cursor leads to; the cursor itself depends on the file's key.
            ask("located page") {
                guard let cursor else { return [PlacedPhoto]() }
                return try service.read { try $0.layout(key, of: stream).page(.after(cursor), limit: 9) }.items
            }
        }
        ask("at") { try service.read { try $0.layout(key, of: stream).at(Point(x: 200, y: 750)) } }
        ask("scrubber") { try service.read { try $0.layout(key, of: stream).scrubber(steps: 9) } }
        ask("headers") { try service.read { try $0.layout(key, of: stream).elements(ofKind: .sectionHeader) } }
    }

    private mutating func askForViews(_ service: PhotoStreamService) {
        for text in DamageBase.conditions {
            ask("view") {
                let (key, condition) = (try DamageBase.viewKey(), try Condition(parsing: text))
                return try service.read { session in
                    try session.layout(key, of: Gallery.stream, where: condition).page(limit: 100).items
                }
            }
        }
    }

    private mutating func write(_ service: PhotoStreamService) {
        let stream = Gallery.stream
        let ids = [3, 9, 60, 61].map { PhotoID(stored: "photo-\($0)") }
        func asks<Answer>(_ name: String, _ question: () throws -> Answer) { tell(name, question) }
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
        asks("move") { try service.movePhotos([ids[1], ids[0]], to: .after(ids[2]), in: stream) }
        asks("delete") { try service.deletePhotos([ids[3]], from: stream) }
        asks("layout") {
            try service.read { try $0.layout(LayoutKey(SampleLayouts.configurations[0]), of: stream).summary() }
        }
        asks("import") {
            let row = try service.database.read { try $0.stream(named: stream) }
            var seen = RowIDSet()
            var record = PhotoRecord(id: PhotoID(stored: "photo-12"))
            record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 40, height: 300)))
            let new = PhotoRecord(id: PhotoID(stored: "imported"))
            _ = try service.database.importRecords([record, new], into: row?.id ?? 1, seen: &seen)
            try service.refreshChunks(streamID: row?.id ?? 1)
        }
        asks("warm") { try service.warm(stream, layout: LayoutKey(SampleLayouts.configurations[3])) }
        asks("clear") { try service.clearDerived() }
        asks("rename") { try service.renameStream(DamageBase.other, to: StreamName(stored: "else")) }
        asks("budget") { try service.setCacheBudget(5_000) }
        asks("delete stream") { try service.deleteStream(stream, evenWithPhotos: true) }
    }
}
