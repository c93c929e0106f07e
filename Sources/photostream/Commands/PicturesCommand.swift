import ArgumentParser
import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire
import Synchronization

/// `photostream pictures`: thumbnails, and the results of decoding pictures.
struct PicturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pictures",
        abstract: "Show, make, verify or clear thumbnails.",
        discussion: """
            Thumbnails are made by the program photostream-pictures, and stored in a second file next to the database, which \
            may be deleted at any time. A server makes them in the background, and those that a client asks for first.

            EXAMPLES:
              photostream pictures
              photostream pictures warm --stream holiday
              photostream pictures warm --retry
              photostream pictures verify
              photostream pictures clear
            """,
        subcommands: [
            PicturesStatusCommand.self, PicturesWarmCommand.self, PicturesVerifyCommand.self,
            PicturesClearCommand.self,
        ],
        defaultSubcommand: PicturesStatusCommand.self)
}

/// `photostream pictures status`.
struct PicturesStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Count the pictures that were decoded, those that cannot be, and the rest.",
        discussion: """
            "pending" counts photos that are neither: those whose pictures were not tried yet, and those without a file on \
            this machine. Failures are listed with their reasons; a picture that failed is tried again once its file \
            changes, or by photostream pictures warm --retry.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.openForQuery()
        let status = try service.pictureStatus()
        try service.close()
        guard !common.json else { return try StandardOutput.write(json: { $0.value(status) }) }
        var table = TextTable([
            TextTable.Column(title: "stream"), .number("ready"), .number("failed"), .number("pending"),
        ])
        let rows = status.streams.map { stream in
            [
                stream.name.rawValue, stream.pictures.readyCount.grouped, stream.pictures.failedCount.grouped,
                stream.pictures.pendingCount.grouped,
            ]
        }
        try StandardOutput.write(table.text(rows).utf8)
        for stream in status.streams where !stream.reasons.isEmpty {
            try StandardOutput.write(line: "\nfailures of stream \"\(stream.name)\"")
            for reason in stream.reasons {
                try StandardOutput.write(line: "  \(reason.count.counting("picture")): \(reason.text)")
            }
        }
        try StandardOutput.write(
            line: "\n\(status.storedCount.counting("picture")) stored, \(Int(status.storedBytes).grouped) of "
                + "\(Int(status.standardBudget).grouped) bytes")
    }
}

/// `photostream pictures warm`.
struct PicturesWarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm",
        abstract: "Make the thumbnails that are missing.",
        discussion: """
            The newest photos come first. Interrupted and started again, it resumes. A picture of which its worker dies is \
            tried again alone, three times at most.
            """)

    @Option(help: ArgumentHelp("Only this stream.", valueName: "name"), transform: StreamName.init(_:))
    var stream: StreamName?

    @Flag(help: "Also try pictures again that could not be decoded.")
    var retry = false

    @OptionGroup var budget: PictureBudgetOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let interrupts = Interrupts()
        let service = try common.open()
        var settings = WarmUpSettings()
        (settings.stream, settings.retriesFailures) = (stream, retry)
        let maker = try PictureMaker(service, settings: budget.settings)
        let asked = settings
        let line = Mutex(ProgressLine())
        let (result, signal) = await interrupts.cancelling {
            try await maker.whileRunning {
                try await maker.warmUp(asked) { progress in
                    line.withLock { $0.update { progress.parts } }
                }
            }
        }
        line.withLock { $0.clear() }
        try service.close()
        if let signal { Interrupts.end(by: signal) }
        let progress = try result.get()
        guard !common.json else { return try StandardOutput.write(json: { $0.value(progress) }) }
        try StandardOutput.write(line: progress.sentence)
    }
}

extension PictureProgress {
    /// The parts of a progress line.
    var parts: ProgressLine.Parts {
        let doneCount = madeCount + failedCount + skippedCount
        let share = Double(doneCount) / Double(max(1, doneCount + remainingCount))
        var texts = [
            "\(Int(share * 100)) %", "\(madeCount.counting("picture"))",
            "\(Int(picturesPerSecond.rounded()).grouped) a second", "\(remainingCount.grouped) left",
        ]
        if failedCount > 0 { texts.insert("\(failedCount.grouped) failed", at: 2) }
        return ProgressLine.Parts(share: share, texts: texts)
    }

    /// A summary.
    var sentence: String {
        "made thumbnails of \(madeCount.counting("picture")); \(failedCount.grouped) cannot be decoded, "
            + "\(skippedCount.grouped) needed nothing"
    }
}

/// `photostream pictures verify`.
struct PicturesVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read all stored thumbnails, and compare them with their checksums.",
        discussion: "Problems go to standard error, and make the exit code 1. photostream pictures clear repairs them.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.openForQuery()
        var progress = ProgressLine()
        var count = 0
        let problems = try service.verifyPictures { readCount in
            count = readCount
            progress.update { ProgressLine.Parts(share: nil, texts: [readCount.counting("thumbnail")]) }
        }
        progress.clear()
        try service.close()
        if common.json {
            try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("thumbnails", value: count)
                    writer.key("problems")
                    writer.array(problems) { $0.value($1) }
                }
            })
        } else {
            let found = problems.isEmpty ? "all is well" : problems.count.counting("problem")
            try StandardOutput.write(line: "read \(count.counting("thumbnail")): \(found)")
        }
        try StandardOutput.flush()
        for problem in problems { StandardError.write(sentence: problem) }
        guard problems.isEmpty else { throw ExitCode.failure }
    }
}

/// `photostream pictures clear`.
struct PicturesClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete all thumbnails and the results of decodes; they can be made again.",
        discussion: "Keys, placeholders, colours and the list of failures go, too, unless --keep-results is given.")

    @Flag(help: "Delete the thumbnails only.")
    var keepResults = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        try service.clearPictures(includingResults: !keepResults)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { $0.member("results", value: !keepResults) }
            })
        }
        try StandardOutput.write(
            line: keepResults ? "deleted all thumbnails" : "deleted all thumbnails and the results of decodes")
    }
}

/// The maximum size of the stored thumbnails.
struct PictureBudgetOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The maximum size of the stored thumbnails: a number of bytes, KB, MB or GB. (default: 10 GB, or a tenth of the \
            free disk if that is less)
            """, valueName: "bytes"),
        transform: ByteCount.init(_:))
    var picturesBudget: ByteCount?

    /// The settings of the maker.
    var settings: PictureSettings {
        var settings = PictureSettings()
        settings.budgetBytes = picturesBudget?.bytes
        return settings
    }
}
