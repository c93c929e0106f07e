import Logging
import PhotoStreamService
import ServiceLifecycle
import Synchronization

/// Stores derived data a moment after the answers that computed it, and once more at the end.
final class DerivedStoring: Service {
    /// The time for which answers are collected before their derived data is stored.
    private static let delay = Duration.milliseconds(500)

    private let service: PhotoStreamService
    private let pool: WorkerPool
    private let watch: ClientWatch
    private let logger: Logger
    private let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// Creates the service; ``run()`` does the work.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - pool: The threads that write.
    ///   - watch: Cancels the current and all later storing; the file then lacks that derived data.
    ///   - logger: Receives failures.
    init(_ service: PhotoStreamService, on pool: WorkerPool, watch: ClientWatch, logger: Logger) {
        self.service = service
        self.pool = pool
        self.watch = watch
        self.logger = logger
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Records that an answer was computed.
    func request() {
        continuation.yield()
    }

    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in requests.cancelOnGracefulShutdown() {
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.delay) }
                await store()
            }
        } onGracefulShutdown: {
            self.continuation.finish()
        }
        await store()
    }

    private func store() async {
        do {
            try await pool.run(watch: watch) { [service] in try service.storeDerived() }
        } catch is CancellationError {
            logger.info("storing was cancelled")
        } catch {
            // The answers are correct nevertheless; only the next ones will take as long again.
            logger.warning("derived data could not be stored", metadata: ["error": "\(error)"])
        }
    }
}
