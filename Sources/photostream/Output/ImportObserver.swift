import Foundation
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// Reports an import on standard error: progress, the first rejects and warnings, and a summary.
struct ImportObserver {
    private static let shownCount = 20

    private let totalBytes: Int64?
    private let hasFolders: Bool
    private let report: ImportReportFile?
    private let start = ContinuousClock.now
    /// The seconds after which the import of folders began; `nil` before.
    private var folderStart: Double?
    private var shownRejects = 0
    private var shownWarnings = 0
    private var warningCounts: [ImportField: Int] = [:]
    private var ignoredMoveCount = 0
    /// The number of records of photos that stay deleted.
    private var deletedCount = 0
    private var recordTotals = ImportTotals()
    private var folderProgress = FolderProgress()
    private(set) var isComplete = false

    init(totalBytes: Int64?, hasFolders: Bool = false, report: ImportReportFile?) {
        self.totalBytes = totalBytes
        self.hasFolders = hasFolders
        self.report = report
    }

    /// The numbers of all records and files.
    var totals: ImportTotals { recordTotals + folderProgress.totals }

    /// The number of photos that were kept although their files are gone.
    var heldCount: Int { folderProgress.folders.held }

    private var elapsedSeconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    var fields: FieldList {
        totals.fields + (hasFolders ? folderProgress.folders.fields : [:])
    }

    /// Reports a batch.
    mutating func observe(_ state: ImportProgress) throws {
        recordTotals = state.totals
        try report?.append(state.rejects)
        warningCounts = state.warningCounts
        (ignoredMoveCount, deletedCount) = (state.ignoredMoveCount, state.deletedCount)
        for reject in state.rejects.prefix(Self.shownCount - shownRejects) {
            write("\(reject.position): \(reject.reason)")
            shownRejects += 1
        }
        for warning in state.warnings.prefix(Self.shownCount - shownWarnings) {
            write("\(warning.position): warning: \(warning.field.rawValue) is ignored: \(warning.reason)")
            shownWarnings += 1
        }
        StandardError.show(line(state))
    }

    /// Reports a batch of files of folders.
    mutating func observe(_ state: FolderProgress) throws {
        folderStart = folderStart ?? elapsedSeconds
        folderProgress = state
        try report?.append(state.notices)
        for notice in state.notices { show(notice) }
        StandardError.show(line(state))
    }

    /// Reports changes in watched folders, in one piece.
    static func show(changes state: FolderProgress) {
        let numbers = [(state.totals.inserted, "added"), (state.totals.updated, "updated")]
        let named = numbers.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        let lines = state.notices.map(\.line) + (named.isEmpty ? [] : [named.joined(separator: ", ")])
        StandardError.write(lines.map { $0.onOneLine + "\n" }.joined())
    }

    /// Prints the summary of making thumbnails, unless there was nothing to do.
    ///
    /// - Parameters:
    ///   - state: The work.
    ///   - capacity: The approximate number of pictures whose thumbnails fit into the store.
    static func sumUp(_ state: PictureProgress, capacity: Int?) {
        StandardError.clearProgress()
        if state.madeCount > 0 {
            let rate = Int(state.picturesPerSecond.rounded()).grouped
            let room = capacity.map { "; the store has room for those of about \($0.counting("picture"))" } ?? ""
            write("thumbnails of \(state.madeCount.counting("picture")), \(rate) a second" + room)
        }
        if state.failedCount > 0 {
            write("\(state.failedCount.counting("picture")) cannot be decoded; photostream pictures tells why")
        }
    }

    private mutating func show(_ notice: FileNotice) {
        switch notice.kind {
        case .rejected where shownRejects < Self.shownCount: shownRejects += 1
        case .warning where shownWarnings < Self.shownCount: shownWarnings += 1
        // These are few, and each needs a person's attention.
        case .held: break
        default: return
        }
        write(notice.line)
    }

