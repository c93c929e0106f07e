/// The options that an import reads its sources with.
public struct ImportOptions: Sendable {
    /// The format of every source, or ``ImportFormat/auto`` to find it out for each.
    public let format: ImportFormat
    /// Where the fields are read from.
    public let mapping: FieldMapping
    /// Whether quotes enclose cells (RFC 4180) or are plain characters; `nil` for the habit of the format: CSV has quoting,
    /// TSV has not.
    public let quoting: Bool?
    /// The zone of capture times without an offset; `nil` keeps them as local times with an unknown offset.
    public let timeZoneName: String?

    let zone: CaptureZone?

    /// Checks and bundles options.
    ///
    /// - Throws: ``ImportError`` when the time zone is unknown.
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
            throw ImportError("There is no time zone \"\(timeZoneName)\"; a name is such as Europe/Berlin or UTC.")
        }
        self.zone = zone
    }

    /// Whether quotes enclose cells in a format.
    func usesQuoting(in format: ImportFormat) -> Bool { quoting ?? (format == .csv) }
}
