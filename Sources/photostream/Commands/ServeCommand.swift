import ArgumentParser
import Foundation
import Logging
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import ServiceLifecycle
import UnixSignals

/// `photostream serve`: serves the file over HTTP.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the file over HTTP, as the backend of a gallery client.",
        discussion: """
            Listens on 127.0.0.1, which only this machine can reach, and prints the address and a link. The link, opened in a browser within ten minutes, signs it in \
            once, and shows a gallery of the streams. The \
            interface is under /v1, where the options of a layout are \
            query parameters without the leading hyphens; /healthz and /readyz report its health. SIGTERM and SIGINT end it \
            once running requests are answered, after 10 seconds at the latest; a second signal ends it at once.

            Every request needs a token, a session, the link of a share, or a name that a trusted proxy server gives: see photostream \
            tokens. With --open none does, for trying out on this machine. With --address, other machines reach it, too.

            Limits are set with --set NAME=NUMBER, in the environment as PHOTOSTREAM_NAME, or as such lines of a file that \
            --configuration names; the first of these counts. PHOTOSTREAM_ALLOWED_ORIGINS is a list with commas, as \
            of --allow-origin. --print-configuration lists all of them, with what they are and where they come from.

            EXAMPLES:
              photostream serve
              photostream serve --open
              photostream serve --database holiday.sqlite --port 9000
              photostream serve --allow-origin http://localhost:5173
              photostream serve --watch
              photostream serve --watch --prune-after 30d
              photostream serve --set imports=1 --set idle-seconds=30
              photostream serve --configuration /etc/photostream/photostream.conf --print-configuration
              photostream serve --uploads holiday=/home/ada/Pictures/holiday
              photostream serve --primary postgres://photos@db.lan/photos --database replica.sqlite
              photostream serve --address 0.0.0.0 --host-name photos.lan --tls-certificate cert.pem --tls-key key.pem
              curl 'http://127.0.0.1:8080/v1/streams/holiday/layout?width=1200&first=50'
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The port on 127.0.0.1; 0 for any free port. (default: 8080)", valueName: "n"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Also allow pages of this origin, such as http://localhost:5173, to read and write. May be repeated.",
            valueName: "origin"),
        transform: { try WebOrigin($0) })
    var allowOrigin: [WebOrigin] = []

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @OptionGroup(title: "Access") var access: AccessOptions

    @Option(
        help: ArgumentHelp(
            "Show the addresses of thumbnails at this origin of a CDN, such as https://img.example.org, signed, so that they need no token.",
            valueName: "origin"),
        transform: Self.imagesOrigin)
    var imagesBase: WebOrigin?

    @OptionGroup var pictureBudget: PictureBudgetOption

    @Flag(
        name: .customLong("no-pictures"),
        help: "Make no thumbnails in the background, but only those that clients ask for.")
    var makesNoPictures = false

    @Flag(name: .customLong("no-gallery"), help: "Leave out the web gallery, which / shows otherwise.")
    var hasNoGallery = false

    @Option(
        help: ArgumentHelp("The database file.", valueName: "file"),
        completion: .file(extensions: ["sqlite", "db"]))
    var database = "photostream.sqlite"

    @OptionGroup var primary: PrimaryOption

    @OptionGroup var files: ServedFiles

    @Flag(help: "Keep importing what changes in the folders that were imported into a stream on this machine.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            """
            With --watch, take photos whose files have been gone for this time out of the stream, such as 12h or 30d. They are \
            kept for 30 days, and stay if a disk is missing or more than half of a folder is gone.
            """, valueName: "duration"), transform: Expiry.duration)
    var pruneAfter: Int64?

    @OptionGroup var upload: UploadOption

    @Flag(name: .shortAndLong, help: "Log requests and cache activity to standard error.")
    var verbose = false

    @Option(help: ArgumentHelp("The form of the log: text or json.", valueName: "format"))
    var logFormat = LogFormat.text

    func validate() throws {
        guard pruneAfter == nil || watch else {
            throw ValidationError("--prune-after is for folders that are watched; add --watch")
        }
    }

    func run() async throws {
        let sources = try configuration.sources(options: options)
        let settings = try settings(from: sources)
        guard !configuration.printConfiguration else { return try sources.print(settings) }
        var logger = logFormat.logger
        logger.logLevel = verbose ? .debug : .warning
        try ServedFiles.checkDescriptors()
        OutputFile.removeLeftovers(of: database)
        for warning in sources.warnings { logger.warning("\(warning)") }
        let primary = try primary.primary { [logger] heldUp in
            logger.warning("\(heldUp.message)", metadata: heldUp.metadata)
        }
        if let primary { try ReplicaFile.prepare(database, of: primary, isServed: true) }
        let service = try openService(logger, primary: primary)
        try service.showImages(at: imagesBase?.description)
        try access.check(service, logger: logger)
        let follower = primary.map { Following.follower(of: service, $0, path: database, logger: logger) }
        let manager = ServiceManager()
        let maker = pictureMaker(service, limit: settings.thumbnails, logger: logger)
        try files.check(service, isLocal: access.address.isLoopback, logger: logger)
        let uploads = try pictureUploads(service, keepingThumbnailsIn: maker, logger: logger)
        let scheme = settings.tlsFiles == nil ? "http" : "https"
        let server = try PhotoStreamServer(
            service, pictures: maker, uploads: uploads, follower: follower, settings: settings, logger: logger
        ) { [access, logger] port in
            // The address is for the process that started the server; failing to write it is not an error.
            try? StandardOutput.write(line: "\(scheme)://\(settings.access.address.inURL):\(port)")
            try? StandardOutput.flush()
            // The output of a service goes to a log, which must not have a link.
            if manager == nil, !settings.access.isOpen {
                SignInOutput(service: service, address: access.ownAddress(port: port), logger: logger).begin()
            }
            manager?.send("READY=1")
        }
        let watches =
            watch
            ? [
                FolderWatchService(
                    service: service, program: try FolderWorkers.program(), pruningMilliseconds: pruneAfter,
                    logger: logger)
            ] : []
        // The server ends first, since its clients wait for thumbnails.
        let pictures = maker.map { PictureMaking(maker: $0, inBackground: !makesNoPictures) }
        let uploading = uploads.map { UploadWorking(uploads: $0) }
        let reports = manager.map { [ProgressReports(manager: $0, service: service)] } ?? []
        let following = follower.map { Following(follower: $0) }
        let services: [any Service] =
            (following.map { [$0] } ?? []) + watches + (pictures.map { [$0] } ?? []) + (uploading.map { [$0] } ?? [])
            + [server] + reports
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) }, logger: logger))
        let signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint, .sighup])
        let ending = Task {
            var isEnding = false
            for await signal in signals {
                if signal == .sighup {
                    // A reload never ends a server, even if there is nothing to read again.
                    if settings.tlsFiles != nil { Self.reloadCertificate(of: server, logger) }
                    continue
                }
                if isEnding {
                    server.abort()
                } else {
                    Self.endWithoutFail(afterSeconds: settings.endSeconds, logger)
                    await group.triggerGracefulShutdown()
                }
                isEnding = true
            }
        }
        defer { ending.cancel() }
        try await group.run()
        try service.close()
    }

    private static func imagesOrigin(_ text: String) throws -> WebOrigin {
        let origin = try WebOrigin(text)
        guard origin.description.hasPrefix("https://") || origin.description.hasPrefix("http://") else {
            throw ServerError.invalidOrigin(text)
        }
        return origin
    }

    private static func reloadCertificate(of server: PhotoStreamServer, _ logger: Logger) {
        do {
            try server.reloadCertificate()
            logger.info("the certificate was read again")
        } catch {
            logger.error("the certificate stays as it was", metadata: ["error": "\(error)"])
        }
    }

    /// Ends the process after a time even if work is still running.
    ///
    /// The file is not harmed: everything that was acknowledged is committed, and derived data can be computed again.
    /// It waits on a separate thread, so that the end depends on no other thread.
    private static func endWithoutFail(afterSeconds seconds: Int, _ logger: Logger) {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: Double(seconds))
            logger.warning("ended while work was still running")
            _exit(EXIT_SUCCESS)
        }
    }

    /// The settings that have options of their own, by their names.
    private var options: [String: String] {
        var options: [String: String] = [:]
        if let port { options["port"] = String(port) }
        if !allowOrigin.isEmpty { options["allowed-origins"] = allowOrigin.map(\.description).joined(separator: ",") }
        return options
    }

    private func settings(from sources: ConfigurationSources) throws -> ServerSettings {
        var settings = try sources.settings()
        settings.showsGallery = !hasNoGallery
        settings.access = access.settings
        settings.tlsFiles = access.tlsFiles
        return settings
    }

    /// The maker of thumbnails; `nil` if their store cannot be opened, in which case the rest is served.
    private func pictureMaker(_ service: PhotoStreamService, limit: Int, logger: Logger) -> PictureMaker? {
        var settings = pictureBudget.settings
        settings.queueLimit = limit
        do {
            return try PictureMaker(service, settings: settings)
        } catch {
            logger.warning("no thumbnails are made", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// The folders for uploads; `nil` without any.
    private func pictureUploads(
        _ service: PhotoStreamService, keepingThumbnailsIn maker: PictureMaker?, logger: Logger
    ) throws -> PictureUploads? {
        guard !upload.uploads.isEmpty else { return nil }
        guard !service.isReadOnly else {
            throw StorageError(
                .readOnly, message: "\(database) is open for reading only, so nothing can be uploaded into it")
        }
        return try PictureUploads(upload.uploads, of: service, keepingThumbnailsIn: maker, logger: logger)
    }

    private func openService(_ logger: Logger, primary: PostgresPrimary?) throws -> PhotoStreamService {
        do {
            return try PhotoStreamService(
                path: database, access: .existing, logger: logger, primary: primary,
                willUpdate: { logger.warning("\($0)") }
            ) { Moment.now }
        } catch let error as StorageError where error.code == .readOnly {
            return try PhotoStreamService(path: database, access: .readOnly, logger: logger) { Moment.now }
        }
    }
}
