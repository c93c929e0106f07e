import Foundation
import PhotoStreamImport
package import PhotoStreamModel
import PhotoStreamPictures
import PhotoStreamStorage

/// One run of an import of folders: stage 1, which reads headers and metadata.
///
/// The files are walked, and new and changed ones are read by the decode workers while earlier ones are written. Each
/// batch is a transaction under 250 ms that stores photos together with what is known of their files, so an import that
/// is killed at any moment loses nothing, and the next one finishes the job.
package struct FolderImport: Sendable {
    /// The options of an import of folders.
    package struct Options: Sendable {
        /// The patterns of the files to import; empty for all.
        package var include: [String] = []
        /// The patterns of files and folders to leave out.
        package var exclude: [String] = []
        /// Whether photos whose files are gone are deleted.
        package var prunesVanished = false
        /// Whether files that failed are read again though they have not changed.
        package var retriesFailures = false

        /// Creates the default options.
        package init() {}
    }

    private let folders: [RootPath]
    private let stream: StreamName
    private let order: StreamOrder?
    private let options: Options
    private let source: any HeaderSource
    private let service: PhotoStreamService?
    private let isDryRun: Bool

    /// Prepares a run, and checks that the folders can be opened.
    ///
    /// - Parameters:
    ///   - folders: The folders, in the order in which they are read. Each becomes a root of the stream unless it is in one
    ///     already.
    ///   - stream: The stream of the photos; created if it is missing.
    ///   - order: The order of a stream that is created, newest first if it is `nil`; an existing stream must have it.
    ///   - options: The options.
    ///   - source: Reads headers.
    ///   - service: The file; `nil` for a dry run if it does not exist.
    ///   - isDryRun: Whether nothing is changed.
    /// - Throws: ``RootError`` for a folder that cannot be opened, ``FolderImportError/pattern(_:reason:)``.
    package init(
        _ folders: [String], into stream: StreamName, order: StreamOrder? = nil, options: Options = Options(),
        reading source: any HeaderSource, of service: PhotoStreamService?, isDryRun: Bool = false
    ) throws {
        try Self.check(options)
        self.folders = try folders.map { name in
            let path = try RootPath(name)
            try PhotoStreamService.checkOpening(path, name: name)
            return path
        }
        (self.stream, self.order, self.options, self.source) = (stream, order, options, source)
        (self.service, self.isDryRun) = (service, isDryRun || service == nil)
    }

    /// Checks the patterns.
    ///
    /// - Throws: ``FolderImportError/pattern(_:reason:)``.
    package static func check(_ options: Options) throws {
        _ = try PathFilter(include: options.include, exclude: options.exclude)
    }

    /// Runs the import, in memory that does not grow with the number of files.
    ///
    /// Cancelling the task ends it after the batch that is being written.
    ///
    /// - Parameter observe: Called after each batch. An error that it throws ends the import; photos that were committed
    ///   stay.
    /// - Returns: The totals.
    /// - Throws: ``FolderImportError``, ``StreamServiceError`` when the file fails, `CancellationError`.
    package func run(observe: (FolderProgress) throws -> Void = { _ in }) async throws -> FolderProgress {
        var destination = try makeDestination()
        var progress = FolderProgress()
        defer { destination.end(progress.totals) }
        let scopes = try translatingStorageErrors { try destination.scopes(for: folders) }
        try await destination.importScopes(
            scopes, options: options, source: source, progress: &progress, observe: observe)
        try translatingStorageErrors {
            try destination.finish(progress.totals) { part in
                progress.chunkedPart = part
                try observe(progress)
            }
        }
        return progress
    }

    private func makeDestination() throws -> FolderDestination {
        guard let service, !isDryRun else {
            return try FolderDestination(dryRunInto: stream, order: order, of: service)
        }
        return try FolderDestination(service, stream: stream, order: order, folders: folders.map(\.path))
    }
}

