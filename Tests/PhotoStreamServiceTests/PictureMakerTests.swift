import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

extension StandInDecoder: PictureDecoding {}

/// A stream of photos with files, and a maker of their thumbnails.
///
/// Shared between tasks: one task at a time adds photos to the gallery, and meanwhile only its constant service is
/// used.
struct PictureStudio: @unchecked Sendable {
    let folder: PictureFolder
    let decoder = StandInDecoder()
    let maker: PictureMaker
    static let webP480 = ThumbnailKind(.pixels480, as: .webP)

    var gallery: Gallery { folder.gallery }
    var service: PhotoStreamService { gallery.service }

    init(queueLimit: Int = 512, writingInterval: Duration = .milliseconds(50)) throws {
        folder = try PictureFolder()
        try folder.gallery.service.addRoot(folder.path("root"))
        var settings = PictureSettings()
        settings.queueLimit = queueLimit
        settings.workerCount = 2
        settings.budgetBytes = 1 << 30
        settings.writingInterval = writingInterval
        maker = try PictureMaker(folder.gallery.service, decoder: decoder, settings: settings)
    }

    /// Writes a file and adds its photo.
    func add(_ id: String, _ text: String = "", location: String? = nil) throws {
        let name = location ?? "\(id).jpg"
        try write(name, text.isEmpty ? id : text)
        var record = PhotoRecord(id: PhotoID(stored: id))
        record.location = .set(name)
        record.size = .set(PhotoRecord.EncodedSize(PixelSize(uncheckedWidth: 4_000, height: 3_000)))
        try gallery.load([record])
    }

    func write(_ name: String, _ text: String) throws {
        try folder.write("root/" + name, [0xFF, 0xD8, 0xFF, 0xE0] + Array(text.utf8))
    }

    func thumbnail(_ id: String, _ kind: ThumbnailKind = webP480) async throws -> ThumbnailAnswer {
        try await maker.thumbnail(kind, of: PhotoID(stored: id), in: Gallery.stream)
    }

    /// The key and the bytes of a thumbnail; fails if there is none.
    func bytes(_ id: String, _ kind: ThumbnailKind = webP480) async throws -> PictureThumbnail {
        guard case .thumbnail(let thumbnail) = try await thumbnail(id, kind) else { throw NoThumbnail() }
        return thumbnail
    }

    struct NoThumbnail: Error {}

    func shown(_ id: String) throws -> ShownPicture? {
        try service.read { try $0.picture(of: PhotoID(stored: id), in: Gallery.stream) }
    }

    func counts() throws -> StreamPictures { try service.read { try $0.stream(Gallery.stream) }.pictures }

    /// Runs the maker while a test runs.
    @discardableResult
    func running<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await maker.whileRunning(body)
    }
}

