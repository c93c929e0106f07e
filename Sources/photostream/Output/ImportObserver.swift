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
    private var progress = ProgressLine()
    /// The seconds after which the import of folders began; `nil` before.
    private var folderStart: Double?
    private var shownRejects = 0
    private var shownWarnings = 0
    private var warningCounts: [ImportField: Int] = [:]
    private var ignoredMoveCount = 0
    private var recordTotals = ImportTotals()
    private var folderProgress = FolderProgress()
    /// Whether the summary was printed.
    private(set) var isComplete = false

    /// Creates an observer.
    init(totalBytes: Int64?, hasFolders: Bool = false, report: ImportReportFile?) {
        self.totalBytes = totalBytes
        self.hasFolders = hasFolders
        self.report = report
    }

    /// The numbers of all records and files.
    var totals: ImportTotals { recordTotals + folderProgress.totals }

    /// The numbers as a list.
    var fields: FieldList {
        FieldList(totals, folders: hasFolders ? folderProgress.folders : nil)
    }

    /// Reports a batch.
    mutating func observe(_ state: ImportProgress) throws {
        recordTotals = state.totals
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

    /// Reports a batch of files of folders.
    mutating func observe(_ state: FolderProgress) throws {
        folderStart = folderStart ?? progress.elapsedSeconds
        folderProgress = state
        try report?.append(state.notices)
        for notice in state.notices { show(notice) }
        let parts = parts(state)
        progress.update { parts }
    }

    /// Reports what has changed in folders that are watched.
    mutating func observeChange(_ state: FolderProgress) {
        for notice in state.notices { write(notice.line) }
        let numbers = [(state.totals.inserted, "added"), (state.totals.updated, "updated")]
        let named = numbers.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        if !named.isEmpty { write(named.joined(separator: ", ")) }
    }

    /// Reports the progress of making thumbnails.
    mutating func observe(_ state: PictureProgress) {
        progress.update { state.parts }
    }

    /// Prints the summary of making thumbnails, unless there was nothing to do.
    mutating func end(_ state: PictureProgress) {
        progress.clear()
        if state.madeCount > 0 {
            let rate = Int(state.picturesPerSecond.rounded()).grouped
            write("thumbnails of \(state.madeCount.counting("picture")), \(rate) a second")
        }
        if state.failedCount > 0 {
            write("\(state.failedCount.counting("picture")) cannot be decoded; photostream pictures tells why")
        }
    }

    private mutating func show(_ notice: FileNotice) {
        switch notice.kind {
        case .rejected where shownRejects < Self.shownCount: shownRejects += 1
        case .warning where shownWarnings < Self.shownCount: shownWarnings += 1
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
        let count = totals.read + folderProgress.folders.ignored
        let rate = Double(count) / max(progress.elapsedSeconds, 0.001)
        let noun = hasFolders && recordTotals.read == 0 ? "file" : "record"
        write("\(count.counting(noun)) in \(progress.elapsedSeconds.seconds), \(Int(rate).grouped) a second")
        try report?.finish(totals, folders: folderProgress.folders, prints: printsReport)
    }

    /// Prints the summary of an import that ended early.
    ///
    /// Its committed batches stay in the file.
    mutating func endEarly(stream: StreamName, isDryRun: Bool) {
        let totals = totals
        sumUp(totals)
        let outcomes = [
            (totals.inserted, "inserted"), (totals.updated, "updated"), (totals.unchanged, "unchanged"),
            (totals.duplicate, "duplicate"), (totals.rejected, "rejected"),
        ]
        let named = outcomes.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
        let noun = hasFolders && recordTotals.read == 0 ? "file" : "record"
        let records = totals.read.counting(noun) + (named.isEmpty ? "" : ": " + named)
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

    private func parts(_ state: FolderProgress) -> ProgressLine.Parts {
        if let part = state.chunkedPart {
            return ProgressLine.Parts(share: part, texts: ["\(Int(part * 100)) %", "preparing layouts"])
        }
        let seconds = progress.elapsedSeconds - (folderStart ?? 0)
        let rate = Double(state.doneCount) / max(seconds, 0.001)
        guard let fileCount = state.fileCount, fileCount > 0, state.doneCount > 0 else {
            return ProgressLine.Parts(share: nil, texts: [state.doneCount.counting("file")])
        }
        let share = min(1, Double(state.doneCount) / Double(fileCount))
        return ProgressLine.Parts(
            share: share,
            texts: [
                "\(Int(share * 100)) %", "\(state.doneCount.grouped) of \(fileCount.counting("file"))",
                "\((seconds / share * (1 - share)).clock) left", "\(Int(rate).grouped) a second",
            ])
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

extension FileNotice {
    /// The notice as a line of text.
    fileprivate var line: String {
        switch kind {
        case .rejected, .ignored: "\(path): \(reason)"
        case .warning: "\(path): warning: \(reason)"
        case .vanished: "\(path): vanished"
        case .pruned: "\(path): vanished, and its photo was deleted"
        case .moved: "\(path): moved, \(reason)"
        }
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

/// The report of an import as one line of JSON, written in constant memory.
///
/// `{"read":…,"inserted":…,…,"rejects":[{"source","line","column","id","reason"},…]}`; of folders, also
/// `"ignored":…,"moved":…,"vanished":…,"pruned":…` and `"files":[{"path","result","id","reason"},…]`. The numbers come
/// first but are known last, so the lists are collected in unnamed temporary files. An old report at the path is deleted when the
/// import begins: a file there afterwards is always the complete report of this import.
final class ImportReportFile {
    private let rejects: OutputFile
    private let files: OutputFile?
    private let report: OutputFile?
    private var hasRejects = false
    private var hasFiles = false

    /// Starts a report.
    ///
    /// - Parameters:
    ///   - path: The destination; `nil` to print the report only.
    ///   - hasFolders: Whether the report lists files of folders.
    /// - Throws: ``CommandError`` if the destination is not writable.
    init(path: String?, hasFolders: Bool) throws {
        report = try path.map { try OutputFile(path: $0) }
        rejects = try Self.temporaryFile()
        files = hasFolders ? try Self.temporaryFile() : nil
        try report?.removeOld()
    }

    private static func temporaryFile() throws -> OutputFile {
        let folder = FileManager.default.temporaryDirectory
        let file = try OutputFile(
            path: folder.appending(path: "photostream-\(UUID().uuidString)").path(percentEncoded: false))
        file.removeName()
        return file
    }

    /// Adds notices of files.
    func append(_ notices: [FileNotice]) throws {
        for notice in notices {
            if hasFiles { try files?.write(",".utf8) }
            hasFiles = true
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("path", value: notice.path)
                writer.member("result", value: notice.kind.rawValue)
                writer.member("id", orNull: notice.id?.rawValue)
                writer.member("reason", value: notice.reason)
            }
            try files?.write(writer.bytes)
        }
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
    func finish(_ totals: ImportTotals, folders: FolderTotals, prints: Bool) throws {
        if let report {
            try write(totals, folders: folders) { try report.write($0) }
            try report.commit()
        }
        if prints { try write(totals, folders: folders) { try StandardOutput.write($0) } }
    }

    private func write(
        _ totals: ImportTotals, folders: FolderTotals, body: ([UInt8]) throws -> Void
    ) throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.members(of: totals)
            guard files != nil else { return }
            writer.member("ignored", value: folders.ignored)
            writer.member("moved", value: folders.moved)
            writer.member("vanished", value: folders.vanished)
            writer.member("pruned", value: folders.pruned)
        }
        // Without the closing brace, since the rejects follow.
        try body(writer.bytes.dropLast() + Array(",\"rejects\":[".utf8))
        try rejects.forEachBlock(body)
        if let files {
            try body(Array("],\"files\":[".utf8))
            try files.forEachBlock(body)
        }
        try body(Array("]}\n".utf8))
    }
}

extension FieldList {
    /// Creates a list of the numbers of an import.
    init(_ totals: ImportTotals, folders: FolderTotals?) {
        self.init()
        add("read", value: totals.read.grouped)
        add("inserted", value: totals.inserted.grouped)
        add("updated", value: totals.updated.grouped)
        add("unchanged", value: totals.unchanged.grouped)
        add("duplicate", value: totals.duplicate.grouped)
        add("rejected", value: totals.rejected.grouped)
        add("assumed", value: totals.assumed.grouped)
        guard let folders else { return }
        add("ignored", value: folders.ignored.grouped)
        add("moved", value: folders.moved.grouped)
        add("vanished", value: folders.vanished.grouped)
        add("pruned", value: folders.pruned.grouped)
    }
}
