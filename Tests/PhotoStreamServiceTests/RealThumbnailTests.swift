import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamService
import PhotoStreamTestSupport
import Synchronization
import Testing

/// Real workers that count their requests.
private final class CountedWorkers: PictureDecoding {
    private let workers: PictureWorkers
    private let count = Mutex(0)

    init(_ workers: PictureWorkers) { self.workers = workers }

    /// The number of decodes so far.
    var requestCount: Int { count.withLock { $0 } }

    func run() async { await workers.run() }

    func decode(_ request: DecodeRequest, urgency: Urgency) async -> Result<DecodedPicture, PictureFailure> {
        count.withLock { $0 += 1 }
        return await workers.decode(request, urgency: urgency)
    }
}

/// A stream of copies of the sample pictures, and a maker of their thumbnails with real workers.
///
/// Shared between tasks: once the photos exist, only the constant service of the folder's gallery is used.
private struct RealStudio: @unchecked Sendable {
    let folder: PictureFolder
    let workers: CountedWorkers
    let maker: PictureMaker
    /// The worker's program, under a name by which this test finds its processes, and no other test does.
    let program: String

    var service: PhotoStreamService { folder.gallery.service }

    /// Creates a stream of that many photos, of a few pictures.
    init(photos count: Int) throws {
        folder = try PictureFolder()
        try folder.gallery.service.addRoot(folder.path("root"))
        program = folder.path("worker-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createSymbolicLink(
            atPath: program, withDestinationPath: try #require(PictureWorkers.locate()))
        var settings = PictureWorkers.Settings(executablePath: program)
        settings.count = 2
        workers = CountedWorkers(
            PictureWorkers(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        maker = try PictureMaker(folder.gallery.service, decoder: workers, settings: Self.settings)
        let samples = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../SampleData/pictures").standardizedFileURL
        let names = ["orientation-6.jpg", "poster-arches.png", "dunes-night-bus.webp", "moonrise.webp"]
        let pictures = try names.map { [UInt8](try Data(contentsOf: samples.appending(path: $0))) }
        var records: [PhotoRecord] = []
        for number in 0..<count {
            try folder.write("root/\(number)", pictures[number % names.count])
            var record = PhotoRecord(id: PhotoID(stored: "p\(number)"))
            record.location = .set("\(number)")
            record.size = .set(PhotoRecord.EncodedSize(PixelSize(uncheckedWidth: 4_000, height: 3_000)))
            records.append(record)
        }
        try folder.gallery.load(records)
    }

    static var settings: PictureSettings {
        var settings = PictureSettings()
        settings.workerCount = 2
        settings.budgetBytes = 1 << 30
        settings.writingInterval = .milliseconds(50)
        return settings
    }

    func bytes(_ id: String, _ kind: ThumbnailKind = PictureStudio.webP480) async throws -> PictureThumbnail {
        let answer = try await maker.thumbnail(kind, of: PhotoID(stored: id), in: Gallery.stream)
        guard case .thumbnail(let thumbnail) = answer else { throw PictureStudio.NoThumbnail() }
        return thumbnail
    }

    func counts() throws -> StreamPictures { try service.read { try $0.stream(Gallery.stream) }.pictures }

    /// The processes of its workers.
    func processes() -> [pid_t] {
        let name = "(" + URL(filePath: program).lastPathComponent.prefix(15) + ")"
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
            (try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8))?.contains(name) == true
        }
    }
}

/// Thumbnails of real pictures by the real worker.
@Suite(.enabled(if: PictureWorkers.locate() != nil, "photostream-pictures is not built: libvips is missing"))
struct RealThumbnailTests {
    @Test func `64 clients that request a missing thumbnail cause one decode`() async throws {
        let studio = try RealStudio(photos: 1)
        try await studio.maker.whileRunning { () async throws -> Void in
            let answers = try await withThrowingTaskGroup(of: PictureThumbnail.self) { group in
                for _ in 0..<64 { group.addTask { try await studio.bytes("p0") } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(answers.count == 1 && studio.workers.requestCount == 1)
        }
    }

    @Test func `a store that is deleted while it is open is created again`() async throws {
        let studio = try RealStudio(photos: 4)
        try await studio.maker.whileRunning { () async throws -> Void in
            let first = try await studio.bytes("p0")
            try await studio.maker.warmUp()
            for ending in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: studio.service.pictureStorePath + ending)
            }
            #expect(try await studio.bytes("p0") == first)
            #expect(try await studio.maker.warmUp().madeCount >= 3)
            let count = studio.workers.requestCount
            for number in 0..<4 { _ = try await studio.bytes("p\(number)", ThumbnailKind(.pixels960, as: .webP)) }
            #expect(studio.workers.requestCount == count)
        }
        #expect(FileManager.default.fileExists(atPath: studio.service.pictureStorePath))
        #expect(try studio.service.verifyPictures().isEmpty)
    }

    @Test func `workers killed at random moments of a warm-up lose no picture`() async throws {
        let studio = try RealStudio(photos: 240)
        let isEnded = Mutex(false)
        let killer = Task.detached(executorPreference: ThreadExecutor.servers) {
            var random = SplitMix64(seed: 7)
            var count = 0
            while !isEnded.withLock({ $0 }), count < 60 {
                if let worker = studio.processes().randomElement(using: &random), kill(worker, SIGKILL) == 0 {
                    count += 1
                }
                try? await Task.sleep(for: .milliseconds(random.int(in: 5...60)))
            }
            return count
        }
        try await studio.maker.whileRunning { () async throws -> Void in
            var left = 240
            for _ in 0..<10 where left > 0 {
                try await studio.maker.warmUp()
                left = 240 - (try studio.counts().readyCount)
            }
            isEnded.withLock { $0 = true }
        }
        isEnded.withLock { $0 = true }
        let killCount = await killer.value
        #expect(killCount > 0)
        #expect(try studio.counts().readyCount == 240)
        #expect(studio.workers.requestCount <= 240 + killCount, "\(killCount) kills")
        #expect(try studio.service.verifyPictures().isEmpty)
    }

    @Test func `two concurrent warm-ups create each picture once`() async throws {
        let studio = try RealStudio(photos: 60)
        let workers = PictureWorkers.Settings(executablePath: studio.program)
        let other = try PictureMaker(
            studio.service,
            decoder: PictureWorkers(workers, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            settings: RealStudio.settings)
        async let first = studio.maker.whileRunning { try await studio.maker.warmUp() }
        async let second = other.whileRunning { try await other.warmUp() }
        let progress = try await [first, second]
        #expect(progress.allSatisfy { $0.failedCount == 0 && $0.remainingCount == 0 })
        #expect(try studio.counts().readyCount == 60)
        #expect(try studio.service.verifyPictures().isEmpty)
    }
}
