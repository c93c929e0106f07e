import Foundation
import Logging
import Metrics
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import ServiceLifecycle
import Synchronization
import Testing

extension StandInDecoder: PictureDecoding {}

/// A server on a free port, its file, and a stream in it.
struct TestServer {
    let file: TemporaryDatabase
    let service: PhotoStreamService
    let client: HTTPClient
    /// Asks the server to end as a signal would.
    let stop: @Sendable () -> Void
    static let stream = StreamName(stored: "gallery")

    /// Runs a server for a test and ends it as a signal would.
    static func with(
        photos count: Int = 300, settings: ServerSettings = ServerSettings(), needsTokens: Bool = false,
        logger: Logger = quiet, metrics: any MetricsFactory = MetricsSystem.factory,
        _ test: @escaping @Sendable (TestServer) throws -> Void
    ) async throws {
        let file = try TemporaryDatabase()
        let service = try service(file)
        try service.createStream(stream)
        try load(SampleRecords.records(count), into: stream, of: file)
        try addPicture(to: service, file)
        try await with(
            service, file, settings: settings, needsTokens: needsTokens, logger: logger, metrics: metrics,
            uploadsTo: uploads(file), test)
    }

    /// Opens a file with a time that advances with every look, so that layouts that are used again are stored.
    static func service(
        _ file: TemporaryDatabase, busyTimeoutMilliseconds: Int = 5_000, logger: Logger = quiet
    ) throws -> PhotoStreamService {
        let clock = Mutex<Int64>(0)
        return try PhotoStreamService(
            path: file.path, access: .readWrite, busyTimeoutMilliseconds: busyTimeoutMilliseconds, logger: logger,
            primary: file.primary
        ) {
            clock.withLock { time in
                time += 10_000
                return time
            }
        }
    }

