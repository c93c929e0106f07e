package import Logging
package import PhotoStreamModel
import PhotoStreamPictures
import PhotoStreamStorage

/// Keeps importing changes in folders after an import of them.
///
/// It watches the folders of a stream, or all folders that were imported into any stream on this machine.
package struct FolderWatching: Sendable {
    private let watched: [(streamID: Int64, scope: FolderScope)]
    private let options: FolderImport.Options
    private let source: any HeaderSource
    private let service: PhotoStreamService
    private let logger: Logger

    /// Prepares to watch imported folders.
    ///
    /// - Parameters:
    ///   - folders: The folders.
    ///   - stream: The stream of the photos.
    ///   - options: The options of their import.
    ///   - source: Reads headers.
    ///   - service: The file.
    ///   - logger: Receives the reasons why a folder cannot be imported.
    /// - Throws: ``RootError`` for a folder that no longer exists, ``StreamServiceError``.
    package init(
        _ folders: [String], of stream: StreamName, options: FolderImport.Options, reading source: any HeaderSource,
        of service: PhotoStreamService, logger: Logger
    ) throws {
        let streamID = try service.transaction { try $0.row(of: stream).id }
        let paths = try folders.map { try RootPath($0) }
        let scopes = try FolderDestination(watching: streamID, of: service).scopes(for: paths)
        watched = scopes.map { (streamID: streamID, scope: $0) }
        (self.options, self.source, self.service, self.logger) = (options, source, service, logger)
    }

    /// Prepares to watch every root of a single stream on this machine.
    ///
    /// - Parameters:
    ///   - service: The file.
    ///   - source: Reads headers.
    ///   - logger: Receives the reasons why a folder cannot be imported.
    /// - Throws: ``StreamServiceError``.
    package init(allOf service: PhotoStreamService, reading source: any HeaderSource, logger: Logger) throws {
        watched = try service.transaction { reader in
            let roots = try reader.roots().filter { $0.machine.isEmpty || $0.machine == HostIdentity.name }
            return try roots.compactMap { root in
                let scope = FolderScope(rootID: root.id, rootPath: root.resolvedPath, folder: "")
                return try root.stream.map { (streamID: try reader.row(of: $0).id, scope: scope) }
            }
        }
        options = FolderImport.Options()
        (self.source, self.service, self.logger) = (source, service, logger)
    }

    /// The number of folders.
    package var count: Int { watched.count }

    /// Imports changes until the task is cancelled.
    ///
    /// - Parameter observe: Called after each imported change.
    package func run(observe: @escaping @Sendable (FolderProgress) -> Void) async {
        await withTaskGroup { group in
            for (streamID, scope) in watched {
                group.addTask { await follow(scope, of: streamID, observe: observe) }
            }
        }
    }

    /// Removes the photos of files that have been gone for a time, again and again until the task is cancelled.
    ///
    /// The rules are those of an import that prunes, for each root as a whole and without a confirmation: photos stay if a
    /// missing disk is more likely, or more than half of them would go. Removed photos are kept for 30 days.
    ///
    /// - Parameters:
    ///   - milliseconds: The time for which a file must be gone, since an import or a watch found it.
    ///   - interval: The time between two looks.
    ///   - observe: Called after each look at a folder with photos that were removed or, if that is new, held.
    package func prune(
        afterMilliseconds milliseconds: Int64, every interval: Duration,
        observe: @escaping @Sendable (FolderProgress) -> Void
    ) async {
        var told: [FolderScope: Set<FileNotice>] = [:]
        while !Task.isCancelled {
            for (scope, found) in await prune(vanishedBefore: service.now() - milliseconds) {
                var progress = found
                progress.notices.removeAll { told[scope]?.contains($0) ?? false }
                told[scope] = Set(found.notices.filter { $0.kind == .held })
                if !progress.notices.isEmpty { observe(progress) }
            }
            try? await Task.sleep(for: interval)
        }
    }

    /// Removes the photos of files that have been gone since a time, and returns the removed and held ones by folder.
    @concurrent
    func prune(vanishedBefore time: Int64) async -> [FolderScope: FolderProgress] {
        var options = options
        (options.prunesVanished, options.prunesVanishedBefore) = (true, time)
        var found: [FolderScope: FolderProgress] = [:]
        for (streamID, scope) in watched where !Task.isCancelled {
            do {
                var (progress, notices) = (FolderProgress(), [FileNotice]())
                try scope.checkRoot()
                try FolderDestination(watching: streamID, of: service).sumUpVanished(
                    in: scope, options: options, progress: &progress
                ) { state in notices += state.notices.filter { [.held, .pruned].contains($0.kind) } }
                progress.notices = notices
                found[scope] = progress
            } catch {
                // The watch reports a root that cannot be read.
                logger.info("no photos of a folder are removed", metadata: ["error": "\(error)"])
            }
        }
        return found
    }

    private func follow(
        _ scope: FolderScope, of streamID: Int64, observe: @escaping @Sendable (FolderProgress) -> Void
    ) async {
        var lastProblem: String?
        var told: Set<FileNotice> = []
        let filter = (try? PathFilter(include: options.include, exclude: options.exclude)) ?? PathFilter()
        let watch = FolderWatch(root: scope.rootPath, folder: scope.folder, filter: filter)
        for await changes in watch.changes(logger: logger) {
            let changed = changes.folders.sorted().map {
                FolderScope(rootID: scope.rootID, rootPath: scope.rootPath, folder: $0, base: scope.folder)
            }
            do {
                var progress = try await importFolders(changed, of: streamID, leavingOut: changes.unfinished)
                // A notice is reported again only if its problem had ended in between.
                let notices = progress.notices
                progress.notices.removeAll { told.contains($0) || $0.isKnown }
                told = told.filter { notice in !changed.contains { $0.hasFile(notice.path) } }.union(notices)
                let hasChanges = progress.totals.inserted + progress.totals.updated > 0
                if hasChanges || !progress.notices.isEmpty { observe(progress) }
                lastProblem = nil
            } catch is CancellationError {
                return
            } catch {
                // The next change tries again.
                let problem = "\(error)"
                if problem != lastProblem { logger.warning("a folder could not be imported: \(problem)") }
                lastProblem = problem
            }
        }
    }

    private func importFolders(
        _ scopes: [FolderScope], of streamID: Int64, leavingOut unfinished: Set<String>
    ) async throws -> FolderProgress {
        var destination = FolderDestination(watching: streamID, of: service, leavingOut: unfinished)
        var progress = FolderProgress()
        var notices: [FileNotice] = []
        try await destination.importScopes(scopes, options: options, source: source, progress: &progress) { state in
            notices += state.notices.filter { $0.kind != .ignored }
        }
        progress.notices = notices
        return progress
    }
}

extension FolderScope {
    /// Whether an absolute path is beneath it.
    fileprivate func hasFile(_ path: String) -> Bool { path.hasPrefix(self.path + "/") }
}
