import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamPictureMessages
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
    /// The order of a stream that a dry run would create.
    private var newOrder = StreamOrder.newest

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
        newOrder = order ?? .newest
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
        let direction = FolderWalk.Direction(try streamOrder())
        var count = 0
        for scope in scopes {
            let (found, leftOut) = try scope.walk(filter, direction: direction)?.count() ?? (0, LeftOut())
            if found == 0, scope.folder.isEmpty, !leftOut.isChosen { try refuseEmptyRoot(scope) }
            count += found
            progress.folders.leftOut += leftOut
        }
        progress.fileCount = count
        let known = try await lookUpKnownFiles(in: scopes, source: source)
        // A watch looks again and again.
        let missing = unfinished == nil ? try missingRoots(besides: scopes) : []
        for root in missing { try noteVanished(root) }
        let reader = try FolderReader(
            scopes, filter: filter, direction: direction,
            reasons: RereadReasons(
                retriesFailures: options.retriesFailures, restoresDeleted: options.restoresDeleted),
            unfinished: unfinished, source: source,
            service: service, streamID: streamID, known: known)
        var current = try await reader.nextBatch()
        while let batch = current {
            async let next = reader.nextBatch()
            try write(batch, stacking: options.stacks, progress: &progress, observe: observe)
            current = try await next
        }
        for scope in scopes {
            try sumUpVanished(in: scope, options: options, progress: &progress, observe: observe)
        }
        if !missing.isEmpty {
            progress.notices += try missing.map(notice)
            try report(&progress, to: observe)
        }
    }

    /// Notes which known files have vanished, and reads those that have changed, before new files are read: those may be
    /// the former ones.
    private func lookUpKnownFiles(
        in scopes: [FolderScope], source: any HeaderSource
    ) async throws -> KnownContents {
        var known = KnownContents()
        var changed: [(row: PictureFileRow, root: String, stamp: FileStamp)] = []
        for scope in scopes {
            try forEachVanished(in: scope) { files in
                for file in files {
                    guard let stamp = file.stamp, file.row.photo != nil, file.row.content != nil else { continue }
                    if file.row.isOf(stamp) {
                        known.noteReturn(of: file.row)
                    } else if unfinished?.contains(file.row.path) != true {
                        changed.append((file.row, scope.rootPath, stamp))
                    }
                }
            } _: {
                try note(vanished: $0, prunes: false)
            }
        }
        if !isDryRun { try await readContents(of: changed, from: source, into: &known) }
        return known
    }

    private func streamOrder() throws -> StreamOrder {
        guard let service, let streamID else { return newOrder }
        return try service.transaction { try $0.stream(id: streamID) }?.order ?? newOrder
    }

    private mutating func write(
        _ batch: FolderBatch, stacking rules: StackRules, progress: inout FolderProgress,
        observe: (FolderProgress) throws -> Void
    ) throws {
        progress.add(batch)
        try reject(batch.notices)
        let processedCount = batch.fileCount - batch.entries.count
        progress.doneCount += processedCount
        var rest = zip(batch.entries, batch.paths).map { ($0, $1) }[...]
        while !rest.isEmpty {
            let outcomes = try write(rest.map(\.0)[...], stacking: rules, progress: &progress)
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
        _ entries: ArraySlice<FolderEntry>, stacking rules: StackRules, progress: inout FolderProgress
    ) throws -> [FolderOutcome] {
        if let result = try file?.write(entries, stacking: rules) {
            progress.totals.assumed += result.assumedCount
            progress.folders.stacked.merge(result.hiddenCounts, uniquingKeysWith: +)
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
            return try service.database.importFiles(entries, into: streamID, stacking: rules, seen: &seen).outcomes
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

    /// Returns the numbers of the stream's files by what identifies them.
    func fileIdentities() throws -> FileIdentities {
        guard let service, let streamID else { return FileIdentities(byContent: 0, byName: 0) }
        return try service.transaction { try $0.fileIdentities(streamID: streamID) }
    }

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
        folders.leftOut.addFiles(batch.ignoredCount, for: .notAPicture)
        folders.warnings.merge(batch.warningCounts, uniquingKeysWith: +)
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
