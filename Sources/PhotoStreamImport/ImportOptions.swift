/// How an import reads its sources.
package struct ImportOptions: Sendable {
    /// The format of every source, or ``ImportFormat/auto`` to find it out for each.
    package let format: ImportFormat
    /// Where the fields are read from.
    package let mapping: FieldMapping
    /// Whether quotes in CSV and TSV enclose cells (RFC 4180); else they are characters like any other.
    package let usesQuoting: Bool
    /// The zone of capture times without an offset; `nil` keeps them as local times with an unknown offset.
    package let timeZoneName: String?

    let zone: CaptureZone?

    /// Checks and bundles options.
    ///
    /// - Throws: ``ImportError`` when the time zone is unknown.
    package init(
        format: ImportFormat = .auto,
        mapping: FieldMapping = .native,
        usesQuoting: Bool = true,
        timeZoneName: String? = nil
    ) throws(ImportError) {
        self.format = format
        self.mapping = mapping
        self.usesQuoting = usesQuoting
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
}
