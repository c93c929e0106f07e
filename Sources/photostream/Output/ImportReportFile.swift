import Foundation
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The account of an import as one line of JSON, in constant memory.
///
/// `{"read":…,"inserted":…,…,"rejects":[{"source","line","column","id","reason"},…]}`. The counts stand first and are known
/// last, so rejects wait in a temporary file without a name. A report that lay at the path goes when the import begins:
/// what lies there afterwards is the report of this import, or nothing if it did not come to its end.
final class ImportReportFile {
    private let rejects: OutputFile
    private let report: OutputFile?
    private var hasRejects = false

    /// Begins a report.
    ///
    /// - Parameter path: Where it will be; `nil` for one that is only printed.
    /// - Throws: ``CommandError`` when nothing can be written there.
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

    /// Puts the report in its place, and prints it.
    func finish(_ totals: ImportTotals, prints: Bool) throws {
        if let report {
            try write(totals) { try report.write($0) }
            try report.commit()
        }
        if prints { try write(totals) { try StandardOutput.write($0) } }
    }

    private func write(_ totals: ImportTotals, _ body: ([UInt8]) throws -> Void) throws {
        var writer = JSONWriter()
        writer.object { $0.members(of: totals) }
        // Without the closing brace: the rejects follow.
        try body(writer.bytes.dropLast() + Array(",\"rejects\":[".utf8))
        try rejects.forEachBlock(body)
        try body(Array("]}\n".utf8))
    }
}
