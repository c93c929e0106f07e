import Foundation
import Hummingbird
import HummingbirdCore
public import Logging
public import Metrics
import NIOCore
package import PhotoStreamPrimary
public import PhotoStreamService
public import ServiceLifecycle

/// A server for gallery clients: one PhotoStream file over HTTP, by default on this machine only.
///
/// Run it in a `ServiceGroup`. A graceful shutdown first finishes running requests, within
/// ``ServerSettings/endSeconds``, and then stores derived data.
///
/// ```swift
/// let service = try PhotoStreamService(path: "photos.sqlite", access: .existing) {
///     Int64(Date().timeIntervalSince1970 * 1_000)
/// }
/// let server = try PhotoStreamServer(service, logger: logger) { port in print("http://127.0.0.1:\(port)") }
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
public struct PhotoStreamServer: Service {
    /// The value of the field `Server`.
    static let name = "PhotoStream"

    private let service: PhotoStreamService
    private let pictures: PictureMaker?
    private let uploads: PictureUploads?
    private let follower: Follower?
    private let settings: ServerSettings
    private let logger: Logger
    private let metrics: any MetricsFactory
    private let onListening: @Sendable (Int) async -> Void
    private let watches = ClientWatches()
    private let storingWatch = ClientWatch()
    private let certificate: TLSCertificate?

    /// Creates a server; ``run()`` opens the port.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - pictures: Makes thumbnails while its own `run()` runs; `nil` for a server that sends originals only.
    ///   - uploads: The folders into which clients may upload pictures; its own `run()` runs the workers.
    ///   - settings: The settings.
    ///   - logger: Receives requests and failures.
    ///   - metrics: Counts and times requests.
    ///   - onListening: Called with the port as soon as the server accepts requests.
    /// - Throws: ``ServerError/invalidCertificate(_:reason:)``, ``ServerError/openToOthers``.
    public init(
        _ service: PhotoStreamService, pictures: PictureMaker? = nil, uploads: PictureUploads? = nil,
        settings: ServerSettings = ServerSettings(), logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws(ServerError) {
        try self.init(
            service, pictures: pictures, uploads: uploads, follower: nil, settings: settings, logger: logger,
            metrics: metrics, onListening: onListening)
    }

    /// Creates a server whose file may be a replica, which its follower keeps up to date.
    package init(
        _ service: PhotoStreamService, pictures: PictureMaker?, uploads: PictureUploads?, follower: Follower?,
        settings: ServerSettings, logger: Logger, metrics: any MetricsFactory = MetricsSystem.factory,
        onListening: @escaping @Sendable (Int) async -> Void
    ) throws(ServerError) {
        self.service = service
        self.pictures = pictures
        self.uploads = uploads
        self.follower = follower
        try settings.access.check()
        certificate = try settings.tlsFiles.map { files throws(ServerError) in try TLSCertificate(files) }
        var settings = settings
        settings.access.isSecure = certificate != nil
        self.settings = settings
        self.logger = logger
        self.metrics = metrics
        self.onListening = onListening
    }

    /// Answers requests until the shutdown.
    ///
    /// - Throws: ``ServerError`` if the port cannot be opened.
    public func run() async throws {
        try PortCheck.checkIsFree(settings.port, at: settings.access.address)
        let pools = WorkerPools(settings)
        defer { pools.stop() }
        let events = EventHub(
            service, pictures: pictures, follower: follower, settings: settings, watches: watches, logger: logger)
        // Before the first probe.
        try await pools.short.runAdmitted { events.look() }
        async let following: Void = events.run()
        // Both are cancelled when `run()` ends.
        async let _ = abortInTime(events)
        async let _ = watches.endTimes()
        let result: Result<Void, any Error>
        do {
            result = .success(try await application(pools, events: events).run())
        } catch {
            result = .failure(
                (error as? IOError).flatMap {
                    ServerError($0.errnoCode, port: settings.port, address: settings.access.address)
                } ?? error)
        }
        events.end()
        await following
        try result.get()
    }

    /// Closes every connection immediately, and cancels its requests and the storing of derived data.
    ///
    /// Call this to cut a graceful shutdown short.
    public func abort() {
        abortConnections()
        storingWatch.leave()
    }

    /// Reads the files of the certificate again, for new connections; blocks.
    ///
    /// - Throws: ``ServerError/invalidCertificate(_:reason:)``. The server then continues with its current certificate.
    public func reloadCertificate() throws(ServerError) {
        try certificate?.reload()
    }

    private func abortConnections() {
        let count = watches.closeAll()
        guard count > 0 else { return }
        logger.warning("connections were closed before the end", metadata: ["connections": "\(count)"])
    }

    /// Waits for the graceful shutdown, ends the event streams, which have no end of their own, and cancels everything
    /// that takes too long: requests after their part of the time, storing shortly before it is over.
    private func abortInTime(_ events: EventHub) async {
        do {
            try await gracefulShutdown()
            events.end()
            let time = Duration.seconds(settings.endSeconds)
            try await Task.sleep(for: time * settings.requestsPartOfEnd)
            abortConnections()
            try await Task.sleep(for: time * (0.95 - settings.requestsPartOfEnd))
            self.abort()
        } catch {
            // The server has ended.
        }
    }

    private func application(_ pools: WorkerPools, events: EventHub) -> some ApplicationProtocol {
        let storing = DerivedStoring(service: service, pool: pools.write, watch: storingWatch, logger: logger)
        let table = settings.showsGallery ? RouteTable.all : RouteTable.withoutGallery
        let recording = RequestRecording(table: table, meter: RequestMeter(metrics), storing: storing)
        let origins = AllowedOrigins(settings.allowedOrigins)
        let router = ShareResponder(
            next: table.router(
                through: [
                    recording, CrossOriginAnswers(allowed: origins), ProblemDocuments(table: table),
                    HostCheck(settings.access),
                    OriginCheck(allowed: origins, table: table),
                ],
                to: RouteEndpoint(
                    service: service, settings: settings, pools: pools, watches: watches, pictures: pictures,
                    uploads: uploads, follower: follower, events: events, meter: recording.meter)))
        return Application(
            responder: router,
            server: HTTPServerBuilder { [watches, settings, logger, certificate] in
                let setup = ConnectionSetup(
                    answering: $0, refusal: { recording.refusal(of: $0, logger) }, watches: watches, settings: settings)
                guard let certificate else { return setup }
                let http2 = HTTP2ConnectionSetup(
                    answering: $0, refusal: { recording.refusal(of: $0, logger) }, watches: watches, settings: settings)
                return SecureConnectionSetup(http1: setup, http2: http2, certificate: certificate, watches: watches)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.access.address.description, port: settings.port), serverName: Self.name,
                availableConnectionsDelegate: .maximum(settings.connectionLimit, logger: logger)),
            services: [storing], onServerRunning: { await onListening($0.localAddress?.port ?? 0) }, logger: logger)
    }
}

struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The link of the share with which the request was sent; `nil` for every other request.
    var share: ShareAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
