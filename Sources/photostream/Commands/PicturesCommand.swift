import ArgumentParser
import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

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

struct PicturesStatusCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Count the pictures that were decoded, those that cannot be, and the rest.",
        discussion: """
            "pending" counts photos that are neither: those whose pictures were not tried yet, and those without a file on \
            this machine. Failures are listed with their reasons; a picture that failed is tried again once its file \
            changes, or by photostream pictures warm --retry.
            """)

    @OptionGroup var common: CommonOptions

    var use: FileUse { .read }

    func report(of service: PhotoStreamService) throws -> Report {
        let status = try service.pictureStatus()
        var report = Report { $0.value(status) }
        report.add(
            table: ["stream", .number("ready"), .number("failed"), .number("pending")],
            rows: status.streams.map { stream in
                let pictures = stream.pictures
                return [stream.name.rawValue]
                    + [pictures.readyCount, pictures.failedCount, pictures.pendingCount].map(\.grouped)
            })
        for stream in status.streams where stream.identities.byContent + stream.identities.byName > 0 {
            let known = stream.identities
            report.add(
                line: "stream \"\(stream.name)\": \(known.byContent.counting("file")) known by content, "
                    + "\(known.byName.grouped) by size, time and name")
        }
        for stream in status.streams where !stream.reasons.isEmpty {
            report.add(
                lines: ["failures of stream \"\(stream.name)\""]
                    + stream.reasons.map { "  \($0.count.counting("picture")): \($0.text)" })
        }
        for stream in status.streams where !stream.warnings.isEmpty {
            report.add(
                lines: ["metadata of stream \"\(stream.name)\""] + stream.warnings.lines.map { "  \($0)" })
        }
        report.add(
            line: "\(status.storedCount.counting("picture")) stored, \(status.storedBytes.grouped) of "
                + "\(status.standardBudget.grouped) bytes")
        return report
    }
}

struct PicturesWarmCommand: StreamCommand {
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

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) async throws -> Report {
        Interrupts.cancelWork()
        var settings = WarmUpSettings()
        (settings.stream, settings.retriesFailures) = (stream, retry)
        let maker = try PictureMaker(service, settings: budget.settings)
        let asked = settings
        let (result, signal) = await Interrupts.cancelling {
            try await maker.whileRunning {
                try await maker.warmUp(asked) { StandardError.show($0.line) }
            }
        }
        StandardError.clearProgress()
        if let signal {
            try service.close()
            Interrupts.end(by: signal)
        }
        let progress = try result.get()
        var report = Report { $0.value(progress) }
        report.add(
            line: "made thumbnails of \(progress.madeCount.counting("picture")); \(progress.failedCount.grouped) "
                + "cannot be decoded, \(progress.skippedCount.grouped) needed nothing")
        return report
    }
}

extension PictureProgress {
    /// The progress as a line: all numbers are of photos, those of earlier runs included.
    var line: ProgressLine {
        let doneCount = madeCount + failedCount + skippedCount
        let count = doneCount + remainingCount
        var amount = "\(doneCount.grouped) of \(count.counting("photo"))"
        if failedCount > 0 { amount += ", \(failedCount.grouped) failed" }
        return ProgressLine(
            work: "making thumbnails", share: Double(doneCount) / Double(max(1, count)), amount: amount,
            secondsLeft: picturesPerSecond > 0 ? Double(remainingCount) / picturesPerSecond : nil,
            rate: picturesPerSecond)
    }
}

struct PicturesVerifyCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read all stored thumbnails, and compare them with their checksums.",
        discussion: "Problems go to standard error, and make the exit code 1. photostream pictures clear repairs them.")

    @OptionGroup var common: CommonOptions

    var use: FileUse { .read }

    func report(of service: PhotoStreamService) throws -> Report {
        var count = 0
        let problems = try service.verifyPictures { readCount in
            count = readCount
            StandardError.show(ProgressLine(texts: [readCount.counting("thumbnail")]))
        }
        let found = problems.isEmpty ? "all is well" : problems.count.counting("problem")
        var report = Report(
            ["thumbnails": count, "problems": problems], line: "read \(count.counting("thumbnail")): \(found)")
        report.fail(because: problems)
        return report
    }
}

struct PicturesClearCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete all thumbnails and the results of decodes; they can be made again.",
        discussion: "Keys, placeholders, colours and the list of failures go, too, unless --keep-results is given.")

    @Flag(help: "Delete the thumbnails only.")
    var keepResults = false

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        try service.clearPictures(includingResults: !keepResults)
        return Report(
            ["results": !keepResults],
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
