/// A field of a photo: the table of what records set, people edit and clients read.
///
/// Each field has one ``Row``. The texts, the numbers, the lists and the flags of a photo are listed in this file and
/// nowhere else: a record, a packed photo, an import, an edit, an export, a statement and an answer treat all of them
/// alike, by their rows. The other fields have rules of their own.
public enum PhotoField: Hashable, Sendable, CaseIterable {
    /// Width and height.
    case size
    /// The raw orientation.
    case orientation
    /// The capture time, with its source.
    case takenAt
    /// Latitude and longitude.
    case coordinate
    /// The colour shown until the image is loaded.
    case color
    /// The place in a stack.
    case stack
    /// A text.
    case text(PhotoText)
    /// A number.
    case number(PhotoNumber)
    /// A list of texts.
    case list(PhotoList)
    /// A flag.
    case flag(PhotoFlag)

    /// The row of a field.
    public struct Row: Sendable {
        /// The JSON type of a member.
        public enum ValueType: Sendable {
            case text
            case texts
            case integer
            case number
            case flag
        }

        /// The name by which commands clear the field.
        public let name: StaticString
        /// The field's bit in ``PhotoFields``.
        ///
        /// Files contain it, so it never changes and is never reused. Other data of each field, such as the source of
        /// its value, uses the same number.
        public let bit: UInt8
        /// The members of a photo in JSON, which are also the columns of a CSV file.
        public let members: [StaticString]
        /// The JSON types of the members, in their order.
        public let types: [ValueType]
        /// The columns of the table `photo`.
        public let columns: [StaticString]
    }

    /// All fields in the order of their bits, which is the order in which answers show them.
    public static let allCases: [PhotoField] =
        ([.size, .orientation, .takenAt, .coordinate, .color, .stack]
        + PhotoText.allCases.map { .text($0) } + PhotoNumber.allCases.map { .number($0) }
        + PhotoList.allCases.map { .list($0) } + PhotoFlag.allCases.map { .flag($0) })
        .sorted { $0.bit < $1.bit }

    /// The row of the field.
    public var row: Row {
        switch self {
        case .size:
            row("size", type: .number, members: ["width", "height"], columns: ["width", "height", "metricsSource"])
        case .orientation: row("orientation", type: .integer)
        case .takenAt:
            row(
                "takenAt", type: .text,
                columns: ["takenAtMilliseconds", "utcOffsetMinutes", "takenAtPrecision", "takenAtSource"])
        case .coordinate: row("position", type: .number, members: ["latitude", "longitude"])
        case .color: row("color", type: .text)
        case .stack:
            Row(
                name: "stack", bit: bit, members: ["stack", "stackRank", "stackKind"], types: [.text, .integer, .text],
                columns: ["stack", "stackRank", "stackKind"])
        case .text(.caption): row("caption", type: .text, columns: ["caption", "captionSource"])
        case .text(let text): row(text.name, type: .text)
        case .number(let number): row(number.name, type: number.isWhole ? .integer : .number)
        case .list(let list): row(list.name, type: .texts)
        case .flag(let flag): row(flag.name, type: .flag)
        }
    }

    /// The field's bit; see ``Row/bit``.
    public var bit: UInt8 {
        switch self {
        case .size: 0
        case .orientation: 1
        case .takenAt: 2
        case .coordinate: 7
        case .color: 10
        case .stack: 22
        case .text(let text): text.row.bit
        case .number(let number): number.row.bit
        case .list(let list): list.row.bit
        case .flag(let flag): flag.row.bit
        }
    }

    /// Creates a row; by default, it has one member, which is named like the field, and one column for each member.
    private func row(
        _ name: StaticString, type: Row.ValueType, members: [StaticString]? = nil, columns: [StaticString]? = nil
    ) -> Row {
        let members = members ?? [name]
        return Row(
            name: name, bit: bit, members: members, types: members.map { _ in type }, columns: columns ?? members)
    }
}