    /// Runs a server on a file that is open already, and closes it afterwards.
    ///
    /// It answers without tokens unless the test needs them or other machines reach it.
    static func with(
        _ service: PhotoStreamService, _ file: TemporaryDatabase, settings: ServerSettings = ServerSettings(),
        needsTokens: Bool = false, logger: Logger = quiet, metrics: any MetricsFactory = MetricsSystem.factory,
        decoder: StandInDecoder? = nil,
        follower: Follower? = nil,
        thumbnailLimit: Int = 512, uploadsTo destinations: [PictureUploads.Destination] = [],
        worker: String? = PictureWorkers.locate(), _ test: @escaping @Sendable (TestServer) throws -> Void
    ) async throws {
        var settings = settings
        settings.port = 0
        settings.access.isOpen = !needsTokens && settings.access.address.isLoopback
        var pictures = PictureSettings()
        (pictures.budgetBytes, pictures.queueLimit) = (1 << 30, thumbnailLimit)
        pictures.writingInterval = .milliseconds(50)
        // Without a decoder, thumbnails that are stored are sent.
        let maker = try PictureMaker(service, decoder: decoder, settings: pictures)
        let making = Task { await maker.run() }
        defer { making.cancel() }
        var uploads: PictureUploads?
        if !destinations.isEmpty {
            let workers = PictureWorkers(PictureWorkers.Settings(executablePath: try #require(worker)), logger: quiet)
            uploads = try PictureUploads(destinations, of: service, keepingThumbnailsIn: maker, reading: workers)
        }
        let uploading = Task { [uploads] in await uploads?.run() }
        defer { uploading.cancel() }
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let server = try PhotoStreamServer(
            service, pictures: maker, uploads: uploads, follower: follower, settings: settings, logger: logger,
            metrics: metrics
        ) {
            continuation.yield($0)
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: quiet))
        let running = Task(executorPreference: ThreadExecutor.servers) { try await group.run() }
        var iterator = ports.makeAsyncIterator()
        let port = await iterator.next() ?? 0
        do {
            // Its sockets block, and the server needs the few threads that tests share.
            try await onThread {
                try test(
                    TestServer(file: file, service: service, client: HTTPClient(port: port)) {
                        Task(executorPreference: ThreadExecutor.servers) { await group.triggerGracefulShutdown() }
                    })
            }
        } catch {
            await group.triggerGracefulShutdown()
            try await running.value
            throw error
        }
        await group.triggerGracefulShutdown()
        try await running.value
        making.cancel()
        await making.value
        try service.close()
    }

    /// The folder of the pictures of a server's photos.
    static func pictures(_ file: TemporaryDatabase) -> URL { URL(filePath: file.folder).appending(path: "pictures") }

    /// The folder of the pictures as that of uploads.
    static func uploads(_ file: TemporaryDatabase) -> [PictureUploads.Destination] {
        [PictureUploads.Destination(stream: stream, folder: pictures(file).path(percentEncoded: false))]
    }

    /// Gives the first photo a picture.
    static func addPicture(to service: PhotoStreamService, _ file: TemporaryDatabase) throws {
        try FileManager.default.createDirectory(at: pictures(file), withIntermediateDirectories: true)
        try Data(SamplePicture.bytes).write(to: pictures(file).appending(path: SamplePicture.name))
        try service.addRoot(pictures(file).path(percentEncoded: false))
        // A version of the file that is noted later would end the result of decoding it.
        try noteFilm(in: file)
        try addThumbnail(to: service, file)
    }

    /// Notes that a part of the first photo's file is a film, as an import does.
    private static func noteFilm(in file: TemporaryDatabase) throws {
        let path = pictures(file).appending(path: SamplePicture.name).path(percentEncoded: false)
        let stamp = try #require(FileStamp(path: path))
        let database = try PhotoDatabase(path: file.path, access: .existing, primary: file.primary)
        defer { try? database.close() }
        try database.write { writer in
            guard let stream = try writer.reader.stream(named: stream), let root = try writer.reader.roots().first
            else { return }
            var row = PictureFileRow(
                rootID: root.id, path: SamplePicture.name, photo: PhotoID(stored: SampleRecords.id(0)),
                byteCount: stamp.byteCount, modifiedNanoseconds: stamp.modifiedNanoseconds, state: .read)
            row.film = 100..<stamp.byteCount
            try writer.savePictureFiles(streamID: stream.id, [row])
        }
    }

    /// The key of the first photo's picture.
    static let pictureKey = "AAAAAAAAAAAAAAAAAAAAAQ"

    /// Stores a thumbnail of the first photo, as if its picture had been decoded.
    private static func addThumbnail(to service: PhotoStreamService, _ file: TemporaryDatabase) throws {
        let key = try #require(PictureKey(pictureKey))
        let store = try PictureStore(path: service.pictureStorePath, budgetBytes: 1 << 30) { 1 }
        try store.add(
            key: key,
            [StoredThumbnail(kind: ThumbnailKind(.pixels640, as: .webP), width: 640, height: 480, bytes: [1, 2, 3])])
        try notePicture(in: file, now: 1)
    }

    /// Notes the result of decoding the picture of the first photo.
    static func notePicture(in file: TemporaryDatabase, now: Int64) throws {
        let key = try #require(PictureKey(pictureKey))
        let database = try PhotoDatabase(path: file.path, access: .existing, primary: file.primary)
        defer { try? database.close() }
        try database.write { writer in
            guard let row = try writer.reader.stream(named: stream),
                let photo = try writer.reader.picturedPhoto(
                    streamID: row.id, id: PhotoID(stored: SampleRecords.id(0)))
            else { return }
            // It belongs to no version of its file, so that only the key leads to the thumbnail.
            let picture = PictureRow(
                byteCount: 1, modifiedNanoseconds: 1, orientation: .up, state: .ready,
                fileHash: Array(repeating: UInt8(truncatingIfNeeded: now), count: 32), key: key,
                placeholder: [1, 2, 3],
                color: RGBColor(rawValue: 0x102030))
            try writer.savePictures([(photo, picture)], now: now)
        }
    }

    /// A logger that logs nothing.
    static let quiet: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    /// Runs SQL in the `sqlite3` shell: another process.
    func shell(_ sql: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["-cmd", ".timeout 5000", file.path, sql]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Imports records.
    static func load(_ records: [PhotoRecord], into stream: StreamName, of file: TemporaryDatabase) throws {
        let database = try PhotoDatabase(path: file.path, access: .existing, primary: file.primary)
        defer { try? database.close() }
        let row = try #require(try database.read { try $0.stream(named: stream) })
        var seen = RowIDSet()
        var rest = records[...]
        while !rest.isEmpty {
            let done = try database.importRecords(rest, into: row.id, seen: &seen)
            rest = rest.dropFirst(done.outcomes.count)
        }
    }
}

/// Runs blocking work on a separate thread.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// Runs a blocking closure that many times at once, each on a separate thread.
func atOnce<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
) throws -> [Result] {
    let results = Mutex<[Swift.Result<Result, any Error>]>([])
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            let result = Swift.Result { try body(number) }
            results.withLock { $0.append(result) }
            group.leave()
        }
    }
    group.wait()
    return try results.withLock { $0 }.map { try $0.get() }
}

/// A file that begins like a picture.
enum SamplePicture {
    static let name = "first.png"
    static let bytes = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
}

/// Photos for tests.
enum SampleRecords {
    /// Photos of mixed sizes over two months, some with captions; ids contain characters that an address must escape.
    static func records(_ count: Int, from first: Int = 0) -> [PhotoRecord] {
        var random = SplitMix64(seed: UInt64(first) + 7)
        let items = SampleMetrics.mixed(count, using: &random)
        return items.enumerated().map { position, item in
            let number = first + position
            var record = PhotoRecord(id: PhotoID(stored: id(number)))
            record.size = .set(PhotoRecord.EncodedSize(item.pixelSize))
            if item.hasCaption { record.caption = .set("caption \(number)") }
            if number == 0 { record.location = .set(SamplePicture.name) }
            let time = Int64(1_700_000_000_000) + Int64(number) * 17_000_000
            if let time = try? CaptureTime(milliseconds: time, utcOffsetMinutes: 60, precision: .second) {
                record.takenAt = .set(time)
            }
            return record
        }
    }

    /// The id of a photo.
    static func id(_ number: Int) -> String {
        number % 10 == 3 ? "2023/été \(number)" : "photo-\(number)"
    }
}
