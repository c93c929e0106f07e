import ArgumentParser
import Foundation
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import Synchronization

/// `photostream import`: imports metadata into a stream.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import folders of pictures, or photo metadata from JSON Lines, JSON, CSV or TSV.",
        discussion: """
            An import is an upsert by stream and id: a field that a record lacks keeps its stored value, null or an \
            empty cell clears it, and fields edited by a person stay. After an interruption the same command finishes the \
            job. Invalid records are reported and make the exit code 2; all others are imported. A \
            caption of more than 64 KB, or another text of more than 4 KB, is ignored with a warning.

            Of a folder, every picture becomes a photo: size, orientation, capture time, title, caption, keywords, rating, \
            position and camera come from its file and its XMP sidecar; metadata records and people's edits outrank \
            them. The photo's id is its path from the folder, which becomes a root of the stream. Files that have not \
            changed since the last import are not opened. --watch keeps importing until a signal ends it.

            After the photos are in the file, their thumbnails are made, unless --no-pictures is given; an import of \
            records alone makes them if the stream has a root on this machine. They may be interrupted: the next import, \
            photostream serve and photostream pictures warm make those that are missing. Pictures that cannot be decoded \
            are listed by photostream pictures, and do not change the exit code.

            SIGINT and SIGTERM end an import after the current batch, with a summary of what was imported.

            Fields: \(ImportField.allCases.map(\.rawValue).joined(separator: " ")). Width and height are those of the \
            image file; orientation 5 to 8 swaps them.

            EXAMPLES:
              photostream import --stream family ~/Pictures
              photostream import --stream family --exclude 'Raw/**' --watch ~/Pictures
              photostream import --stream holiday photos.jsonl more.csv
              photostream import --stream holiday --map id=name,location=images.0.url --report report.json dump.json
              photostream import --stream album --order manual album.jsonl
              photostream import --stream 1894 --map id=flickr_id,caption=title BL.tsv
              zcat dump.jsonl.gz | photostream import --stream holiday --dry-run -
            """)

    @OptionGroup var stream: StreamOption

    @Option(
        help: ArgumentHelp(
            "The order of the stream if the import creates it; an existing stream must have this order.",
            valueName: "order"))
    var order: StreamOrder?

    @Option(help: "The format of the sources; auto detects it by extension and content.")
    var format = ImportFormat.auto

    @Option(
        help: ArgumentHelp(
            "Read fields from other columns or JSON paths, such as id=flickr_id,location=images.0.url.",
            valueName: "field=path,…"))
    var map = ""

    @Flag(
        inversion: .prefixedNo,
        help: "Whether quotes enclose cells or are plain characters. (default: quoting in CSV, none in TSV)")
    var quoting: Bool?

    @Option(
        help: ArgumentHelp("The time zone of times without an offset, such as Europe/Berlin.", valueName: "name"),
        completion: .shellCommand("timedatectl list-timezones 2>/dev/null"))
    var timeZone: String?

    @Flag(help: "Bring photos back that were deleted in the last 30 days; without it they stay deleted.")
    var restore = false

    @OptionGroup(title: "Folders") var folderOptions: FolderOptions

    @Flag(name: .customLong("no-pictures"), help: "Make no thumbnails after the import.")
    var makesNoPictures = false

    @OptionGroup var pictureBudget: PictureBudgetOption

    @Option(help: ArgumentHelp("Write counts and rejects to a JSON file.", valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Report what an import would do without changing anything.")
    var dryRun = false

    @Argument(
        help: ArgumentHelp("Folders of pictures, files of records, or - for standard input.", valueName: "source"),
        completion: .file(extensions: ["jsonl", "ndjson", "json", "csv", "tsv"]))
    var sources: [String]

    @OptionGroup var common: CommonOptions

    /// The sources that are folders.
    private var folders: [String] { sources.filter(FolderOptions.isFolder) }
    /// The sources of records.
    private var files: [String] { sources.filter { !FolderOptions.isFolder($0) } }

    func validate() throws {
        try folderOptions.check(hasFolders: !folders.isEmpty, isDryRun: dryRun)
        try checkRecordOptions()
        _ = try asUsageError { try options() }
        guard let report else { return }
        // The report replaces the file at its path.
        try DatabaseFiles(common.database).check(output: report, option: "--report")
        if let lost = sources.first(where: { NamedFile($0) == NamedFile(report) }) {
            throw ValidationError("--report \(report) would overwrite \(lost)")
        }
    }

    /// Refuses options for records if all sources are folders.
    private func checkRecordOptions() throws {
        guard files.isEmpty else { return }
        let given = [
            ("--format", format != .auto), ("--map", !map.isEmpty), ("--quoting", quoting != nil),
            ("--time-zone", timeZone != nil),
        ]
        guard let option = given.first(where: \.1)?.0 else { return }
        throw ValidationError("\(option) is for files of records, and every source is a folder of pictures")
    }

    func run() async throws {
        Interrupts.cancelWork()
        // Check everything that can be wrong before the file is opened.
        let reader = files.isEmpty ? nil : try RecordReader(paths: files, options: try options())
        let program = folders.isEmpty ? nil : try FolderWorkers.program()
        let account = ImportAccount(
            ImportObserver(
                totalBytes: reader?.totalBytes, hasFolders: !folders.isEmpty,
                report: common.json || report != nil
                    ? try ImportReportFile(path: report, hasFolders: !folders.isEmpty) : nil))
        let service = try openService()
        let (result, signal) = await Interrupts.cancelling { [self] in
            if let reader { try await importRecords(reader, into: service, account: account) }
            if let program { return try await importFolders(program, after: reader, into: service, account: account) }
            try await end(account, after: reader)
            if let service, !dryRun { try await makeThumbnailsOfRecords(in: service) }
        }
        StandardError.clearProgress()
        try service?.close()
        switch result {
        case .success:
            if let signal { Interrupts.end(by: signal) }
            // An ArgumentParser code, so that no further message is printed.
            let isIncomplete = account.observer.withLock { $0.totals.rejected > 0 || $0.heldCount > 0 }
            if isIncomplete { throw ExitCode(2) }
        case .failure(let error):
            if account.observer.withLock({ $0.isComplete }) {
                // Everything was imported; only the thumbnails or the watch have ended.
                try? StandardOutput.flush()
                guard let signal else { throw error }
                Interrupts.end(by: signal)
            }
            account.observer.withLock { $0.endEarly(stream: stream.name, isDryRun: dryRun) }
            guard let signal else { throw error }
            StandardError.write(sentence: "the import was interrupted")
            Interrupts.end(by: signal)
        }
    }

    private func importRecords(
        _ reader: RecordReader, into service: PhotoStreamService?, account: ImportAccount
    ) async throws {
        var run = PhotoImport(
            reader, into: stream.name, order: order, sources: files, of: service, isDryRun: dryRun)
        run.restoresDeletedPhotos = restore
        _ = try await run.run { state in
            try account.observer.withLock { try $0.observe(state) }
        }
    }

    private func importFolders(
        _ program: String, after reader: RecordReader?, into service: PhotoStreamService?, account: ImportAccount
    ) async throws {
        try await FolderWorkers.run(program, logger: common.logger) { [self] workers in
            var options = folderOptions.options
            options.restoresDeleted = restore
            let folderImport = try FolderImport(
                folders, into: stream.name, order: order, options: options, reading: workers, of: service,
                isDryRun: dryRun)
            _ = try await folderImport.run { state in
                try account.observer.withLock { try $0.observe(state) }
            }
            try await end(account, after: reader)
            guard let service, !dryRun else { return }
            let maker = openMaker {
                try PictureMaker(service, decoder: workers, runsDecoder: false, settings: pictureBudget.settings)
            }
            guard folderOptions.watch else {
                try await maker?.whileRunning { [self] in
                    try await makeThumbnails(by: maker, checksFiles: true)
                }
                return
            }
            StandardError.write(line: "watching \(folders.count.counting("folder")); a signal such as Ctrl-C ends it")
            let watch = try FolderWatching(
                folders, of: stream.name, options: folderOptions.options, reading: workers, of: service,
                logger: common.logger)
            try await whileMakingThumbnails(by: maker) { await watch.run { ImportObserver.show(changes: $0) } }
        }
    }

    /// Prints the summary of a completed import.
    private func end(_ account: ImportAccount, after reader: RecordReader?) async throws {
        let unusedPaths = await reader?.unusedPaths ?? []
        try account.observer.withLock { observer in
            try observer.end(unusedPaths: unusedPaths, printsReport: common.json)
            if !common.json { try StandardOutput.write(observer.fields.textOfNumbers.utf8) }
        }
        try StandardOutput.flush()
        if dryRun { StandardError.write(line: "dry run: nothing was changed") }
    }

    /// Opens the file; `nil` for a dry run without a file.
    private func openService() throws -> PhotoStreamService? {
        // Without memory maps, so that memory does not grow with the file.
        guard dryRun else { return try common.open(.readWrite, mapsFile: false) }
        guard FileManager.default.fileExists(atPath: common.database) else { return nil }
        return try common.open(.readOnly, mapsFile: false)
    }

    private func options() throws(ImportError) -> ImportOptions {
        try ImportOptions(
            format: format, mapping: try FieldMapping(parsing: map), quoting: quoting, timeZoneName: timeZone)
    }
}

/// The state shared by the import's task and the command.
final class ImportAccount: Sendable {
    // Taken before the lock of the standard streams, which the observer writes to.
    let observer: Mutex<ImportObserver>

    init(_ observer: sending ImportObserver) {
        self.observer = Mutex(observer)
    }
}
