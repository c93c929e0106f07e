import Foundation
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// Reports an import on standard error: progress, the first rejects and warnings, and a summary.
struct ImportObserver {
    private static let shownCount = 20

    private let totalBytes: Int64?
    private let report: ImportReportFile?
    private var progress = ProgressLine()
    private var shownRejects = 0
    private var shownWarnings = 0
    private var warningCounts: [ImportField: Int] = [:]
    private var ignoredMoveCount = 0
    private var totals = ImportTotals()

    /// Creates an observer.
    init(totalBytes: Int64?, report: ImportReportFile?) {
        self.totalBytes = totalBytes
        self.report = report
    }

    /// Reports a batch.
    mutating func observe(_ state: ImportProgress) throws {
        totals = state.totals
        try report?.append(state.rejects)
        warningCounts = state.warningCounts
        ignoredMoveCount = state.ignoredMoveCount
        for reject in state.rejects.prefix(Self.shownCount - shownRejects) {
            write("\(reject.position): \(reject.reason)")
            shownRejects += 1
        }
        for warning in state.warnings.prefix(Self.shownCount - shownWarnings) {
            write("\(warning.position): warning: \(warning.field.rawValue) is ignored: \(warning.reason)")
            shownWarnings += 1
        }
        let parts = parts(state)
        progress.update { parts }
    }

    /// Prints the summary of a completed import.
    ///
    /// - Parameters:
    ///   - totals: The numbers of all records.
    ///   - unusedPaths: The mapped columns and paths that no record contains.
    ///   - printsReport: Whether the report is also printed to standard output.
    /// - Throws: ``CommandError`` if the report cannot be written.
    mutating func end(_ totals: ImportTotals, unusedPaths: [String], printsReport: Bool) throws {
        sumUp(totals)
        for path in unusedPaths { write("warning: no record contains \"\(path)\", which --map names") }
        let rate = Double(totals.read) / max(progress.elapsedSeconds, 0.001)
        write(
            "\(totals.read.counting("record")) in \(progress.elapsedSeconds.seconds), \(Int(rate).grouped) a second")
        try report?.finish(totals, prints: printsReport)
    }

    /// Prints the summary of an import that ended early.
    ///
    /// Its committed batches stay in the file.
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
            write("ended after \(records); stream \"\(stream)\" is unchanged")
        } else {
            write(
                "ended after \(records); they are in stream \"\(stream)\", and the same command imports the rest")
        }
    }

    /// Prints the number of rejects that were not shown, and of the warnings of each field and of moves.
    private mutating func sumUp(_ totals: ImportTotals) {
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
    }

    /// Clears the progress line.
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
    /// A duration in minutes and seconds, such as `1:05`.
    fileprivate var clock: String {
        let seconds = Int(rounded(.up))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    /// A duration with one decimal, such as `0.4 s`.
    fileprivate var seconds: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

/// The report of an import as one line of JSON, written in constant memory.
///
/// `{"read":…,"inserted":…,…,"rejects":[{"source","line","column","id","reason"},…]}`. The numbers come first but are
/// known last, so rejects are collected in an unnamed temporary file. An old report at the path is deleted when the
/// import begins: a file there afterwards is always the complete report of this import.
final class ImportReportFile {
    private let rejects: OutputFile
    private let report: OutputFile?
    private var hasRejects = false

    /// Starts a report.
    ///
    /// - Parameter path: The destination; `nil` to print the report only.
    /// - Throws: ``CommandError`` if the destination is not writable.
    init(path: String?) throws {
        report = try path.map { try OutputFile(path: $0) }
        let folder = FileManager.default.temporaryDirectory
        rejects = try OutputFile(
            path: folder.appending(path: "photostream-\(UUID().uuidString)").path(percentEncoded: false))
        rejects.removeName()
        try report?.removeOld()
    }

    /// Adds rejects.
    func append(_ rejects: [ImportReject]) throws {
        for reject in rejects {
            if hasRejects { try self.rejects.write(",".utf8) }
            hasRejects = true
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("source", value: reject.position.source)
                writer.member("line", value: reject.position.line)
                writer.member("column", value: reject.position.column)
                writer.member("id", orNull: reject.id)
                writer.member("reason", value: reject.reason)
            }
            try self.rejects.write(writer.bytes)
        }
    }

    /// Moves the report to its destination, and prints it on request.
    func finish(_ totals: ImportTotals, prints: Bool) throws {
        if let report {
            try write(totals) { try report.write($0) }
            try report.commit()
        }
        if prints { try write(totals) { try StandardOutput.write($0) } }
    }

    private func write(_ totals: ImportTotals, body: ([UInt8]) throws -> Void) throws {
        var writer = JSONWriter()
        writer.object { $0.members(of: totals) }
        // Without the closing brace, since the rejects follow.
        try body(writer.bytes.dropLast() + Array(",\"rejects\":[".utf8))
        try rejects.forEachBlock(body)
        try body(Array("]}\n".utf8))
    }
}

extension FieldList {
    /// Creates a list of the numbers of an import.
    init(_ totals: ImportTotals) {
        self.init()
        add("read", value: totals.read.grouped)
        add("inserted", value: totals.inserted.grouped)
        add("updated", value: totals.updated.grouped)
        add("unchanged", value: totals.unchanged.grouped)
        add("duplicate", value: totals.duplicate.grouped)
        add("rejected", value: totals.rejected.grouped)
        add("assumed", value: totals.assumed.grouped)
    }
}
