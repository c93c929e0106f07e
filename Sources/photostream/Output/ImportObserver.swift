import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService

/// The account of an import on standard error: progress, the first rejects and warnings, and a summary.
struct ImportObserver {
    private static let shownCount = 20

    private let totalBytes: Int64?
    private let report: ImportReportFile?
    private var progress = ProgressLine()
    private var shownRejects = 0
    private var shownWarnings = 0
    private var warningCounts: [ImportField: Int] = [:]
    private var totals = ImportTotals()

    /// Begins.
    init(totalBytes: Int64?, report: ImportReportFile?) {
        self.totalBytes = totalBytes
        self.report = report
    }

    /// Takes note of a batch.
    mutating func observe(_ state: ImportProgress) throws {
        totals = state.totals
        try report?.append(state.rejects)
        warningCounts = state.warningCounts
        for reject in state.rejects.prefix(Self.shownCount - shownRejects) {
            write("\(reject.position): \(reject.reason)")
            shownRejects += 1
        }
        for warning in state.warnings.prefix(Self.shownCount - shownWarnings) {
            write("\(warning.position): warning: \(warning.field.rawValue) is left out: \(warning.reason)")
            shownWarnings += 1
        }
        let parts = parts(state)
        progress.update { parts }
    }

    /// Sums up an import that read its whole input.
    ///
    /// - Parameters:
    ///   - totals: The counts of all records.
    ///   - unusedPaths: Mapped columns and paths that no record has.
    ///   - printsReport: Whether the report goes to standard output, too.
    /// - Throws: ``CommandError`` when the report cannot be written.
    mutating func end(_ totals: ImportTotals, unusedPaths: [String], printsReport: Bool) throws {
        sumUp(totals)
        for path in unusedPaths { write("warning: no record has \"\(path)\", which --map names") }
        let rate = Double(totals.read) / max(progress.elapsedSeconds, 0.001)
        write(
            "\(totals.read.counting("record")) in \(progress.elapsedSeconds.seconds), \(Int(rate).grouped) a second")
        try report?.finish(totals, prints: printsReport)
    }

    /// Sums up an import that ended before its input did: what is in the file stays.
    mutating func endEarly(stream: StreamName, isDryRun: Bool) {
        sumUp(totals)
        let outcomes = [
            (totals.inserted, "inserted"), (totals.updated, "updated"), (totals.unchanged, "unchanged"),
            (totals.duplicate, "duplicate"), (totals.rejected, "rejected"),
        ]
        let named = outcomes.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
        let records = totals.read.counting("record") + (named.isEmpty ? "" : ": " + named)
        if isDryRun {
            write("ended after \(records); nothing was changed")
        } else if totals.inserted + totals.updated == 0 {
            write("ended after \(records); stream \"\(stream)\" is as it was")
        } else {
            write(
                "ended after \(records); they are in stream \"\(stream)\", and the same command imports the rest")
        }
    }

    /// Counts the rejects that were not shown, and the warnings of each field.
    private mutating func sumUp(_ totals: ImportTotals) {
        if totals.rejected > shownRejects { write("… and \((totals.rejected - shownRejects).counting("more reject"))") }
        for field in ImportField.allCases {
            guard let count = warningCounts[field] else { continue }
            write("warning: \(field.rawValue): \(count.counting("value")) left out")
        }
    }

    /// Takes the line of progress away.
    mutating func clear() {
        progress.clear()
    }

    private mutating func write(_ line: String) {
        progress.clear()
        StandardError.write(line: line.onOneLine)
    }

    private func parts(_ state: ImportProgress) -> ProgressLine.Parts {
        if let part = state.chunkedPart {
            return ProgressLine.Parts(share: part, texts: ["\(Int(part * 100)) %", "preparing layouts"])
        }
        let seconds = progress.elapsedSeconds
        let rate = Double(state.totals.read) / max(seconds, 0.001)
        var texts = [state.totals.read.counting("record"), "\(Int(rate).grouped) a second"]
        guard let totalBytes, totalBytes > 0, state.bytesConsumed > 0 else {
            return ProgressLine.Parts(share: nil, texts: texts)
        }
        let share = min(1, Double(state.bytesConsumed) / Double(totalBytes))
        texts.insert("\((seconds / share * (1 - share)).clock) left", at: 1)
        return ProgressLine.Parts(share: share, texts: ["\(Int(share * 100)) %"] + texts)
    }
}

extension Double {
    /// A time as minutes and seconds, such as `1:05`.
    fileprivate var clock: String {
        let seconds = Int(rounded(.up))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    /// A time with one decimal, such as `0.4 s`.
    fileprivate var seconds: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
