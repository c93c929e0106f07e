import Foundation
import Hummingbird
import HummingbirdCore
public import Logging
public import Metrics
import NIOCore
public import PhotoStreamService
public import ServiceLifecycle

/// The backend of a gallery client: one PhotoStream file over HTTP, on this machine only.
///
/// It is a service for a `ServiceGroup`: at a graceful shutdown requests that are being answered end first, for as long
/// as ``ServerSettings/endSeconds`` allows, then what answers have computed is stored.
public struct PhotoStreamServer: Service {
    /// What the field `Server` says.
    static let name = "PhotoStream"

    private let service: PhotoStreamService
    private let settings: ServerSettings
    private let logger: Logger
    private let metrics: any MetricsFactory
    private let onListening: @Sendable (Int) async -> Void
    private let watches = ClientWatches()
    private let storingWatch = ClientWatch()

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
        try PortCheck.checkIsFree(settings.port)
        let pools = WorkerPools(settings)
        defer { pools.stop() }
        // Given up when `run()` ends.
        async let _ = giveUpInTime()
        do {
            try await application(pools).run()
        } catch let error as IOError {
            throw ServerError(error.errnoCode, port: settings.port) ?? error
        }
    }

    /// Closes all connections, cancels their requests and what is being stored.
    ///
    /// Call this to cut a graceful shutdown short.
    public func giveUp() {
        giveUpConnections()
        storingWatch.leave()
    }

    private func giveUpConnections() {
        let count = watches.closeAll()
        guard count > 0 else { return }
        logger.warning("connections were closed before the end", metadata: ["connections": "\(count)"])
    }

    /// Waits for the graceful shutdown, and gives up what it takes too long for: requests after four fifths of its time,
    /// storing shortly before it is over.
    private func giveUpInTime() async {
        do {
            try await gracefulShutdown()
            try await Task.sleep(for: .milliseconds(settings.endSeconds * 800))
            giveUpConnections()
            try await Task.sleep(for: .milliseconds(settings.endSeconds * 150))
            giveUp()
        } catch {
            // The server has ended.
        }
    }

    private func application(_ pools: WorkerPools) -> some ApplicationProtocol {
        let storing = DerivedStoring(service, on: pools.writers, storingWatch, logger)
        let table = RouteTable.all
        let recording = RequestRecording(table: table, meter: RequestMeter(metrics), storing: storing)
        let origins = AllowedOrigins(settings.allowedOrigins)
        let router = table.router(
            behind: [
                recording, CrossOriginAnswers(allowed: origins), ProblemDocuments(table: table), HostCheck(),
                OriginCheck(allowed: origins, table: table),
            ], RouteEndpoint(service: service, settings: settings, pools: pools, watches: watches))
        return Application(
            responder: router,
            server: HTTPServerBuilder { [watches, settings, logger] in
                ConnectionSetup($0, refusal: { recording.refusal(of: $0, logger) }, watches, settings)
            },
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: settings.port), serverName: Self.name,
                availableConnectionsDelegate: .maximum(settings.connectionLimit, logger: logger)),
            services: [storing], onServerRunning: { await onListening($0.localAddress?.port ?? 0) }, logger: logger)
    }
}
