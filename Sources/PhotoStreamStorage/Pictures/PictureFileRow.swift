import GRDB
package import PhotoStreamModel

/// The record of a file that an import of a folder found.
package struct PictureFileRow: Hashable, Sendable {
    /// The state of a file.
    package enum State: UInt8, CaseIterable, Sendable {
        /// Its header was read.
        case read = 0
        /// Its header could not be read; it is not tried again until it changes.
        case failed = 1
        /// It is not a picture.
        case ignored = 2
        /// It is no longer there.
        case vanished = 3
    }

    /// The provisional placeholder and colour of a photo whose picture is not decoded yet.
    package struct Preview: Hashable, Sendable {
        /// The orientation in which it is displayed.
        package let orientation: Orientation
        /// The ThumbHash.
        package let placeholder: [UInt8]
        /// The dominant colour.
        package let color: RGBColor

        /// Creates a preview.
        package init(orientation: Orientation, placeholder: [UInt8], color: RGBColor) {
            (self.orientation, self.placeholder, self.color) = (orientation, placeholder, color)
        }
    }

    /// The row id of the root.
    package var rootID: Int64
    /// The path from the root, without a leading slash.
    package var path: String
    /// The photo that it yielded, if any.
    package var photo: PhotoID?
    /// The length in bytes.
    package var byteCount: Int64
    /// The modification time, in nanoseconds since 1970.
    package var modifiedNanoseconds: Int64
    /// The SHA-256 of its bytes; `nil` if it is not known.
    package var contentHash: [UInt8]?
    /// The earliest modification time seen at the path while the picture had the same size, in nanoseconds since 1970.
    package var earliestNanoseconds: Int64
    /// The size of the photo as displayed, if there is one; only read.
    package private(set) var photoSize: PixelSize?
    /// The names, sizes and times of its sidecars, in a form that is only compared.
    package var sidecars: String
    /// The source of each field that it provided.
    package var fieldSources: [PhotoField: FileFieldSource]
    /// The state.
    package var state: State
    /// The reason of a failure, without the path.
    package var reason: String?
    /// The values of the preview in its header; only written.
    package var preview: Preview?

    /// Creates a row.
    package init(
        rootID: Int64, path: String, photo: PhotoID?, byteCount: Int64, modifiedNanoseconds: Int64,
        contentHash: [UInt8]? = nil, earliestNanoseconds: Int64? = nil, sidecars: String = "",
        fieldSources: [PhotoField: FileFieldSource] = [:], state: State, reason: String? = nil,
        photoSize: PixelSize? = nil
    ) {
        self.photoSize = photoSize
        (self.rootID, self.path, self.photo) = (rootID, path, photo)
        (self.byteCount, self.modifiedNanoseconds, self.sidecars) = (byteCount, modifiedNanoseconds, sidecars)
        (self.contentHash, self.earliestNanoseconds) = (contentHash, earliestNanoseconds ?? modifiedNanoseconds)
        (self.fieldSources, self.state, self.reason) = (fieldSources, state, reason)
    }
}

extension PictureFileRow {
    /// The columns that ``init(_:)`` reads.
    static let columns = """
        pictureFile.rootId, pictureFile.path, photo.externalId, pictureFile.byteCount, pictureFile.modifiedNanoseconds,
        pictureFile.sidecars, pictureFile.fieldSources, pictureFile.state, pictureFile.reason, pictureFile.contentHash,
        pictureFile.earliestNanoseconds, photo.width, photo.height
        """

    /// The tables of ``columns``.
    ///
    /// No index is named, since a file of version 0.2.0 that is open for reading only has a view in place of the table.
    static let tables = "pictureFile LEFT JOIN photo ON photo.id = pictureFile.photoId"

    /// Whether it has the same content as another version of the file, if both contents are known.
    func hasContent(of other: PictureFileRow) -> Bool {
        if let contentHash, let hash = other.contentHash { return contentHash == hash }
        return byteCount == other.byteCount && modifiedNanoseconds == other.modifiedNanoseconds
    }

    /// Reads a row; values that this program never writes are read as if the file had failed.
    init(_ row: RawStatement) {
        self.init(
            rootID: row.integer(0), path: row.text(1), photo: row.optionalText(2).map(PhotoID.init(stored:)),
            byteCount: row.integer(3), modifiedNanoseconds: row.integer(4),
            contentHash: row.isNull(9) || row.bytes(9).count != 32 ? nil : row.bytes(9),
            earliestNanoseconds: row.optionalInteger(10), sidecars: row.text(5),
            fieldSources: FieldSourcesText.decode(row.text(6)),
            state: State(rawValue: UInt8(clamping: row.integer(7))) ?? .failed, reason: row.optionalText(8))
        photoSize = try? PixelSize(width: Int(row.integer(11)), height: Int(row.integer(12)))
    }
}

/// The sources of fields as a JSON object.
enum FieldSourcesText {
    /// Writes sources, in the order of the fields.
    static func encode(_ sources: [PhotoField: FileFieldSource]) -> String? {
        guard !sources.isEmpty else { return nil }
        let members = PhotoField.allCases.compactMap { field in
            sources[field].map { "\"\(field.row.name)\":\"\($0.rawValue)\"" }
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// Reads the result of ``encode(_:)``, ignoring spaces; skips anything else.
    static func decode(_ text: String) -> [PhotoField: FileFieldSource] {
        var sources: [PhotoField: FileFieldSource] = [:]
        for member in text.split(whereSeparator: { "{,}".contains($0) }) {
            let parts = member.split(separator: ":").map { part in
                String(part.filter { $0 != "\"" && !$0.isWhitespace })
            }
            guard parts.count == 2, let source = FileFieldSource(rawValue: parts[1]),
                let field = PhotoField.allCases.first(where: { $0.row.name.description == parts[0] })
            else { continue }
            sources[field] = source
        }
        return sources
    }
}
