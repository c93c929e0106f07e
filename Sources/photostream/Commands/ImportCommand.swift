import ArgumentParser
import Foundation
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService

/// `photostream import`: metadata into a stream.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import photo metadata from JSON Lines, JSON, CSV or TSV.",
        discussion: """
            An import is an upsert by stream and id: a field that a record lacks keeps its stored value, null or an \
            empty cell clears it, and what a person edited stays. Killed at any moment, the same command finishes the \
            job. Records that cannot be kept are reported and make the exit code 2, after everything good was kept.

            Fields: id width height orientation takenAt caption alt tags location latitude longitude contentHash \
            placeholder color. Width and height are the file's own; orientation 5 to 8 swaps them.

            EXAMPLES:
              photostream import --stream holiday photos.jsonl more.csv
              photostream import --stream holiday --map id=name,location=images.0.url --report report.json dump.json
              photostream import --stream 1894 --no-quoting --map id=flickr_id,caption=title BL.tsv
              zcat dump.jsonl.gz | photostream import --stream holiday --dry-run -
            """)

    @OptionGroup var stream: StreamOption

    @Option(help: "The format of the sources; auto goes by extension and content.")
    var format = ImportFormat.auto

    @Option(
        help: ArgumentHelp(
            "Read fields from other columns or JSON paths, such as id=flickr_id,location=images.0.url.",
            valueName: "field=path,…"))
    var map = ""

    @Flag(name: .customLong("no-quoting"), help: "Quotes in CSV and TSV are characters like any other.")
    var noQuoting = false

    @Option(
        help: ArgumentHelp("The time zone of times without an offset, such as Europe/Berlin.", valueName: "name"),
        completion: .shellCommand("timedatectl list-timezones 2>/dev/null"))
    var timeZone: String?

    @Option(help: ArgumentHelp("Write counts and rejects to a JSON file.", valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Count what an import would do, and change nothing.")
    var dryRun = false

    @Argument(
        help: ArgumentHelp("Files to read, or - for standard input.", valueName: "source"),
        completion: .file(extensions: ["jsonl", "ndjson", "json", "csv", "tsv"]))
    var sources: [String]

    @OptionGroup var common: CommonOptions

    func validate() throws {
        do {
            _ = try options()
        } catch {
            throw ValidationError(error.description)
        }
        guard let report else { return }
        // The report replaces what lies at its path, at the end of an import that went well.
        let kept = sources + ["", "-wal", "-shm"].map { common.database + $0 }
        if let lost = kept.first(where: { FileIdentity($0) == FileIdentity(report) }) {
            throw ValidationError("--report \(report) would overwrite \(lost)")
        }
    }

    func run() async throws {
        // Everything that can be wrong is found out before the file is touched.
        let reader = try RecordReader(paths: sources, options: try options())
        let report = common.json || report != nil ? try ImportReport(path: report) : nil
        let service = try openService()
        var observer = ImportObserver(totalBytes: reader.totalBytes, report: report)
        let totals = try await run(reader, service, &observer)
        try service?.close()
        observer.end(totals, unusedPaths: await reader.unusedPaths)
        try report?.finish(totals)
        try common.json ? report?.print() : StandardOutput.write(FieldList(totals).textOfNumbers.utf8)
        if self.report != nil { try report?.commit() }
        try StandardOutput.flush()
        if dryRun { StandardError.write(line: "dry run: nothing was changed") }
        // An ArgumentParser code, so that nothing more is said about it.
        if totals.rejected > 0 { throw ExitCode(2) }
    }

    private func run(
        _ reader: RecordReader, _ service: PhotoStreamService?, _ observer: inout ImportObserver
    ) async throws -> ImportTotals {
        let run =
            if let service, !dryRun {
                PhotoImport(reader, into: stream.name, of: service)
            } else {
                PhotoImport.rehearsal(reader, into: stream.name, of: service)
            }
        defer { observer.clear() }
        return try await run.run(sources: sources) { try observer.observe($0) }
    }

    /// The file, or `nil` for a dry run without one.
    private func openService() throws -> PhotoStreamService? {
        guard dryRun else { return try common.open(.readWrite) }
        return FileManager.default.fileExists(atPath: common.database) ? try common.open(.readOnly) : nil
    }

    private func options() throws(ImportError) -> ImportOptions {
        try ImportOptions(
            format: format, mapping: try FieldMapping(parsing: map), usesQuoting: !noQuoting, timeZoneName: timeZone)
    }
}
