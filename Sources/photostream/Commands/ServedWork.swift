import Foundation
import Logging
import PhotoStreamPrimary
import PhotoStreamService
import ServiceLifecycle

/// Follows the primary while the server runs.
struct Following: Service {
    let follower: Follower

    /// Creates the follower of a server's file.
    static func follower(
        of service: PhotoStreamService, _ primary: PostgresPrimary, path: String, logger: Logger
    ) -> Follower {
        let path = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        let name = "\(ProcessInfo.processInfo.hostName):\(path)"
        return Follower(
            primary, of: service.database, name: name,
            observe: { condition in
                switch condition {
                case .following: logger.warning("the file follows the primary again, and writes are accepted")
                case .waiting(let reason): logger.warning("writes are refused", metadata: ["reason": "\(reason)"])
                case .rebuilding: logger.warning("the primary has another history; the file is built again")
                case .stopped(let reason): logger.error("\(reason)")
                }
            }, notice: { logger.error("\($0)") })
    }

    func run() async throws {
        follower.start()
        try? await gracefulShutdown()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                follower.stop()
                continuation.resume()
            }
        }
    }
}

extension HeldUp {
    /// The transaction, its details, and the statement that ends it.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["holder": "\(holder.name)", "seconds": "\(time.components.seconds)"]
        if let since = holder.sinceMilliseconds { metadata["since"] = "\(Moment.text(since))" }
        if !holder.query.isEmpty { metadata["query"] = "\(holder.query)" }
        if !isEnded, !holder.isServer { metadata["remedy"] = "\(holder.remedy)" }
        return metadata
    }
}

/// Imports changes of folders while the server runs.
struct FolderWatchService: Service {
    let service: PhotoStreamService
    /// The path of the worker program.
    let program: String
    /// The time after which photos whose files are gone are removed, in milliseconds; `nil` for never.
    let pruningMilliseconds: Int64?
    let logger: Logger

    /// The longest time between two looks for photos to remove.
    private static let longestPause = Duration.seconds(600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            do {
                try await FolderWorkers.run(program, logger: logger) { workers in
                    let watch = try FolderWatching(allOf: service, reading: workers, logger: logger)
                    await withTaskGroup { group in
                        group.addTask { [self] in await watch.run(observe: log) }
                        guard let time = pruningMilliseconds else { return }
                        group.addTask { [self] in
                            let pause = min(Self.longestPause, .milliseconds(max(100, time / 10)))
                            await watch.prune(afterMilliseconds: time, every: pause, observe: log)
                        }
                    }
                }
            } catch is CancellationError {
                return
            } catch {
                logger.warning("folders are not watched", metadata: ["error": "\(error)"])
            }
            // The server continues.
            try? await gracefulShutdown()
        }
    }

    @Sendable
    private func log(_ progress: FolderProgress) {
        for notice in progress.notices {
            switch notice.kind {
            case .rejected: logger.warning("a file could not be imported", metadata: notice.metadata)
            case .held: logger.warning("photos stay although their files are gone", metadata: notice.metadata)
            case .pruned: logger.info("a photo was removed because its file is gone", metadata: notice.metadata)
            case .ignored, .warning, .vanished, .moved: break
            }
        }
        let count = progress.folders.pruned
        if count > 0 {
            logger.warning(
                "photos were removed because their files are gone; they are kept for 30 days",
                metadata: ["count": "\(count)"])
        }
    }
}

extension FileNotice {
    /// The path and the reason.
    fileprivate var metadata: Logger.Metadata { ["path": "\(path)", "reason": "\(reason)"] }
}

/// Decodes uploaded pictures while the server runs.
struct UploadWorking: Service {
    let uploads: PictureUploads

    func run() async throws {
        await cancelWhenGracefulShutdown { await uploads.run() }
    }
}

/// Makes thumbnails while the server runs.
struct PictureMaking: Service {
    let maker: PictureMaker
    /// Whether it makes those of all photos, or only those that clients request.
    let inBackground: Bool

    /// The time after the start during which the background is idle, so that the first clients have the machine.
    private static let delay = Duration.seconds(2)

    func run() async throws {
        await withTaskGroup { group in
            group.addTask { await maker.run() }
            group.addTask {
                guard inBackground, (try? await Task.sleep(for: Self.delay)) != nil else { return }
                await maker.warmUpContinually()
            }
            try? await gracefulShutdown()
            group.cancelAll()
        }
    }
}