    /// Prints the summary of a completed import.
    ///
    /// - Parameters:
    ///   - unusedPaths: The mapped columns and paths that no record contains.
    ///   - printsReport: Whether the report is also printed to standard output.
    /// - Throws: ``CommandError`` if the report cannot be written.
    mutating func end(unusedPaths: [String], printsReport: Bool) throws {
        isComplete = true
        let totals = totals
        sumUp(totals)
        for path in unusedPaths { write("warning: no record contains \"\(path)\", which --map names") }
        let count = totals.read + folderProgress.folders.leftOutCount
        let rate = Double(count) / max(elapsedSeconds, 0.001)
        let noun = hasFolders && recordTotals.read == 0 ? "file" : "record"
        write("\(count.counting(noun)) in \(elapsedSeconds.seconds), \(Int(rate).grouped) a second")
        let folders = folderProgress.folders
        for text in folders.leftOutLines + [folders.stackedLine].compactMap(\.self) + folders.warnings.lines {
            write(text)
        }
        try report?.finish(totals, folders: folderProgress.folders, prints: printsReport)
    }

    /// Prints the summary of an import that ended early.
    ///
    /// Its committed batches stay in the file.
    func endEarly(stream: StreamName, isDryRun: Bool) {
        let totals = totals
        sumUp(totals)
        let noun = hasFolders && recordTotals.read == 0 ? "file" : "record"
        let records = totals.read.counting(noun) + (totals.outcomes.isEmpty ? "" : ": " + totals.outcomes)
        if isDryRun {
            write("ended after \(records); nothing was changed")
        } else if totals.inserted + totals.updated == 0 {
            write("ended after \(records); stream \"\(stream)\" is unchanged")
        } else {
            write(
                "ended after \(records); they are in stream \"\(stream)\", and the same command imports the rest")
        }
    }

    /// Prints the number of rejects that were not shown, and the counts of warnings by field and of moves.
    private func sumUp(_ totals: ImportTotals) {
        if totals.rejected > shownRejects { write("… and \((totals.rejected - shownRejects).counting("more reject"))") }
        for field in ImportField.allCases {
            guard let count = warningCounts[field] else { continue }
            write("warning: \(field.rawValue): \(count.counting("value")) ignored")
        }
        if ignoredMoveCount > 0 {
            write(
                "warning: movedTo: \(ignoredMoveCount.counting("value")) ignored, because moves cannot be kept in another order"
            )
        }
        let deletedCount = deletedCount + folderProgress.folders.deleted
        if deletedCount > 0 {
            let verb = deletedCount == 1 ? "stays" : "stay"
            write("\(deletedCount.counting("photo")) \(verb) deleted; --restore brings them back")
        }
    }

    private func line(_ state: FolderProgress) -> ProgressLine {
        let share = state.fileCount.map { Double(state.doneCount) / Double($0) }
        let total = state.fileCount.map { "\(state.doneCount.grouped) of \($0.counting("file"))" }
        return line(
            "reading headers", amount: total ?? state.doneCount.counting("file"), count: state.doneCount, share: share,
            chunkedPart: state.chunkedPart, since: folderStart ?? 0)
    }

    private func line(_ state: ImportProgress) -> ProgressLine {
        line(
            "reading records", amount: state.totals.read.counting("record"), count: state.totals.read,
            share: totalBytes.map { Double(state.bytesConsumed) / Double($0) }, chunkedPart: state.chunkedPart, since: 0
        )
    }

    private func line(
        _ work: String, amount: String, count: Int, share: Double?, chunkedPart: Double?, since start: Double
    ) -> ProgressLine {
        if let part = chunkedPart { return ProgressLine(work: "preparing layouts", share: part, amount: nil) }
        let seconds = elapsedSeconds - start
        let rate = Double(count) / max(seconds, 0.001)
        let part = share.flatMap { $0.isFinite && $0 > 0 ? min(1, $0) : nil }
        return ProgressLine(
            work: work, share: part, amount: amount, secondsLeft: part.map { seconds / $0 * (1 - $0) }, rate: rate)
    }
}

private func write(_ line: String) {
    StandardError.write(line: line.onOneLine)
}

extension Double {
    /// A duration with one decimal, such as `0.4 s`.
    fileprivate var seconds: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

extension ImportTotals {
    /// Adds the numbers of two parts of an import.
    fileprivate static func + (left: ImportTotals, right: ImportTotals) -> ImportTotals {
        var sum = left
        for number in [\ImportTotals.read, \.inserted, \.updated, \.unchanged, \.duplicate, \.rejected, \.assumed] {
            sum[keyPath: number] += right[keyPath: number]
        }
        return sum
    }
}
