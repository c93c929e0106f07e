import Foundation
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

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
            writer.member("held", value: folders.held)
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