/// The destination of the files of folders: a stream of the file, or nothing in a dry run.
struct FolderDestination {
    private enum Target {
        case file(FileDestination)
        case dryRun(ImportDryRun)
        /// Single files and folders that change while they are watched: no run of its own is recorded.
        case watched
    }

    private let service: PhotoStreamService?
    private let streamID: Int64?
    private var target: Target
    private var seen = RowIDSet()

    /// Starts a run, and creates the stream if it is missing.
    init(_ service: PhotoStreamService, stream: StreamName, order: StreamOrder?, folders: [String]) throws {
        let file = try FileDestination(
            service: service, stream: stream, order: order, exportedOrder: nil, sources: folders)
        (self.service, streamID, target) = (service, file.streamID, .file(file))
    }

    /// Starts a dry run.
    init(dryRunInto stream: StreamName, order: StreamOrder?, of service: PhotoStreamService?) throws {
        let row = try service?.transaction { try $0.stream(named: stream) }
        try row?.check(order)
        self.service = service
        streamID = row?.id
        target = .dryRun(
            try translatingStorageErrors { try ImportDryRun(database: service?.database, streamID: row?.id) })
    }

    /// Begins to follow the folders of a stream.
    init(watching streamID: Int64, of service: PhotoStreamService) {
        (self.service, self.streamID, target) = (service, streamID, .watched)
    }

    private var isDryRun: Bool {
        if case .dryRun = target { true } else { false }
    }

    private var isWatched: Bool {
        if case .watched = target { true } else { false }
    }

    // MARK: - Roots

    /// Finds the root of each folder, and adds those that are missing.
    func scopes(for folders: [RootPath]) throws -> [FolderScope] {
        var scopes: [FolderScope] = []
        for folder in folders {
            let scope = try scope(for: folder)
            // A folder in another one is imported with it.
            guard !scopes.contains(where: { $0.contains(scope) }) else { continue }
            scopes.removeAll { scope.contains($0) }
            scopes.append(scope)
        }
        return scopes
    }

    private func scope(for folder: RootPath) throws -> FolderScope {
        guard let service, let streamID else {
            return FolderScope(rootID: 0, rootPath: folder.resolvedPath, folder: "")
        }
        func known(_ reader: PhotoReader) throws -> FolderScope? {
            try reader.roots(servingStreamID: streamID, on: HostIdentity.name)
                .compactMap { FolderScope(of: folder.resolvedPath, in: $0) }
                .min { $0.folder.utf8.count < $1.folder.utf8.count }
        }
        if let scope = try service.transaction(known) { return scope }
        guard !isDryRun else { return FolderScope(rootID: 0, rootPath: folder.resolvedPath, folder: "") }
        return try service.database.retryingWhileLocked {
            try service.database.write { writer in
                guard let stream = try writer.reader.stream(id: streamID) else {
                    throw StreamServiceError.storage(.notFound, message: "the stream was deleted")
                }
                _ = try writer.addRoot(
                    folder.path, resolvedPath: folder.resolvedPath, streamID: stream.id, machine: HostIdentity.name,
                    now: service.now())
                guard let scope = try known(writer.reader) else {
                    throw RootError.unusable(folder.path, reason: "a root of another folder has its path")
                }
                return scope
            }
        }
    }

    // MARK: - Importing

    /// Imports folders, and looks for files that have vanished.
    mutating func importScopes(
        _ scopes: [FolderScope], options: FolderImport.Options, source: any HeaderSource,
        progress: inout FolderProgress, observe: (FolderProgress) throws -> Void
    ) async throws {
        let filter = try PathFilter(include: options.include, exclude: options.exclude)
        var count = 0
        for scope in scopes {
            let found = try scope.walk(filter)?.count() ?? 0
            if found == 0, scope.folder.isEmpty { try refuseEmptyRoot(scope) }
            count += found
        }
        progress.fileCount = count
        // Before new files are read, which may be the ones that have vanished here.
        for scope in scopes { try forEachVanished(in: scope) { try note(vanished: $0, prunes: false) } }
        let reader = FolderReader(
            scopes, filter: filter, retriesFailures: options.retriesFailures, isWatched: isWatched, source: source,
            service: service, streamID: streamID)
        var current = try await reader.nextBatch()
        while let batch = current {
            async let next = reader.nextBatch()
            try translatingStorageErrors { try write(batch, progress: &progress, observe: observe) }
            current = try await next
        }
        for scope in scopes {
            try translatingStorageErrors {
                try sumUpVanished(in: scope, prunes: options.prunesVanished, progress: &progress, observe: observe)
            }
        }
    }

