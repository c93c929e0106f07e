import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream compact`: returns unused space of the database file to the disk.
struct CompactCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Give the unused space of the database file back to the disk.",
        discussion: """
            Deleted photos, streams and layouts leave space that later data use; the file does not shrink by itself. This \
            rewrites it without that space. Photos, revisions, cursors and stored layouts stay valid.

            Other programs can read meanwhile, but not write: a write waits, and fails after 5 seconds. Until the end, the \
            new content is also in a temporary file and in the write-ahead log next to the database: each takes at most \
            the size of the file. The temporary file is in $TMPDIR if that can be written, otherwise in /var/tmp or /tmp, \
            as SQLite chooses.

            It is one transaction. Interrupted by Ctrl-C, killed, or out of disk space, the file is as it was. Ctrl-C has no \
            effect on the last step, which copies the new content to the file; a second Ctrl-C ends the program at once.

            A warning on standard error says if another program's open read keeps the file from shrinking yet.

            EXAMPLES:
              photostream compact
              photostream compact --database /srv/photos.sqlite --json
            """)

    @OptionGroup var common: FileOptions

    var json: Bool { common.json }

    func report() async throws -> Report {
        Interrupts.cancelWork()
        // Without memory maps, so that memory does not grow with the file.
        let service = try common.open(mapsFile: false)
        let (result, signal) = await Interrupts.cancelling {
            try service.compact { part in
                let text = part < 1 ? "rewriting the file" : "copying the new content"
                StandardError.show(ProgressLine(share: part, texts: ["\(Int(part * 100)) %", text]))
            }
        }
        try service.close()
        if case .failure = result, let signal {
            StandardError.write(sentence: "interrupted; \(common.database) is as it was")
            Interrupts.end(by: signal)
        }
        let sizes = try result.get()
        var report = Report(
            [
                "file": common.database, "bytesBefore": sizes.bytesBefore, "bytesAfter": sizes.bytesAfter,
                "pending": sizes.isPending,
            ],
            line: "\(common.database): \(sizes.bytesBefore.grouped) bytes before, \(sizes.bytesAfter.grouped) after")
        if sizes.isPending {
            report.warnings = [
                "another program's open read keeps the file from shrinking yet; the next write after it, or closing the "
                    + "file, completes it"
            ]
        }
        if let signal { report.completion = { Interrupts.end(by: signal) } }
        return report
    }
}