/// A text of a photo.
///
/// A text that is too long or contains U+0000 is left out of an import with a warning; an edit with it fails. Rows that
/// already contain longer texts are left unchanged.
public enum PhotoText: Int, CaseIterable, Sendable {
    /// The caption, never blank. Layouts reserve room for it.
    case caption
    /// The alternative text.
    case alt
    /// The URL or path of the image.
    case location
    /// The hash of the image file's bytes, in the source's own notation.
    case contentHash
    /// A ThumbHash or BlurHash as text.
    case placeholder
    /// The title.
    case title
    /// The camera.
    case camera
    /// The lens.
    case lens
    /// The coding of a video.
    case codec

    /// The row of a text.
    struct Row {
        /// The name in JSON, of the column in a CSV file and in the table `photo`.
        let name: StaticString
        /// See ``PhotoField/Row/bit``.
        let bit: UInt8
        /// The name of the text in error messages.
        let noun: String
        /// The meaning, in the documentation of answers.
        let summary: String
        /// The maximum length in bytes of UTF-8.
        var maximumByteCount = 4 * 1_024
    }

    /// The row of the text.
    var row: Row {
        switch self {
        case .caption:
            Row(name: "caption", bit: 3, noun: "the caption", summary: "The caption.", maximumByteCount: 64 * 1_024)
        case .alt: Row(name: "alt", bit: 4, noun: "the alternative text", summary: "The alternative text.")
        case .location:
            Row(name: "location", bit: 6, noun: "the location", summary: "The URL or path of the picture.")
        case .contentHash:
            Row(name: "contentHash", bit: 8, noun: "the content hash", summary: "The hash of the picture file's bytes.")
        case .placeholder:
            Row(name: "placeholder", bit: 9, noun: "the placeholder", summary: "A ThumbHash or BlurHash, as text.")
        case .title: Row(name: "title", bit: 12, noun: "the title", summary: "The title.")
        case .camera: Row(name: "camera", bit: 13, noun: "the camera", summary: "The camera that took it.")
        case .lens: Row(name: "lens", bit: 14, noun: "the lens", summary: "The lens that took it.")
        case .codec:
            Row(name: "codec", bit: 21, noun: "the codec", summary: "The codec of a video, such as `avc1` or `hvc1`.")
        }
    }

    /// The texts in the order of their raw values, which begin with 0: created once, because every photo needs them.
    public static let allCases = (0..<64).compactMap(PhotoText.init(rawValue:))

    /// The number of texts.
    package static let count = allCases.count
}

/// A number of a photo.
///
/// It is stored as a whole number, in units of its last decimal place: an aperture of 1.78 is 178. Records, edits and
/// answers contain the decimal. A number out of range is left out of an import with a warning; an edit with it fails.
public enum PhotoNumber: Int, CaseIterable, Sendable {
    /// The rating: -1 rejected, 0 unrated, 5 best.
    case rating
    /// The ISO speed.
    case iso
    /// The f-number, in hundredths.
    case aperture
    /// The exposure time, in microseconds.
    case exposureTime
    /// The focal length of the lens itself, in hundredths of a millimetre.
    case focalLength
    /// The length of a video, in milliseconds; a photo with one is a video.
    case duration

    /// The row of a number.
    struct Row {
        /// The name in JSON, of the column in a CSV file and in the table `photo`.
        let name: StaticString
        /// See ``PhotoField/Row/bit``.
        let bit: UInt8
        /// The name of the number in error messages.
        let noun: String
        /// The meaning, in the documentation of answers.
        let summary: String
        /// The number of decimal places that are stored.
        var decimalPlaces = 0
        /// The unit that may follow the number in a record.
        var unit = ""
        /// The values that are accepted, in units of the last decimal place.
        let range: ClosedRange<Int32>
    }

