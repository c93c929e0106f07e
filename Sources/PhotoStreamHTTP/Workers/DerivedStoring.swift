import Logging
import PhotoStreamService
import ServiceLifecycle
import Synchronization

/// Writes what answers had to compute, a while after they were sent, and once more at the end.
final class DerivedStoring: Service {
    /// How long answers are collected before what they computed is written.
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
    ///   - watch: Gives up what is being stored, and all that follows; the file then has it not.
    ///   - logger: Where failures are told.
    init(_ service: PhotoStreamService, on pool: WorkerPool, _ watch: ClientWatch, _ logger: Logger) {
        self.service = service
        self.pool = pool
        self.watch = watch
        self.logger = logger
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes note that an answer was computed.
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
            logger.info("storing was given up")
        } catch {
            // The answers stand; only the next ones will take as long again.
            logger.warning("what was computed could not be stored", metadata: ["error": "\(error)"])
        }
    }
}
