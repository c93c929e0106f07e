import Foundation
import PhotoStreamImport
import PhotoStreamService

/// The account of an import as JSON, written while it runs, in constant memory.
///
/// `{"read":…,"inserted":…,…,"rejects":[{"source","line","column","id","reason"},…]}`, a reject a line. The counts
/// stand first and are known last: room is kept for them, and with rejects what is left of it is white space.
final class ImportReport {
    private static let headerByteCount = 320

    private let file: OutputFile
    private var hasRejects = false

    /// Begins a report.
    ///
    /// - Parameter path: Where it will be; `nil` for one that is only printed.
    /// - Throws: ``CommandError`` when nothing can be written there.
    init(path: String?) throws {
        let folder = FileManager.default.temporaryDirectory
        file = try OutputFile(
            path: path ?? folder.appending(path: "photostream-\(UUID().uuidString)").path(percentEncoded: false))
        if path == nil { file.removeName() }
        try file.write([UInt8](repeating: UInt8(ascii: " "), count: Self.headerByteCount))
    }

    /// Adds rejects.
    func append(_ rejects: [ImportReject]) throws {
        for reject in rejects {
            try file.write((hasRejects ? ",\n" : "\n").utf8)
            hasRejects = true
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("source", reject.position.source)
                writer.member("line", reject.position.line)
                writer.member("column", reject.position.column)
                writer.member("id", orNull: reject.id)
                writer.member("reason", reject.reason)
            }
            try file.write(writer.bytes)
        }
    }

    /// Writes the counts and the end.
    func finish(_ totals: ImportTotals) throws {
        var writer = JSONWriter()
        writer.object { $0.members(of: totals) }
        // Without the closing brace: the rejects follow.
        let header = writer.bytes.dropLast() + Array(",\"rejects\":[".utf8)
        guard hasRejects else {
            try file.removeContent()
            return try file.write(header + Array("]}\n".utf8))
        }
        try file.write("\n]}\n".utf8)
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: Self.headerByteCount - header.count)
        try file.overwriteStart(header + padding)
    }

    /// Prints the report.
    func print() throws {
        try file.forEachBlock { try StandardOutput.write($0) }
    }

    /// Puts the report in its place.
    func commit() throws {
        try file.commit()
    }
}