    /// The row of the number.
    var row: Row {
        switch self {
        case .rating:
            Row(
                name: "rating", bit: 11, noun: "a rating", summary: "The rating: -1 rejected, 0 unrated, 1 to 5.",
                range: -1...5)
        case .iso:
            Row(name: "iso", bit: 15, noun: "an ISO speed", summary: "The ISO speed.", range: 1...10_000_000)
        case .aperture:
            Row(
                name: "aperture", bit: 16, noun: "an f-number", summary: "The f-number.", decimalPlaces: 2,
                range: 1...100_000)
        case .exposureTime:
            Row(
                name: "exposureTime", bit: 17, noun: "an exposure time in seconds",
                summary: "The exposure time, in seconds.", decimalPlaces: 6, unit: "s", range: 1...2_147_000_000)
        case .focalLength:
            Row(
                name: "focalLength", bit: 18, noun: "a focal length in millimetres",
                summary: "The focal length of the lens, in millimetres.", decimalPlaces: 2, unit: "mm",
                range: 1...100_000_000)
        case .duration:
            Row(
                name: "duration", bit: 20, noun: "a duration in seconds",
                summary: "The length of a video, in seconds; a photo with one is a video.", decimalPlaces: 3,
                unit: "s", range: 0...2_147_000_000)
        }
    }

    /// The numbers in the order of their raw values, which begin with 0.
    public static let allCases = (0..<64).compactMap(PhotoNumber.init(rawValue:))

    /// The number of numbers.
    package static let count = allCases.count
}

/// A list of texts of a photo, each one text, in order.
///
/// A list that is too long, or contains a text that is, is left out of an import with a warning; an edit with it fails.
public enum PhotoList: Int, CaseIterable, Sendable {
    /// The tags.
    case tags
    /// The names of the people in the picture.
    case people
    /// The paths of the albums that contain it, such as `Italy/2025`: see ``PhotoAlbum``.
    case albums

    /// The row of a list.
    struct Row {
        /// The name in JSON, of the column in a CSV file and in the table `photo`.
        let name: StaticString
        /// See ``PhotoField/Row/bit``.
        let bit: UInt8
        /// The name of an element in error messages.
        let noun: String
        /// The meaning, in the documentation of answers.
        let summary: String
        /// The maximum length of one element, in bytes of UTF-8.
        var maximumByteCount = 4 * 1_024
        /// The maximum length of all elements together, in bytes of UTF-8.
        var maximumTotalByteCount = 64 * 1_024
    }

    /// The row of the list.
    var row: Row {
        switch self {
        case .tags: Row(name: "tags", bit: 5, noun: "a tag", summary: "The tags.")
        case .people:
            Row(name: "people", bit: 19, noun: "a person", summary: "The people in the picture, by name.")
        case .albums:
            Row(
                name: "albums", bit: 24, noun: "an album", summary: "The albums that contain it, by path.",
                maximumByteCount: PhotoAlbum.maximumByteCount)
        }
    }

    /// The lists in the order of their raw values, which begin with 0.
    public static let allCases = (0..<64).compactMap(PhotoList.init(rawValue:))

    /// The number of lists.
    package static let count = allCases.count
}

/// A flag of a photo, which is set or not.
public enum PhotoFlag: Int, CaseIterable, Sendable {
    /// It is a favourite.
    case favourite
    /// It is archived: views leave it out unless a condition mentions `is:archived`.
    case archived

    /// The row of a flag.
    struct Row {
        /// The name in JSON, of the column in a CSV file and in the table `photo`.
        let name: StaticString
        /// See ``PhotoField/Row/bit``.
        let bit: UInt8
        /// The meaning, in the documentation of answers.
        let summary: String
    }

    /// The row of the flag.
    var row: Row {
        switch self {
        case .favourite: Row(name: "favourite", bit: 23, summary: "True if it is a favourite.")
        case .archived: Row(name: "archived", bit: 25, summary: "True if it is archived.")
        }
    }

    /// The flags in the order of their raw values, which begin with 0.
    public static let allCases = (0..<64).compactMap(PhotoFlag.init(rawValue:))

    /// The number of flags.
    package static let count = allCases.count
}
