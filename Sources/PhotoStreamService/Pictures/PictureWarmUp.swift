import Logging
public import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage

/// The progress of a warm-up.
public struct PictureProgress: Hashable, Sendable {
    /// The number of pictures that were decoded.
    public var madeCount = 0
    /// The number of pictures that cannot be decoded.
    public var failedCount = 0
    /// The number of photos that need no decode: their pictures are unchanged, or elsewhere.
    public var skippedCount = 0
    /// The number of photos that are still to be checked.
    public var remainingCount = 0
    /// The average number of pictures decoded per second.
    public var picturesPerSecond = 0.0
}

/// The settings of a warm-up.
public struct WarmUpSettings: Hashable, Sendable {
    /// The stream; `nil` for all.
    public var stream: StreamName?
    /// Whether pictures that could not be decoded are tried again.
    public var retriesFailures = false
    /// Whether to check files for changes, and stored thumbnails for their presence.
    public var checksFiles = true
    /// Whether requests of clients have priority, as in a server.
    public var isInBackground = false

    /// Creates the default settings.
    public init() {}
}

/// The error of a warm-up whose decode workers cannot be started.
public struct PictureWorkersMissing: Error, Sendable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// One sentence.
    public var description: String { "the program photostream-pictures cannot be run, so no thumbnails are made" }
}

extension PictureMaker {
    /// Decodes the pictures of all photos that have no thumbnails yet, the newest first.
    ///
    /// It resumes at the end of an earlier warm-up. A picture on which a worker crashes is tried again at the end,
    /// alone; after three crashes it is skipped. Call it while ``run()`` runs.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - progress: Called at most a few times per second, and at the end.
    /// - Returns: The progress at the end.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``PictureWorkersMissing``, and `CancellationError` within a
    ///   tenth of a second of the cancellation of the task.
    @discardableResult
    public func warmUp(
        _ settings: WarmUpSettings = WarmUpSettings(),
        progress: @escaping @Sendable (PictureProgress) -> Void = { _ in }
    ) async throws -> PictureProgress {
        guard canMake else { throw PictureWorkersMissing() }
        var run = WarmUpRun(maker: self, settings: settings, report: progress)
        defer { Task { await self.write() } }
        return try await run.run()
    }

    /// Warms up until the task is cancelled: once at the start, and again whenever there are new photos or changed
    /// files.
    ///
    /// - Parameters:
    ///   - interval: The time between two checks for new photos.
    ///   - longInterval: The time between two checks for changed files whose photos have not changed, which take
    ///     longer.
    public func warmUpContinually(
        every interval: Duration = .seconds(2), andLongest longInterval: Duration = .seconds(60)
    ) async {
        guard canMake else { return }
        var settings = WarmUpSettings()
        settings.isInBackground = true
        // With several servers, one decodes a picture; the others create its thumbnails when a client requests them.
        settings.checksFiles = !service.isReplica
        var seen: [Int64: StreamMark] = [:]
        var last = ContinuousClock.now
        while !Task.isCancelled {
            do {
                let marks = try await onReadingThread { try self.marks() }
                let isChanged = marks.mapValues(\.revision) != seen.mapValues(\.revision)
                if isChanged || marks != seen && ContinuousClock.now - last >= longInterval {
                    let progress = try await warmUp(settings)
                    settings.checksFiles = false
                    // Files written in the meantime may have been missed.
                    (seen, last) = (marks, .now)
                    logger.debug(
                        "made thumbnails",
                        metadata: ["made": "\(progress.madeCount)", "failed": "\(progress.failedCount)"])
                }
            } catch is CancellationError {
                return
            } catch is PictureWorkersMissing {
                // The workers have logged the reason.
                return
            } catch {
                logger.warning("thumbnails cannot be made in the background", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: interval)
        }
    }

    /// The marks of each stream; if its mark has changed, it may have photos without pictures.
    private func marks() throws -> [Int64: StreamMark] {
        try service.transaction { reader in
            var marks: [Int64: StreamMark] = [:]
            for stream in try reader.streams() {
                marks[stream.id] = StreamMark(
                    revision: try reader.version(of: stream.id, since: nil).revision,
                    pictures: try reader.pictureRevision(streamID: stream.id, now: service.now()))
            }
            return marks
        }
    }
}

/// The state of a stream's photos and of the records of their pictures.
private struct StreamMark: Hashable {
    let revision: Revision
    let pictures: Revision
}

extension PictureMaker {
    /// Runs blocking work on the thread for reading.
    func onReadingThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try await lookUps.run(body)
    }

    /// Whether the store has thumbnails of a picture; also `true` if it is full, so that dropped thumbnails are not
    /// created again and again.
    func hasThumbnails(_ kinds: [ThumbnailKind], of key: PictureKey) -> Bool {
        if store.contains(key: key, kinds: kinds) { return true }
        guard let byteCount = try? store.byteCount else { return true }
        return byteCount > store.budgetBytes / 10 * 9
    }
}
