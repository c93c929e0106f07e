import Foundation
import Hummingbird
import HummingbirdCore
public import Logging
public import Metrics
import NIOCore
import NIOPosix
public import PhotoStreamService
public import ServiceLifecycle

/// The backend of a gallery client: one PhotoStream file over HTTP, on this machine only.
///
/// It is a service for a `ServiceGroup`: at a graceful shutdown requests that are being answered end first, for as long
/// as ``ServerSettings/endSeconds`` allows, then what answers have computed is stored.
public struct PhotoStreamServer: Service {
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
    ///   - settings: How it runs.
    ///   - logger: Where requests and failures are told.
    ///   - metrics: Where requests are counted and timed.
    ///   - onListening: Called with the port once requests are taken.
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
    /// - Throws: ``ServerError`` where the port cannot be opened.
    public func run() async throws {
        // One for each processor: look-ups are answered on them.
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        do {
            try await run(on: loops)
        } catch {
            try? await loops.shutdownGracefully()
            throw error
        }
        try? await loops.shutdownGracefully()
    }

    /// Closes all connections and gives up what is asked on them: for whoever does not wait for the end that is under way.
    public func giveUpConnections() {
        let count = watches.closeAll()
        guard count > 0 else { return }
        logger.warning("connections were closed before the end", metadata: ["connections": "\(count)"])
    }

    private func run(on loops: MultiThreadedEventLoopGroup) async throws {
        let pools = WorkerPools(settings)
        defer { pools.stop() }
        let storing = DerivedStoring(service, on: pools.writers, logger)
        var logger = logger
        logger.handler = RequestLogHandler(logger.handler)
        let responder = APIResponder(
            service: service, settings: settings, table: .all, pools: pools, storing: storing, watches: watches,
            meter: RequestMeter(metrics), logger: logger)
        let application = Application(
            responder: responder,
            server: HTTPServerBuilder { [watches, settings] in
                ConnectionSetup($0, responder, watches, patience: .seconds(Int64(settings.idleSeconds)))
            },
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: settings.port), serverName: LookUpHandler.serverName),
            services: [storing], onServerRunning: { await onListening($0.localAddress?.port ?? 0) },
            eventLoopGroupProvider: .shared(loops), logger: logger)
        do {
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: {
                loops.next().scheduleTask(in: .seconds(Int64(settings.endSeconds))) { giveUpConnections() }
            }
        } catch let error as IOError {
            throw serverError(error) ?? error
        }
    }

    private func serverError(_ error: IOError) -> (any Error)? {
        switch error.errnoCode {
        case EADDRINUSE: ServerError.portTaken(settings.port)
        case EACCES: ServerError.portForbidden(settings.port)
        default: nil
        }
    }
}
