/// The options of an import.
///
///     let options = try ImportOptions(
///         format: .csv, mapping: try FieldMapping(parsing: "id=flickr_id,takenAt=year"), timeZoneName: "Europe/Berlin"
///     )
///     let imported = try await PhotoImport([source], into: holidays, options: options, of: service).run()
public struct ImportOptions: Sendable {
    /// The format of every source; ``ImportFormat/auto`` detects it for each.
    public let format: ImportFormat
    /// The columns or paths of the fields.
    public let mapping: FieldMapping
    /// Whether quotes enclose cells (RFC 4180) or are plain characters; `nil` for the format's default: CSV uses
    /// quoting, TSV does not.
    public let quoting: Bool?
    /// The zone of capture times without an offset; `nil` leaves their offset unknown.
    public let timeZoneName: String?

    let zone: CaptureZone?

    /// Creates validated options.
    ///
    /// - Throws: ``ImportError`` if the time zone is unknown.
    public init(
        format: ImportFormat = .auto,
        mapping: FieldMapping = .native,
        quoting: Bool? = nil,
        timeZoneName: String? = nil
    ) throws(ImportError) {
        self.format = format
        self.mapping = mapping
        self.quoting = quoting
        self.timeZoneName = timeZoneName
        guard let timeZoneName else {
            zone = nil
            return
        }
        guard let zone = CaptureZone(name: timeZoneName) else {
            throw ImportError("There is no time zone \"\(timeZoneName)\"; use a name such as Europe/Berlin or UTC.")
        }
        self.zone = zone
    }

    /// Whether quotes enclose the cells of a format.
    func usesQuoting(in format: ImportFormat) -> Bool { quoting ?? (format == .csv) }
}

/// The format of a source.
public enum ImportFormat: String, Sendable, CaseIterable {
    /// Detected by the file's extension, or else by its first line.
    case auto
    /// JSON Lines: one object per line.
    case jsonl
    /// A JSON array of objects, or one or more consecutive objects.
    case json
    /// Comma-separated cells with a header row.
    case csv
    /// Tab-separated cells with a header row.
    case tsv
}

/// The reason why an import cannot start or continue.
///
/// An invalid record is an ``ImportReject`` instead.
public struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A full sentence that names the path, option or column at fault.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
