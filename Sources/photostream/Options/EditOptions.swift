import ArgumentParser
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The changes to a photo.
///
/// The values form a JSON record that the import's reader parses, so an edit accepts exactly what an import does.
struct EditOptions: ParsableArguments {
    /// A field that `--clear` accepts.
    enum Field: String, CaseIterable, ExpressibleByArgument {
        case caption
        case alt
        case tags
        case takenAt = "taken-at"
        case location
        case position
        case size
        case orientation
        case color
        case contentHash = "content-hash"
        case placeholder
    }

    @Option(parsing: .unconditional, help: ArgumentHelp("The caption.", valueName: "text"))
    var caption: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The alternative text.", valueName: "text"))
    var alt: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The tags.", valueName: "a,b"))
    var tags: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The capture time: RFC 3339, a day, a month or a year.", valueName: "time"))
    var takenAt: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The URL or path of the image.", valueName: "url"))
    var location: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees north.", valueName: "degrees"))
    var latitude: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees east.", valueName: "degrees"))
    var longitude: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The width of the image file.", valueName: "pixels"))
    var width: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The height of the image file.", valueName: "pixels"))
    var height: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The EXIF orientation, 1 to 8.", valueName: "n"))
    var orientation: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("A colour such as #1a2b3c.", valueName: "color"))
    var color: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The hash of the image file.", valueName: "hash"))
    var contentHash: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("A ThumbHash or BlurHash.", valueName: "hash"))
    var placeholder: String?

    @Option(help: ArgumentHelp("Clear a field; may be repeated.", valueName: "field"))
    var clear: [Field] = []

    func validate() throws {
        guard !given.isEmpty || !clear.isEmpty else { throw ValidationError("there is nothing to change") }
        if let field = clear.first(where: { field in given.contains { $0.field == field } }) {
            throw ValidationError("\(field.rawValue) cannot be given and cleared at once")
        }
    }

    /// Returns the record with the given values.
    ///
    /// - Throws: A usage error for a value that an import would reject or drop.
    func record(for id: PhotoID) throws -> JSONRecord {
        try Self.usage { try JSONRecord(JSONObject(json), for: id) }
    }

    /// Returns the changes to a stored photo.
    ///
    /// - Throws: A usage error if a value lacks its counterpart.
    static func changes(_ record: JSONRecord, to stored: Photo) throws -> PhotoRecord {
        try usage { try record.changes(to: stored) }
    }

    private static func usage<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as JSONRefusal {
            throw ValidationError(error.reason)
        }
    }

    private var given: [(key: StaticString, field: Field, value: String)] {
        let options: [(key: StaticString, field: Field, value: String?)] = [
            ("caption", .caption, caption), ("alt", .alt, alt), ("takenAt", .takenAt, takenAt), ("tags", .tags, tags),
            ("location", .location, location), ("latitude", .position, latitude), ("longitude", .position, longitude),
            ("width", .size, width), ("height", .size, height), ("orientation", .orientation, orientation),
            ("color", .color, color), ("contentHash", .contentHash, contentHash),
            ("placeholder", .placeholder, placeholder),
        ]
        return options.compactMap { option in option.value.map { (option.key, option.field, $0) } }
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (key, field, value) in given {
                writer.key(key)
                if field == .tags {
                    writer.array(value.split(separator: ",")) { $0.value($1) }
                } else {
                    writer.value(value)
                }
            }
            for key in clear.flatMap(\.keys) {
                writer.key(key)
                writer.null()
            }
        }
        return writer.bytes
    }
}

extension EditOptions.Field {
    /// The field's names in a record.
    fileprivate var keys: [StaticString] {
        switch self {
        case .caption: ["caption"]
        case .alt: ["alt"]
        case .tags: ["tags"]
        case .takenAt: ["takenAt"]
        case .location: ["location"]
        case .position: ["latitude", "longitude"]
        case .size: ["width", "height"]
        case .orientation: ["orientation"]
        case .color: ["color"]
        case .contentHash: ["contentHash"]
        case .placeholder: ["placeholder"]
        }
    }
}
