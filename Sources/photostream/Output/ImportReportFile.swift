import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The report of an import as one line of JSON, written in constant memory.
///
/// `{"read":…,"inserted":…,…,"rejects":[{"source","line","column","id","reason"},…]}`; for folders, also
/// `"videos":…,"ignored":…,"leftOut":{"files":{…},"folders":{…}},"moved":…,"vanished":…,"pruned":…` and `"files":[{"path","result","id","reason"},…]`. The numbers come
/// first but are known last, so the lists are collected in unnamed temporary files. An old report at the path is
/// deleted when the import begins: any file there afterwards is the complete report of this import.
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
        rejects = try OutputFile.temporary()
        files = hasFolders ? try OutputFile.temporary() : nil
        // They disappear when the process ends for any reason.
        rejects.removeName()
        files?.removeName()
        try report?.removeOld()
    }

    func append(_ notices: [FileNotice]) throws {
        for notice in notices {
            let object: JSONMembers = [
                "path": notice.path, "result": notice.kind.rawValue, "id": notice.id?.rawValue, "reason": notice.reason,
            ]
            try files?.write((hasFiles ? "," : "").utf8)
            try files?.write(JSONWriter.bytes { $0.value(object) })
            hasFiles = true
        }
    }

    func append(_ rejects: [ImportReject]) throws {
        for reject in rejects {
            let object: JSONMembers = [
                "source": reject.position.source, "line": reject.position.line, "column": reject.position.column,
                "id": reject.id, "reason": reject.reason,
            ]
            try self.rejects.write((hasRejects ? "," : "").utf8)
            try self.rejects.write(JSONWriter.bytes { $0.value(object) })
            hasRejects = true
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

    /// The numbers of files or folders by reason, without those that are 0.
    private static func numbers(_ counts: [LeftOutReason: Int]) -> JSONMembers {
        JSONMembers(
            LeftOutReason.allCases.compactMap { reason -> (String, (any WireValue)?)? in
                counts[reason].map { (reason.rawValue, $0) }
            })
    }

    private func write(
        _ totals: ImportTotals, folders: FolderTotals, body: ([UInt8]) throws -> Void
    ) throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.members(of: totals)
            guard files != nil else { return }
            let numbers: JSONMembers = [
                "videos": folders.videos, "ignored": folders.ignored, "moved": folders.moved,
                "vanished": folders.vanished, "pruned": folders.pruned, "held": folders.held,
            ]
            writer.members(numbers)
            let leftOut: JSONMembers = [
                "files": Self.numbers(folders.leftOut.files), "folders": Self.numbers(folders.leftOut.folders),
            ]
            let warnings = JSONMembers(
                FileWarning.allCases.compactMap { kind -> (String, (any WireValue)?)? in
                    folders.warnings[kind].map { (kind.name, $0) }
                })
            let stacked = JSONMembers(
                StackKind.allCases.compactMap { kind -> (String, (any WireValue)?)? in
                    folders.stacked[kind].map { (kind.name, $0) }
                })
            let known: JSONMembers = [
                "byContent": folders.identities.byContent, "byName": folders.identities.byName,
            ]
            writer.members(["leftOut": leftOut, "warnings": warnings, "stacked": stacked, "known": known])
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
