public import ArgumentParser
import PhotoStreamImport
public import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The changes to a photo.
///
/// The values form a JSON record that the import's reader parses, so an edit accepts exactly the values of an import.
struct EditOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("The caption.", valueName: "text"))
    var caption: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The alternative text.", valueName: "text"))
    var alt: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
    var title: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The rating, -1 to 5.", valueName: "n"))
    var rating: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Whether it is a favourite.", valueName: "true|false"))
    var favourite: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Whether it is archived.", valueName: "true|false"))
    var archived: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The tags.", valueName: "a,b"))
    var tags: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The names of the people in it.", valueName: "a,b"))
    var people: String?

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

    @Option(parsing: .unconditional, help: ArgumentHelp("The camera.", valueName: "text"))
    var camera: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The albums that contain it, by path.", valueName: "a,b/c"))
    var albums: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The lens.", valueName: "text"))
    var lens: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The ISO speed.", valueName: "n"))
    var iso: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The f-number.", valueName: "n"))
    var aperture: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The exposure time: a decimal or a fraction such as 1/250.", valueName: "seconds"))
    var exposureTime: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The focal length of the lens itself.", valueName: "mm"))
    var focalLength: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The length of a video.", valueName: "seconds"))
    var duration: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The codec of a video.", valueName: "text"))
    var codec: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The name of a stack.", valueName: "text"))
    var stack: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The rank in the stack; 0 is the cover.", valueName: "n"))
    var stackRank: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The reason for the stack: live, raw, edited, burst or manual.", valueName: "kind"))
    var stackKind: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The hash of the image file.", valueName: "hash"))
    var contentHash: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("A ThumbHash or BlurHash.", valueName: "hash"))
    var placeholder: String?

    @Option(help: ArgumentHelp("Clear a field; may be repeated.", valueName: "field"))
    var clear: [PhotoField] = []

    func validate() throws {
        guard !given.isEmpty || !clear.isEmpty else { throw ValidationError("there is nothing to change") }
        let givenFields = Set(given.map(\.field))
        if let field = clear.first(where: { !givenFields.isDisjoint(with: ImportField.fields(of: $0)) }) {
            throw ValidationError("\(field.optionName) cannot be given and cleared at once")
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

    /// The option of each field of a record, except the id.
    private var options: [(field: ImportField, value: String?)] {
        [
            (.text(.caption), caption), (.text(.alt), alt), (.takenAt, takenAt), (.list(.tags), tags),
            (.text(.location), location), (.latitude, latitude), (.longitude, longitude), (.width, width),
            (.height, height), (.orientation, orientation), (.color, color), (.text(.contentHash), contentHash),
            (.text(.placeholder), placeholder), (.text(.title), title), (.text(.camera), camera),
            (.number(.rating), rating), (.list(.people), people), (.list(.albums), albums), (.text(.lens), lens),
            (.number(.iso), iso),
            (.number(.aperture), aperture), (.number(.exposureTime), exposureTime),
            (.number(.focalLength), focalLength), (.number(.duration), duration), (.text(.codec), codec),
            (.stack, stack), (.stackRank, stackRank), (.stackKind, stackKind), (.flag(.favourite), favourite),
            (.flag(.archived), archived),
        ]
    }

    private var given: [(field: ImportField, value: String)] {
        options.compactMap { option in option.value.map { (option.field, $0) } }
    }

    private var json: [UInt8] {
        let values = given.map { field, value -> (String, (any WireValue)?) in
            guard case .list = field else { return (field.rawValue, value) }
            return (field.rawValue, value.split(separator: ",").map(String.init))
        }
        let cleared = clear.flatMap(ImportField.fields).map { field -> (String, (any WireValue)?) in
            (field.rawValue, nil)
        }
        return JSONWriter.bytes { $0.value(JSONMembers(values + cleared)) }
    }
}

extension PhotoField: ExpressibleByArgument {
    /// Creates a field from its name as an option or in JSON, such as `taken-at` or `takenAt`.
    public init?(argument: String) {
        let found = Self.allCases.first { $0.optionName == argument || $0.row.name.description == argument }
        guard let field = found else { return nil }
        self = field
    }

    /// The names of all fields as options.
    public static var allValueStrings: [String] { allCases.map(\.optionName) }

    /// The name as an option.
    public var defaultValueDescription: String { optionName }

    /// The name in lower case, with hyphens between words.
    var optionName: String { row.name.words(separator: "-") }
}

extension StaticString {
    /// Returns the words of a name such as `contentHash`, in lower case.
    func words(separator: String) -> String {
        description.map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
    }
}
