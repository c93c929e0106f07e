import Foundation
import Logging
import PhotoStreamModel
package import PhotoStreamPictureMessages
package import PhotoStreamPictures
import PhotoStreamStorage
import Synchronization

/// A decoder of pictures: the workers, or that of a test.
package protocol PictureDecoding: Sendable {
    /// Runs the decoder until the task is cancelled.
    func run() async
    /// Decodes a picture.
    func decode(_ request: DecodeRequest, urgency: Urgency) async -> Result<DecodedPicture, PictureFailure>
}

extension PictureWorkers: PictureDecoding {}

/// Creates, stores and returns the thumbnails of a file's photos.
///
///     let maker = try PictureMaker(service)
///     let answer = try await maker.whileRunning {
///         try await maker.thumbnail(ThumbnailKind(.pixels320, as: .webP), of: photo, in: stream)
///     }
///
/// Decodes run in separate processes, which live while ``run()`` runs. Clients that request the same thumbnail share
/// one decode, and a decode that has not begun is dropped if no client waits for it any longer.
public final class PictureMaker: Sendable {
    struct State {
        var pictures: PictureStates
        var nextCaller = 0
        /// The callers that wait for a decode.
        var callers: [Int: CheckedContinuation<PictureResult, any Error>] = [:]
        /// The tasks of decodes.
        var tasks: [Int: Task<Void, Never>] = [:]
        /// The messages of writes that have failed and not succeeded since.
        var failing: Set<String> = []
    }

    let service: PhotoStreamService
    let store: PictureStore
    let settings: PictureSettings
    let logger: Logger
    let decoder: (any PictureDecoding)?
    /// Whether ``run()`` runs the decoder, too.
    private let runsDecoder: Bool
    let state: Mutex<State>
    let lookUps = BlockingQueue("photostream.pictures.read")
    let writes = BlockingQueue("photostream.pictures.write")

    /// The number of unwritten results at which decoding in the background stops.
    static let unwrittenLimit = 256

    /// Opens the store of a file's thumbnails, and locates the decoder.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - settings: The settings.
    /// - Throws: `StorageError` if the store cannot be opened.
    public convenience init(_ service: PhotoStreamService, settings: PictureSettings = PictureSettings()) throws {
        let path = settings.workerPath ?? PictureWorkers.locate()
        let workers = path.map { path in
            var options = PictureWorkers.Settings(executablePath: path)
            options.count = settings.workerCount
            return PictureWorkers(options, logger: service.logger)
        }
        if workers == nil {
            service.logger.warning(
                "there is no program photostream-pictures, so no thumbnails are made; originals are sent instead")
        }
        try self.init(service, decoder: workers, settings: settings)
    }

    /// Opens the store of a file's thumbnails, for a decoder, which the caller may run.
    package init(
        _ service: PhotoStreamService, decoder: (any PictureDecoding)?, runsDecoder: Bool = true,
        settings: PictureSettings = PictureSettings()
    ) throws {
        self.service = service
        self.runsDecoder = runsDecoder
        self.settings = settings
        self.decoder = service.isReadOnly ? nil : decoder
        state = Mutex(State(pictures: PictureStates(queueLimit: settings.queueLimit)))
        logger = service.logger
        store = try PictureStore(
            path: service.pictureStorePath,
            budgetBytes: settings.budgetBytes ?? PictureSettings.standardBudget(at: service.pictureStorePath),
            today: Self.today)
    }

    /// Returns the number of the current day.
    @Sendable static func today() -> Int32 { Int32(clamping: Int64(Date().timeIntervalSince1970) / 86_400) }

    /// Whether thumbnails can be created, rather than only looked up.
    public var canMake: Bool { decoder != nil }

    /// The work that was done so far.
    public var counts: PictureWork { state.withLock { $0.pictures.counts } }

    /// The number of workers that decode concurrently.
    public var workerCount: Int { canMake ? settings.workerCount : 0 }

    /// The size of the stored thumbnails, in bytes.
    ///
    /// - Throws: `StorageError` if the store cannot be read.
    public var storedByteCount: Int64 {
        get throws { try store.byteCount }
    }

    /// The approximate number of pictures whose thumbnails fit into the budget, by the mean of those that are stored;
    /// `nil` before the first.
    ///
    /// - Throws: `StorageError` if the store cannot be read.
    public var capacity: Int? {
        get throws {
            let (count, byteCount) = (try store.count, try store.byteCount)
            guard count > 0, byteCount > 0 else { return nil }
            return Int(Double(store.budgetBytes) / Double(byteCount) * Double(count))
        }
    }

    /// Decodes and writes until the task is cancelled, then writes the remaining results.
    public func run() async {
        await withTaskGroup { group in
            if runsDecoder, let decoder { group.addTask { await decoder.run() } }
            group.addTask { await self.writeContinually() }
            await group.waitForAll()
        }
    }
}

extension PictureMaker {
    /// Runs the maker while `body` runs.
    ///
    /// - Returns: The result of `body`, after everything was written.
    /// - Throws: The errors of `body`.
    public func whileRunning<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let running = Task { await run() }
        defer { running.cancel() }
        let work = Task { try await body() }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        running.cancel()
        await running.value
        return try result.get()
    }
}

/// The work of a ``PictureMaker``.
public struct PictureWork: Hashable, Sendable {
    /// The number of decodes that were begun.
    public var decodeCount = 0
    /// The number of pictures that were decoded.
    public var madeCount = 0
    /// The number of decodes that failed.
    public var failedCount = 0
    /// The number of decodes that a worker runs or that wait for one.
    public var activeCount = 0
    /// The number of decodes for which clients wait.
    public var awaitedCount = 0
}