    private mutating func write(
        _ batch: FolderBatch, progress: inout FolderProgress, observe: (FolderProgress) throws -> Void
    ) throws {
        progress.add(batch)
        try reject(batch.notices)
        let processedCount = batch.fileCount - batch.entries.count
        progress.doneCount += processedCount
        var rest = zip(batch.entries, batch.paths).map { ($0, $1) }[...]
        while !rest.isEmpty {
            let outcomes = try write(rest.map(\.0)[...], progress: &progress)
            let noticeCount = progress.notices.count
            for ((entry, path), outcome) in zip(rest, outcomes) { progress.add(outcome, of: entry, path: path) }
            try reject(Array(progress.notices[noticeCount...]))
            progress.doneCount += outcomes.count
            rest = rest.dropFirst(outcomes.count)
            try report(&progress, to: observe)
            try Task.checkCancellation()
        }
        try report(&progress, to: observe)
    }

    private mutating func write(
        _ entries: ArraySlice<FolderEntry>, progress: inout FolderProgress
    ) throws -> [FolderOutcome] {
        switch target {
        case .file(var destination):
            let result = try destination.write(entries)
            target = .file(destination)
            progress.totals.assumed += result.assumedCount
            return result.outcomes
        case .watched:
            guard let service, let streamID else { return [] }
            service.database.pauseForOtherWriters()
            return try service.database.retryingWhileLocked {
                // A file that changes twice is imported twice.
                var seen = RowIDSet()
                return try service.database.importFiles(entries, into: streamID, seen: &seen).outcomes
            }
        case .dryRun(var dryRun):
            var outcomes = try dryRun.outcomes(of: entries.compactMap(\.record)[...], by: .file)[...]
            target = .dryRun(dryRun)
            return entries.map { entry in
                entry.record == nil ? .noted : outcomes.popFirst().map(FolderOutcome.imported) ?? .noted
            }
        }
    }

    private func report(_ progress: inout FolderProgress, to observe: (FolderProgress) throws -> Void) throws {
        try observe(progress)
        progress.notices = []
    }

    /// Keeps the first rejects with the run.
    private mutating func reject(_ notices: [FileNotice]) throws {
        guard case .file(var destination) = target else { return }
        try destination.reject(
            notices.filter { $0.kind == .rejected }.map { notice in
                ImportReject(
                    position: ImportPosition(source: notice.path, line: 1, column: 1), reason: notice.reason,
                    id: notice.id?.rawValue)
            })
        target = .file(destination)
    }

    // MARK: - Vanished files

    /// The number of known files that are looked at in one transaction.
    private static let pageSize = 1_000

    /// Calls `body` with the known files of a folder that are gone, page by page.
    private func forEachVanished(in scope: FolderScope, _ body: ([PictureFileRow]) throws -> Void) throws {
        guard let service, let streamID else { return }
        var last: String?
        while true {
            try Task.checkCancellation()
            let page = try service.transaction {
                try $0.pictureFiles(
                    streamID: streamID, rootID: scope.rootID, below: scope.folder, after: last, limit: Self.pageSize)
            }
            let gone = page.filter { !Self.isThere(scope.absolutePath($0.path)) }
            if !gone.isEmpty {
                // The root itself may have gone meanwhile, with everything in it.
                try scope.checkRoot()
                try body(gone)
            }
            guard page.count == Self.pageSize else { return }
            last = page.last?.path
        }
    }

