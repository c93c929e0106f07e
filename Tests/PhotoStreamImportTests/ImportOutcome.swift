import Foundation
import PhotoStreamModel

@testable import PhotoStreamImport

/// Everything that a reader reports about an input.
struct ImportOutcome: Equatable {
    var records: [PhotoRecord] = []
    var rejects: [ImportReject] = []
    var warnings: [ImportWarning] = []
    var warningCounts: [ImportField: Int] = [:]
    var bytesConsumed: Int64 = 0
    var unusedPaths: [String] = []

    var ids: [String] { records.map(\.id.rawValue) }
    var reasons: [String] { rejects.map(\.reason) }
    /// `line:column: reason` of each reject.
    var placedReasons: [String] {
        rejects.map { "\($0.position.line):\($0.position.column): \($0.reason)" }
    }

    /// Writes the bytes to a temporary file and reads them.
    static func reading(
        _ bytes: [UInt8],
        name: String = "photos.jsonl",
        options: ImportOptions? = nil,
        limits: ReaderLimits = ReaderLimits(),
        batchLimit: Int = 7
    ) async throws -> ImportOutcome {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: name)
        return try await reading(paths: [path], options: options, limits: limits, batchLimit: batchLimit)
            .withSource(path, named: name)
    }

    static func reading(
        _ text: String,
        name: String = "photos.jsonl",
        map: String = "",
        quoting: Bool? = nil,
        zone: String? = nil
    ) async throws -> ImportOutcome {
        let options = try ImportOptions(
            mapping: FieldMapping(parsing: map),
            quoting: quoting,
            timeZoneName: zone
        )
        return try await reading(Array(text.utf8), name: name, options: options)
    }

    static func reading(
        paths: [String],
        options: ImportOptions? = nil,
        limits: ReaderLimits = ReaderLimits(),
        batchLimit: Int = 1_000
    ) async throws -> ImportOutcome {
        let reader = try RecordReader(paths: paths, options: try options ?? ImportOptions(), limits: limits)
        var outcome = ImportOutcome()
        while let batch = try await reader.nextBatch(limit: batchLimit) {
            outcome.records += batch.records
            outcome.rejects += batch.rejects
            outcome.warnings += batch.warnings
            outcome.warningCounts.merge(batch.warningCounts, uniquingKeysWith: +)
            outcome.bytesConsumed = batch.bytesConsumed
        }
        outcome.unusedPaths = await reader.unusedPaths
        return outcome
    }

    /// Positions name temporary paths; comparisons want the plain name.
    private func withSource(_ path: String, named name: String) -> ImportOutcome {
        var outcome = self
        for index in outcome.rejects.indices { outcome.rejects[index].position.source = name }
        for index in outcome.warnings.indices { outcome.warnings[index].position.source = name }
        return outcome
    }
}

/// A temporary folder that is deleted with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("photostream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// The one record of a line of JSON Lines.
func record(_ json: String) async throws -> PhotoRecord? {
    try await ImportOutcome.reading(json + "\n").records.first
}
