import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamPictures
import PhotoStreamStorage

/// The destination of the files of folders: a stream of the file, or nothing in a dry run.
struct FolderDestination {
    let service: PhotoStreamService?
    let streamID: Int64?
    /// The run of an import.
    private var file: FileDestination?
    /// The stream of a dry run.
    private var dryRun: ImportDryRun?
    /// The files that are being written, if folders are watched, for which no run is recorded; otherwise `nil`.
    private var unfinished: Set<String>?

    /// Starts a run, and creates the stream if it is missing.
    init(
        _ service: PhotoStreamService, stream: StreamName, order: StreamOrder?, folders: [String],
        restoresDeleted: Bool
    ) throws {
        let file = try FileDestination(
            service: service, stream: stream, order: order, exportedOrder: nil, sources: folders,
            restoresDeleted: restoresDeleted)
        (self.service, streamID, self.file) = (service, file.streamID, file)
    }

    /// Starts a dry run.
    init(
        dryRunInto stream: StreamName, order: StreamOrder?, of service: PhotoStreamService?, restoresDeleted: Bool
    ) throws {
        let row = try service?.transaction { try $0.stream(named: stream) }
        try row?.check(order)
        self.service = service
        streamID = row?.id
        dryRun = try ImportDryRun(database: service?.database, streamID: row?.id, restoringDeleted: restoresDeleted)
    }

    /// Begins to watch the folders of a stream.
    ///
    /// - Parameters:
    ///   - streamID: The stream's row id.
    ///   - service: The file.
    ///   - unfinished: Files that are being written, by their paths from the root.
    init(watching streamID: Int64, of service: PhotoStreamService, leavingOut unfinished: Set<String> = []) {
        (self.service, self.streamID, self.unfinished) = (service, streamID, unfinished)
    }

    var isDryRun: Bool { dryRun != nil }

    // MARK: - Roots

    /// Finds the root of each folder, and adds missing ones.
    func scopes(for folders: [RootPath]) throws -> [FolderScope] {
        var scopes: [FolderScope] = []
        for folder in folders {
            let scope = try scope(for: folder)
            // A folder inside another one is imported with it.
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
            try reader.scope(of: folder.resolvedPath, streamID: streamID)
        }
        if let scope = try service.transaction(known) { return scope }
        guard !isDryRun else { return FolderScope(rootID: 0, rootPath: folder.resolvedPath, folder: "") }
        return try service.database.retryingWhileLocked {
            try service.database.writeLocally { writer in
                guard let stream = try writer.reader.stream(id: streamID) else {
                    throw StorageError(.notFound, message: "the stream was deleted")
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
            let (found, skipped) = try scope.walk(filter)?.count() ?? (0, SkippedFiles())
            if found == 0, scope.folder.isEmpty { try refuseEmptyRoot(scope) }
            count += found
            progress.folders.videos += skipped.videoCount
            progress.folders.ignored += skipped.otherCount
        }
        progress.fileCount = count
        // Before new files are read, since those may be the files that have vanished here.
        for scope in scopes { try forEachVanished(in: scope) { try note(vanished: $0, prunes: false) } }
        let reader = FolderReader(
            scopes, filter: filter, retriesFailures: options.retriesFailures,
            restoresDeleted: options.restoresDeleted, unfinished: unfinished, source: source,
            service: service, streamID: streamID)
        var current = try await reader.nextBatch()
        while let batch = current {
            async let next = reader.nextBatch()
            try write(batch, progress: &progress, observe: observe)
            current = try await next
        }
        for scope in scopes {
            try sumUpVanished(in: scope, options: options, progress: &progress, observe: observe)
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
        if let result = try file?.write(entries) {
            progress.totals.assumed += result.assumedCount
            return result.outcomes
        }
        if var outcomes = try dryRun?.outcomes(of: entries.compactMap(\.record)[...], by: .file)[...] {
            return entries.map { entry in
                entry.record == nil ? .noted : outcomes.popFirst().map(FolderOutcome.imported) ?? .noted
            }
        }
        guard let service, let streamID else { return [] }
        service.database.pauseForOtherWriters()
        return try service.database.retryingWhileLocked {
            // A file that changes twice is imported twice.
            var seen = RowIDSet()
            return try service.database.importFiles(entries, into: streamID, seen: &seen).outcomes
        }
    }

    func report(_ progress: inout FolderProgress, to observe: (FolderProgress) throws -> Void) throws {
        try observe(progress)
        progress.notices = []
    }

    /// Keeps the first rejects with the run.
    private mutating func reject(_ notices: [FileNotice]) throws {
        try file?.reject(
            notices.filter { $0.kind == .rejected }.map { notice in
                ImportReject(
                    position: ImportPosition(source: notice.path, line: 1, column: 1), reason: notice.reason,
                    id: notice.id?.rawValue)
            })
    }

    // MARK: - The end

    /// Completes a run that read all files.
    mutating func finish(_ totals: ImportTotals, progress: (Double) throws -> Void) throws {
        try file?.finish(totals, progress: progress)
    }

    /// Ends a run, completed or not.
    func end(_ totals: ImportTotals) {
        file?.end(totals)
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
        case .imported(let outcome):
            totals.add(outcome)
            if outcome == .deleted { folders.deleted += 1 }
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