    /// Whether there is a file at a path, or it cannot be said.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) != 0 else { return status.st_mode & S_IFMT == S_IFREG }
        return errno != ENOENT && errno != ENOTDIR
    }

    /// Refuses a root that has no file any more: most likely its disk is not mounted.
    private func refuseEmptyRoot(_ scope: FolderScope) throws {
        guard let service, let streamID else { return }
        let known = try service.transaction {
            try $0.pictureFiles(streamID: streamID, rootID: scope.rootID, limit: Self.pageSize)
        }
        if known.contains(where: { $0.photo != nil }) { throw FolderImportError.empty(scope.path) }
    }

    private func note(vanished rows: [PictureFileRow], prunes: Bool) throws {
        guard let service, let streamID, !isDryRun else { return }
        // Few at a time: a deleted photo writes more than a row.
        for start in stride(from: 0, to: rows.count, by: 250) {
            service.database.pauseForOtherWriters()
            let some = Array(rows[start..<min(start + 250, rows.count)])
            try service.database.retryingWhileLocked {
                try service.database.noteVanished(some, of: streamID, prunes: prunes)
            }
        }
    }

    /// Counts the files that are still gone, now that those that were moved have been found.
    private func sumUpVanished(
        in scope: FolderScope, prunes: Bool, progress: inout FolderProgress, observe: (FolderProgress) throws -> Void
    ) throws {
        try forEachVanished(in: scope) { rows in
            let rows = rows.filter { $0.photo != nil }
            if prunes { try note(vanished: rows, prunes: true) }
            progress.folders.vanished += prunes ? 0 : rows.count
            progress.folders.pruned += prunes ? rows.count : 0
            progress.notices += rows.map { row in
                FileNotice(
                    kind: prunes ? .pruned : .vanished, path: scope.absolutePath(row.path), id: row.photo, reason: "")
            }
            try report(&progress, to: observe)
        }
    }

    // MARK: - The end

    /// Completes a run that read all files.
    mutating func finish(_ totals: ImportTotals, progress: (Double) throws -> Void) throws {
        guard case .file(var destination) = target else { return }
        defer { target = .file(destination) }
        try destination.finish(totals, progress: progress)
    }

    /// Ends a run, completed or not.
    func end(_ totals: ImportTotals) {
        if case .file(let destination) = target { destination.end(totals) }
    }
}

extension FolderScope {
    /// Finds a folder in a root; `nil` if it is not beneath it.
    fileprivate init?(of path: String, in root: RootRow) {
        guard path == root.resolvedPath || path.hasPrefix(root.resolvedPath + "/") else { return nil }
        self.init(
            rootID: root.id, rootPath: root.resolvedPath,
            folder: String(path.dropFirst(root.resolvedPath.count).drop { $0 == "/" }))
    }

    /// Whether another folder is this one or beneath it.
    func contains(_ other: FolderScope) -> Bool {
        rootPath == other.rootPath
            && (folder.isEmpty || other.folder == folder || other.folder.hasPrefix(folder + "/"))
    }
}

extension FolderProgress {
    /// Counts the files of a batch that are not stored as photos.
    fileprivate mutating func add(_ batch: FolderBatch) {
        totals.read += batch.unchangedCount + batch.rejectedCount
        totals.unchanged += batch.unchangedCount
        totals.rejected += batch.rejectedCount
        folders.ignored += batch.ignoredCount
        notices += batch.notices
    }

    /// Counts a file that was stored.
    fileprivate mutating func add(_ outcome: FolderOutcome, of entry: FolderEntry, path: String) {
        switch outcome {
        case .imported(let outcome): totals.add(outcome)
        case .moved:
            totals.add(.updated)
            folders.moved += 1
            notices.append(
                FileNotice(
                    kind: .moved, path: path, id: entry.row.photo, reason: "it was \"\(entry.movedFrom?.path ?? "")\""))
        case .takenByOtherRoot:
            totals.read += 1
            totals.rejected += 1
            notices.append(
                FileNotice(
                    kind: .rejected, path: path, id: entry.row.photo,
                    reason: "another folder of the stream has a file of the same relative path"))
        case .noted: break
        }
    }
}
