import Logging
import PhotoStreamService
import ServiceLifecycle

/// Stores derived data a moment after the answers that computed it, and once more at the end; makes the data that
/// conditions read.
struct DerivedStoring: Service {
    /// The time for which answers are collected before their derived data is stored.
    private static let delay = Duration.milliseconds(500)

    /// The number of steps after which derived data is stored.
    private static let stepsBetweenStores = 20

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
            // Conditions search the words of photos that were imported while no server ran.
            request()
            for await _ in requests.stream.cancelOnGracefulShutdown() {
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.delay) }
                await store()
                await work(inStepsOf: { try $0.packSomeAttributes() }, failingWith: "attributes could not be packed")
                await work(inStepsOf: { try $0.indexSomeWords() }, failingWith: "words could not be indexed")
            }
        } onGracefulShutdown: {
            requests.continuation.finish()
        }
        await store()
    }

    /// Makes the data that conditions read of new and changed photos, in steps between which the threads serve other writes.
    ///
    /// - Parameters:
    ///   - step: Does some work, and returns whether there is more.
    ///   - failure: The message if it fails.
    private func work(
        inStepsOf step: @escaping @Sendable (PhotoStreamService) throws -> Bool, failingWith failure: String
    ) async {
        await cancelWhenGracefulShutdown {
            await reportingFailure(of: failure) {
                var stepCount = 0
                while try await pool.run(watch: watch, { [service] in try step(service) }) {
                    stepCount += 1
                    // Answers in the meantime have derived data, too.
                    if stepCount % Self.stepsBetweenStores == 0 { await store() }
                }
            }
        }
    }

    private func store() async {
        await reportingFailure(of: "derived data could not be stored") {
            try await pool.run(watch: watch) { [service] in try service.storeDerived() }
        }
    }

    /// The answers are correct nevertheless; only the next ones will take as long again.
    private func reportingFailure(of failure: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch is CancellationError {
            logger.info("storing was cancelled")
        } catch {
            logger.warning("\(failure)", metadata: ["error": "\(error)"])
        }
    }
}
