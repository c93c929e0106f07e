import Logging
import PhotoStreamService
import ServiceLifecycle

/// Stores derived data a moment after the answers that computed it, and once more at the end.
struct DerivedStoring: Service {
    /// The time for which answers are collected before their derived data is stored.
    private static let delay = Duration.milliseconds(500)

    let service: PhotoStreamService
    /// The threads that write.
    let pool: WorkerPool
    /// Cancels the current and all later storing; the file then lacks that derived data.
    let watch: ClientWatch
    let logger: Logger
    private let requests = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Records that an answer was computed.
    func request() {
        requests.continuation.yield()
    }

    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in requests.stream.cancelOnGracefulShutdown() {
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.delay) }
                await store()
            }
        } onGracefulShutdown: {
            requests.continuation.finish()
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
