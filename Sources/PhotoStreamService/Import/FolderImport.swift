package import PhotoStreamModel
import PhotoStreamPictures
import PhotoStreamStorage

/// One run of an import of folders: stage 1, which reads headers and metadata.
///
/// It walks the files, and the decode workers read new and changed ones while earlier ones are written. Each batch is a
/// transaction under 250 ms that stores photos together with the records of their files, so an import that is killed at
/// any moment loses nothing, and the next one finishes the job.
package struct FolderImport: Sendable {
    /// The options of an import of folders.
    package struct Options: Sendable {
        /// The patterns of the files to import; empty for all.
        package var include: [String] = []
        /// The patterns of files and folders to exclude.
        package var exclude: [String] = []
        /// Whether photos whose files are gone are removed from the stream, and kept for 30 days.
        package var prunesVanished = false
        /// The time since when files must be gone for their photos to be removed, in milliseconds since 1970; `nil` for any.
        package var prunesVanishedBefore: Int64?
        /// Folders whose photos are removed even if the folders are empty or their disk is not mounted.
        package var prunedFolders: [String] = []
        /// Whether more than half of the photos of a root may be removed.
        package var prunesMostOfRoot = false
        /// Whether files that failed are read again even if they are unchanged.
        package var retriesFailures = false
        /// Whether photos that a person deleted come back.
        package var restoresDeleted = false
        /// The rules by which photos are stacked.
        package var stacks = StackRules.pairs

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
    ///   - folders: The folders, in the order in which they are read. Each becomes a root of the stream unless it is
    ///     already beneath one.
    ///   - stream: The stream of the photos; created if it is missing.
    ///   - order: The order of a new stream, newest first if it is `nil`; an existing stream must have it.
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
    /// The work runs on other threads, so that the caller's actor stays free.
    ///
    /// - Parameter observe: Called on the caller's actor after each batch. An error that it throws ends the import;
    ///   photos that were committed stay.
    /// - Returns: The totals.
    /// - Throws: ``FolderImportError``, ``StreamServiceError`` if the file fails, `CancellationError`.
    package func run(observe: (FolderProgress) throws -> Void = { _ in }) async throws -> FolderProgress {
        try await WorkReports.observing(run(reports:), by: observe)
    }

    private func run(reports: WorkReports<FolderProgress>) async throws -> FolderProgress {
        var destination = try makeDestination()
        var progress = FolderProgress()
        defer { destination.end(progress.totals) }
        let scopes = try destination.scopes(for: folders)
        try await destination.importScopes(
            scopes, options: options, source: source, progress: &progress, observe: reports.add)
        progress.folders.identities = try destination.fileIdentities()
        reports.add(progress)
        try destination.finish(progress.totals) { part in
            progress.chunkedPart = part
            reports.add(progress)
        }
        return progress
    }

    private func makeDestination() throws -> FolderDestination {
        guard let service, !isDryRun else {
            return try FolderDestination(
                dryRunInto: stream, order: order, of: service, restoresDeleted: options.restoresDeleted)
        }
        return try FolderDestination(
            service, stream: stream, order: order, folders: folders.map(\.path),
            restoresDeleted: options.restoresDeleted)
    }
}
