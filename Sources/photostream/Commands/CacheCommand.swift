import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream cache`: the stored data derived from the photos.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show, verify, warm, limit or clear stored layouts.",
        discussion: """
            EXAMPLES:
              photostream cache
              photostream cache verify
              photostream cache warm --stream holiday --width 1200
              photostream cache budget 1GB
              photostream cache clear
            """,
        subcommands: [
            CacheStatusCommand.self, CacheVerifyCommand.self, CacheClearCommand.self, CacheWarmCommand.self,
            CacheBudgetCommand.self,
        ],
        defaultSubcommand: CacheStatusCommand.self)
}

struct CacheStatusCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "List the stored layouts.",
        discussion: """
            A server stores a layout that it uses again at least ten seconds after its first use: the widths of a \
            window that is being resized are not stored. A layout whose checkpoints alone exceed the budget is not \
            stored. "checkpoints" and "frames" count chunks of about 1,000 photos. Frames are stored once they have \
            been served, if reading them is faster than computing them: with optimal breaks, and in a masonry with \
            spans. "last used" is exact to the day.
            """)

    @OptionGroup var common: CommonOptions

    var use: FileUse { .read }

    func report(of service: PhotoStreamService) throws -> Report {
        let status = try service.cacheStatus()
        var report = Report { $0.value(status) }
        // A truncated key is useless, so lines may be longer than the window.
        report.add(
            table: [
                "stream", .number("checkpoints"), .number("frames"), .number("bytes"), "last used",
                .wide("layout key"),
            ],
            rows: status.layouts.map { layout in
                [
                    layout.stream.rawValue, layout.chunkCount.grouped, layout.framesCount.grouped,
                    layout.byteCount.grouped, Moment.text(layout.lastUsedMilliseconds), layout.layoutKey,
                ]
            }, cutsLastColumn: false)
        report.add(line: status.sizeText)
        return report
    }
}

struct CacheVerifyCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Recompute all stored data and compare.",
        discussion: """
            The file itself is checked as well: missing or changed triggers, indexes and tables, \
            SQLite's own structures, the checksums of stored rows, photos without a stream, and orphaned rows. \
            Chunks left over from active or interrupted work do not count as differences.

            Differences go to standard error, and make the exit code 1. photostream cache clear repairs \
            those of stored layouts and chunks, of triggers and of indexes; the others say how to repair them.

            A warning on standard error says if another program's open read keeps the write-ahead log from being emptied.
            """)

    @OptionGroup var common: CommonOptions

    var use: FileUse { .read }

    func report(of service: PhotoStreamService) throws -> Report {
        let answer = try service.verifyDerived()
        var report = Report { $0.value(answer) }
        let found = answer.differences.isEmpty ? "all is well" : answer.differences.count.counting("difference")
        let outdated = answer.outdatedCount == 0 ? "" : ", \(answer.outdatedCount.grouped) outdated"
        let leftover = answer.leftoverCount == 0 ? "" : ", \(answer.leftoverCount.counting("chunk")) left over"
        report.add(
            line: "compared \(answer.chunkCount.counting("chunk")) of metrics, "
                + "\(answer.placementCount.counting("checkpoint")) and "
                + "\(answer.framesCount.counting("chunk")) of frames\(outdated)\(leftover): \(found)")
        report.warnings = try service.emptyLongLog().map { [$0] } ?? []
        report.fail(because: answer.differences)
        return report
    }
}

struct CacheWarmCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm",
        abstract: "Compute and store a layout in advance of the first query.",
        discussion: """
            Without layout options, every stored layout of the stream is brought up to date.
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        // An unknown stream is an error even if there is nothing to do.
        _ = try service.read { session in try session.stream(stream.name) }
        let keys = try layout.key().map { [$0] } ?? storedKeys(of: service)
        var answers: [LayoutAnswer] = []
        for key in keys {
            let title = "layout \(answers.count + 1) of \(keys.count)"
            answers.append(
                try service.warm(stream.name, layout: key) { part in
                    StandardError.show(ProgressLine(share: part, texts: ["\(Int(part * 100)) %", title]))
                })
        }
        let foldedCount = service.work.foldedChunkCount
        var report = Report(["foldedChunks": foldedCount, "layouts": answers])
        report.add(
            lines: answers.map { answer in
                let key = answer.context.layoutKey
                return key.description
                    + (PhotoStreamService.stores(key) ? "" : " (computed for every query; not stored)")
            } + ["warmed \(answers.count.counting("layout")): \(foldedCount.counting("chunk")) computed"])
        return report
    }

    /// Returns the stored layouts of the file, except those of another version of the engine, which cannot be computed.
    private func storedKeys(of service: PhotoStreamService) throws -> [LayoutKey] {
        let layouts = try service.cacheStatus().layouts.filter { $0.stream == stream.name }
        return layouts.compactMap { try? LayoutKey(parsing: $0.layoutKey) }
    }
}

struct CacheBudgetCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget",
        abstract: "Show or set the maximum size of the stored layouts of a file.",
        discussion: """
            The limit is stored in the file and applies to every process; a new file has 256 MiB. Layouts beyond it \
            are deleted at once, the least recently used first. With 0 nothing is stored.

            EXAMPLES:
              photostream cache budget
              photostream cache budget 512MB
            """)

    @Argument(
        help: ArgumentHelp("A number of bytes, KB, MB or GB, each 1,024 times the one before.", valueName: "bytes"),
        transform: ByteCount.init(_:))
    var budget: ByteCount?

    @OptionGroup var common: CommonOptions

    var use: FileUse { budget == nil ? .read : .change }

    func report(of service: PhotoStreamService) throws -> Report {
        if let budget { try service.setCacheBudget(budget.bytes) }
        let status = try service.cacheStatus()
        var report = Report { $0.value(CacheSize(status)) }
        report.add(line: status.sizeText)
        return report
    }
}

struct CacheClearCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Delete all data derived from the photos; the next query computes them again.",
        discussion: """
            Missing or changed triggers and indexes of the file are restored. If any were, clients that ask for changes \
            are asked to reload, since the log is incomplete.
            """)

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let count = try service.cacheStatus().layouts.count
        let restored = try service.clearDerived()
        var report = Report(["cleared": count, "restored": restored])
        report.add(lines: ["cleared \(count.counting("layout"))"] + restored.map { "restored the \($0)" })
        return report
    }
}

extension CacheStatus {
    /// The current and the maximum size of stored layouts.
    fileprivate var sizeText: String { "\(byteCount.grouped) of \(budget.grouped) bytes" }
}
