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

    /// The row id, which stays if the file gets another path; `nil` until it is stored.
    package var rowID: Int64?
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
    /// Its content; `nil` if it is not known.
    package var content: KnownContent?
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
    /// The reason of a failure, without the path; of a vanished file, the time at which that was found, as a number.
    package var reason: String?
    /// The kinds of metadata that were left out or could not be read.
    package var warnings: Set<FileWarning> = []
    /// The version of the reader that has read it; 0 before version 0.3.0.
    package var reader = 0
    /// The values of the preview in its header; only written.
    package var preview: Preview?
    /// The kind, for the rules of stacks.
    package var kind = StackCandidate.FileKind.still
    /// The identifier that a live photo and its film share.
    package var contentIdentifier: String?
    /// The identifier that the pictures of a burst share.
    package var burst: String?
    /// The bytes that are the film of a motion photo; `nil` if there is none.
    package var film: Range<Int64>?

    /// Creates a row.
    package init(
        rootID: Int64, path: String, photo: PhotoID?, byteCount: Int64, modifiedNanoseconds: Int64,
        content: KnownContent? = nil, earliestNanoseconds: Int64? = nil, sidecars: String = "",
        fieldSources: [PhotoField: FileFieldSource] = [:], state: State, reason: String? = nil,
        photoSize: PixelSize? = nil
    ) {
        self.photoSize = photoSize
        (self.rootID, self.path, self.photo) = (rootID, path, photo)
        (self.byteCount, self.modifiedNanoseconds, self.sidecars) = (byteCount, modifiedNanoseconds, sidecars)
        (self.content, self.earliestNanoseconds) = (content, earliestNanoseconds ?? modifiedNanoseconds)
        (self.fieldSources, self.state, self.reason) = (fieldSources, state, reason)
    }
}

extension PictureFileRow {
    /// The time at which an import found that the file has vanished, in milliseconds since 1970; `nil` if it has not, or a
    /// version before 0.3.0 found it.
    package var vanishedAtMilliseconds: Int64? { state == .vanished ? reason.flatMap { Int64($0) } : nil }

    /// The columns that ``init(_:)`` reads.
    static let columns = """
        pictureFile.rootId, pictureFile.path, photo.externalId, pictureFile.byteCount, pictureFile.modifiedNanoseconds,
        pictureFile.sidecars, pictureFile.fieldSources, pictureFile.state, pictureFile.reason, pictureFile.contentHash,
        pictureFile.earliestNanoseconds, photo.width, photo.height, pictureFile.warnings, pictureFile.reader,
        pictureFile.kind, pictureFile.contentIdentifier, pictureFile.burst, pictureFile.id, pictureFile.contentKind,
        pictureFile.filmStart, pictureFile.filmEnd
        """
    /// The number of ``columns``.
    static let columnCount: Int32 = 22

    /// The tables of ``columns``.
    ///
    /// No index is named, since a file of version 0.2.0 that is open for reading only has a view in place of the table.
    static let tables = "pictureFile LEFT JOIN photo ON photo.id = pictureFile.photoId"

    /// Whether it has a content; of another version of the file, if either content is not known.
    func hasContent(_ content: FileContent?, of other: PictureFileRow) -> Bool {
        if let known = self.content, let content { return known.isOf(content) }
        return byteCount == other.byteCount && modifiedNanoseconds == other.modifiedNanoseconds
    }

    /// Reads a row; values that this program never writes are read as if the file had failed.
    init(_ row: RawStatement) {
        self.init(
            rootID: row.integer(0), path: row.text(1), photo: row.optionalText(2).map(PhotoID.init(stored:)),
            byteCount: row.integer(3), modifiedNanoseconds: row.integer(4),
            content: row.isNull(9) || row.bytes(9).count != FileContent.hashByteCount
                ? nil : KnownContent(row.bytes(9), of: row.integer(19) == 1 ? .picture : .allBytes),
            earliestNanoseconds: row.optionalInteger(10), sidecars: row.text(5),
            fieldSources: FieldSourcesText.decode(row.text(6)),
            state: State(rawValue: UInt8(clamping: row.integer(7))) ?? .failed, reason: row.optionalText(8))
        photoSize = try? PixelSize(width: Int(row.integer(11)), height: Int(row.integer(12)))
        warnings = FileWarning.kinds(in: row.integer(13))
        reader = Int(row.integer(14))
        kind = StackCandidate.FileKind(rawValue: UInt8(clamping: row.integer(15))) ?? .still
        (contentIdentifier, burst) = (row.optionalText(16), row.optionalText(17))
        rowID = row.integer(18)
        if let start = row.optionalInteger(20), let end = row.optionalInteger(21), 0 <= start, start < end {
            film = start..<end
        }
    }
}

extension FileWarning {
    /// Returns the kinds whose bits are set.
    static func kinds(in bits: Int64) -> Set<FileWarning> { Set(allCases.filter { bits >> $0.rawValue & 1 == 1 }) }

    /// Returns a number with the bits of some kinds.
    static func bits(of kinds: Set<FileWarning>) -> Int { kinds.reduce(0) { $0 | 1 << $1.rawValue } }
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
