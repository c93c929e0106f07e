import Foundation
import Hummingbird
import HummingbirdCore
public import Logging
public import Metrics
import NIOCore
import NIOPosix
public import PhotoStreamService
public import ServiceLifecycle

/// A server for gallery clients: one PhotoStream file over HTTP, on this machine only.
///
/// Run it in a `ServiceGroup`. At a graceful shutdown, running requests are finished first, within
/// ``ServerSettings/endSeconds``, and then derived data is stored.
///
/// ```swift
/// let service = try PhotoStreamService(path: "photos.sqlite", access: .existing) {
///     Int64(Date().timeIntervalSince1970 * 1_000)
/// }
/// let server = PhotoStreamServer(service, logger: logger) { port in print("http://127.0.0.1:\(port)") }
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
public struct PhotoStreamServer: Service {
    /// The value of the field `Server`.
    static let name = "PhotoStream"

    private let service: PhotoStreamService
    private let settings: ServerSettings
    private let logger: Logger
    private let metrics: any MetricsFactory
    private let onListening: @Sendable (Int) async -> Void
    private let watches = ClientWatches()

    /// Creates a server; ``run()`` opens the port.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - settings: The settings.
    ///   - logger: Receives requests and failures.
    ///   - metrics: Counts and times requests.
    ///   - onListening: Called with the port as soon as the server accepts requests.
    public init(
        _ service: PhotoStreamService, settings: ServerSettings = ServerSettings(), logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.service = service
        self.settings = settings
        self.logger = logger
        self.metrics = metrics
        self.onListening = onListening
    }

    /// Answers requests until the shutdown.
    ///
    /// - Throws: ``ServerError`` if the port cannot be opened.
    public func run() async throws {
        try PortCheck.checkIsFree(settings.port)
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        do {
            try await run(on: loops)
        } catch {
            try? await loops.shutdownGracefully()
            throw error
        }
        try? await loops.shutdownGracefully()
    }

    /// Closes every connection immediately and cancels its requests.
    ///
    /// Call this to cut a graceful shutdown short.
    public func abortConnections() {
        let count = watches.closeAll()
        guard count > 0 else { return }
        logger.warning("connections were closed before the end", metadata: ["connections": "\(count)"])
    }

    private func run(on loops: MultiThreadedEventLoopGroup) async throws {
        let pools = WorkerPools(settings)
        defer { pools.stop() }
        let storing = DerivedStoring(service, on: pools.writers, logger: logger)
        let table = RouteTable.all
        let recording = RequestRecording(table: table, meter: RequestMeter(metrics), storing: storing)
        let origins = AllowedOrigins(settings.allowedOrigins)
        let router = table.router(
            through: [
                recording, CrossOriginAnswers(allowed: origins), ProblemDocuments(table: table), HostCheck(),
                OriginCheck(allowed: origins, table: table),
            ], to: RouteEndpoint(service: service, settings: settings, pools: pools, watches: watches))
        let application = Application(
            responder: router,
            server: HTTPServerBuilder { [watches, settings, logger] in
                ConnectionSetup(
                    answering: $0, refusal: { recording.refusal(of: $0, logger) }, watches: watches, settings: settings)
            },
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: settings.port), serverName: Self.name,
                availableConnectionsDelegate: .maximum(settings.connectionLimit, logger: logger)),
            services: [storing], onServerRunning: { await onListening($0.localAddress?.port ?? 0) },
            eventLoopGroupProvider: .shared(loops), logger: logger)
        do {
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: {
                // The rest of the time is for cancelling requests and for storing.
                loops.next().scheduleTask(in: .milliseconds(Int64(settings.endSeconds) * 800)) { abortConnections() }
            }
        } catch let error as IOError {
            throw ServerError(error.errnoCode, port: settings.port) ?? error
        }
    }
}

/// The context of one request.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