/// Waits for a condition without holding up a thread.
func eventually(_ condition: @Sendable () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + waitLimit
    while ContinuousClock.now < end {
        if try condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}

@Suite struct PictureMakerTests {
    @Test func `one decode serves the thumbnails of many clients and the answers`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        studio.decoder.hold()
        try await studio.running { () async throws -> Void in
            let keys = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<64 { group.addTask { try await studio.bytes("a").key } }
                #expect(try await eventually { studio.decoder.requests.count == 1 })
                // All of them have sent their requests before the only decode ends.
                try await Task.sleep(for: .milliseconds(100))
                studio.decoder.release()
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
            #expect(studio.decoder.requests.count == 1)
            #expect(
                studio.decoder.requests[0].thumbnails
                    == [.pixels240, .pixels480, .pixels960].map { ThumbnailKind($0, as: .webP) })
            #expect(studio.decoder.requests[0].isMeasured)
            #expect(try await eventually { try studio.shown("a") != nil })
            #expect(try studio.shown("a")?.key?.description == keys.first)
            // From now on nothing is decoded, neither for another size of those nor after a restart of the maker.
            #expect(try await studio.bytes("a", ThumbnailKind(.pixels960, as: .webP)).key == keys.first)
            #expect(studio.decoder.requests.count == 1)
            // Another size is decoded alone.
            let large = try await studio.bytes("a", ThumbnailKind(.pixels1280, as: .jpeg))
            #expect(large.key == keys.first && large.bytes.starts(with: [0xFF, 0xD8]))
            #expect(studio.decoder.requests.count == 2)
            #expect(studio.decoder.requests[1].thumbnails == [ThumbnailKind(.pixels1280, as: .jpeg)])
            #expect(!studio.decoder.requests[1].isMeasured)
        }
        #expect(try studio.counts().readyCount == 1)
        let again = try PictureMaker(studio.service, decoder: nil)
        guard
            case .thumbnail = try await again.thumbnail(
                ThumbnailKind(.pixels1280, as: .jpeg), of: PhotoID(stored: "a"), in: Gallery.stream)
        else {
            Issue.record("the thumbnail was not kept")
            return
        }
    }

    @Test func `thumbnails are removed with their file and orientation, and keys with their photos`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { () async throws -> Void in
            let first = try await studio.bytes("a")
            #expect(try await eventually { try studio.shown("a") != nil })
            func byKey(_ key: String) throws -> PictureThumbnail? {
                guard case .answer(.thumbnail(let found)) = try studio.maker.lookUp(PictureStudio.webP480, ofKey: key)
                else { return nil }
                return found
            }
            #expect(try byKey(first.key) == first)
            // A person turns it.
            var record = PhotoRecord(id: PhotoID(stored: "a"))
            record.orientation = .set(.right)
            try studio.service.edit(record, in: Gallery.stream)
            #expect(try studio.shown("a") == nil)
            #expect(throws: PictureError.unknownKey(first.key)) { try byKey(first.key) }
            let second = try await studio.bytes("a")
            #expect(second.key != first.key && second.bytes != first.bytes)
            #expect(studio.decoder.requests.last?.orientation == .right)
            #expect(try await eventually { try studio.shown("a")?.key?.description == second.key })
            // Other bytes in the file.
            try studio.write("a.jpg", "another picture")
            let third = try await studio.bytes("a")
            #expect(third.key != second.key)
            #expect(try await eventually { try studio.shown("a")?.key?.description == third.key })
            try studio.service.deletePhotos([PhotoID(stored: "a")], from: Gallery.stream)
            #expect(throws: PictureError.unknownKey(third.key)) { try byKey(third.key) }
            #expect(throws: PictureError.unknownKey("x")) { try byKey("x") }
        }
    }

    @Test func `a thumbnail that is not stored yet does not outlive its orientation`() async throws {
        let studio = try PictureStudio(writingInterval: .seconds(3_600))
        try studio.add("a")
        try await studio.running { () async throws -> Void in
            let jpeg = ThumbnailKind(.pixels320, as: .jpeg)
            let first = try await studio.bytes("a", jpeg)
            var record = PhotoRecord(id: PhotoID(stored: "a"))
            record.orientation = .set(.right)
            try studio.service.edit(record, in: Gallery.stream)
            let second = try await studio.bytes("a")
            #expect(second.key != first.key)
            let third = try await studio.bytes("a", jpeg)
            #expect(third.key == second.key && third.bytes != first.bytes)
        }
    }

    @Test func `a thumbnail that is not stored yet is found by its key`() async throws {
        let studio = try PictureStudio(writingInterval: .seconds(3_600))
        try studio.add("a")
        let (jpeg, id) = (ThumbnailKind(.pixels320, as: .jpeg), PhotoID(stored: "a"))
        _ = try await studio.running { try await studio.bytes("a") }
        try await studio.running { () async throws -> Void in
            guard case .thumbnail(let made) = try await studio.maker.thumbnail(jpeg, of: id, in: Gallery.stream),
                case .answer(.thumbnail(let found)) = try studio.maker.lookUp(jpeg, ofKey: made.key)
            else { throw PictureStudio.NoThumbnail() }
            #expect(found == made)
        }
    }

    @Test func `the key of a changed file is unknown, and no thumbnail is created from other bytes`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try await studio.running { () async throws -> Void in
            let key = try await studio.bytes("a").key
            #expect(try await eventually { try studio.shown("a") != nil })
            try studio.write("a.jpg", "another picture")
            guard case .job(let job) = try studio.maker.lookUp(ThumbnailKind(.pixels1280, as: .webP), ofKey: key) else {
                Issue.record("a size that was not made is stored")
                return
            }
            await #expect(throws: PictureError.unknownKey(key)) { try await studio.maker.make(job) }
        }
    }

    @Test func `a picture that cannot be decoded is tried once until its file changes`() async throws {
        let studio = try PictureStudio()
        try studio.add("a", "damaged")
        try await studio.running { () async throws -> Void in
            for _ in 0..<3 {
                guard case .undecodable(let reason, _) = try await studio.thumbnail("a") else {
                    Issue.record("it was decoded")
                    return
                }
                #expect(reason == "the file is cut off")
            }
            #expect(studio.decoder.requests.count == 1)
            #expect(try await eventually { try studio.counts().failedCount == 1 })
            #expect(try studio.service.pictureStatus().streams[0].reasons.map(\.text) == ["the file is cut off"])
            guard case .undecodable = try await studio.thumbnail("a") else {
                Issue.record("it was decoded")
                return
            }
            #expect(studio.decoder.requests.count == 1)
            try studio.write("a.jpg", "mended")
            _ = try await studio.bytes("a")
            #expect(try await eventually { try studio.counts().readyCount == 1 })
        }
    }

    @Test func `results that arrive during the final write are written, too`() async throws {
        let studio = try PictureStudio()
        for id in ["a", "b"] { try studio.add(id) }
        let shell = try SQLiteShell(database: studio.gallery.temporary.path)
        try await studio.running { () async throws -> Void in
            #expect(try shell.ask("BEGIN IMMEDIATE; SELECT 'held'") == "held\n")
            _ = try await studio.bytes("a")
            // Its thumbnail is stored, and the rest of its result waits for the lock.
            #expect(try await eventually { try studio.service.pictureStatus().storedCount == 1 })
            _ = try await studio.bytes("b")
            // The end comes first, most likely; else the results are written in turn.
            Thread.detachNewThread {
                usleep(300_000)
                try? shell.close()
            }
        }
        #expect(try studio.counts().readyCount == 2)
    }

    @Test func `clients beyond the queue are refused, and abandoned requests are not decoded`() async throws {
        let studio = try PictureStudio(queueLimit: 2)
        for id in ["a", "b", "c"] { try studio.add(id) }
        studio.decoder.hold()
        try await studio.running { () async throws -> Void in
            let first = Task { try await studio.bytes("a") }
            let second = Task { try await studio.bytes("b") }
            let other = Task { try await studio.bytes("b") }
            #expect(try await eventually { studio.decoder.activeCount == 2 })
            try await Task.sleep(for: .milliseconds(50))
            await #expect(throws: PictureError.tooManyThumbnails(limit: 2)) { _ = try await studio.bytes("c") }
            second.cancel()
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            await #expect(throws: CancellationError.self) { try await second.value }
            // One of the clients of the second still waits.
            #expect(try await eventually { studio.decoder.droppedCount == 1 })
            #expect(studio.decoder.activeCount == 1)
            studio.decoder.release()
            _ = try await other.value
            _ = try await studio.bytes("c")
            #expect(studio.decoder.droppedCount == 1)
        }
        #expect(try studio.counts().readyCount == 2)
    }

    @Test func `without a worker, stored thumbnails are sent`() async throws {
        let studio = try PictureStudio()
        try studio.add("a")
        try studio.add("b")
        let key = try await studio.running { try await studio.bytes("a").key }
        let maker = try PictureMaker(studio.service, decoder: nil)
        #expect(!maker.canMake)
        guard case .answer(.thumbnail) = try maker.lookUp(PictureStudio.webP480, ofKey: key) else {
            Issue.record("a stored thumbnail is not found")
            return
        }
        guard
            case .unavailable(.some) = try await maker.thumbnail(
                PictureStudio.webP480, of: PhotoID(stored: "b"), in: Gallery.stream)
        else {
            Issue.record("a thumbnail was made")
            return
        }
    }
}
