/// A field of a photo: the table of what records set, people edit and clients read.
///
/// Each field has one ``Row``. The texts and the numbers of a photo are listed in this file and nowhere else: a record,
/// a packed photo, an import, an edit, an export, a statement and an answer treat all of them alike, by their rows. The
/// other fields have rules of their own.
public enum PhotoField: Hashable, Sendable, CaseIterable {
    /// Width and height.
    case size
    /// The raw orientation.
    case orientation
    /// The capture time.
    case takenAt
    /// The tags.
    case tags
    /// Latitude and longitude.
    case coordinate
    /// The colour shown until the image is loaded.
    case color
    /// A text.
    case text(PhotoText)
    /// A whole number.
    case number(PhotoNumber)

    /// The row of a field.
    public struct Row: Sendable {
        /// The JSON type of a member.
        public enum ValueType: Sendable {
            case text
            case texts
            case integer
            case number
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
        /// The JSON type of each member.
        public let type: ValueType
        /// The columns of the table `photo`.
        public let columns: [StaticString]
    }

    /// All fields in the order of their bits, which is the order in which answers show them.
    public static let allCases: [PhotoField] =
        ([.size, .orientation, .takenAt, .tags, .coordinate, .color]
        + PhotoText.allCases.map { .text($0) } + PhotoNumber.allCases.map { .number($0) })
        .sorted { $0.bit < $1.bit }

    /// The row of the field.
    public var row: Row {
        switch self {
        case .size:
            row("size", type: .number, members: ["width", "height"], columns: ["width", "height", "metricsSource"])
        case .orientation: row("orientation", type: .integer)
        case .takenAt:
            row("takenAt", type: .text, columns: ["takenAtMilliseconds", "utcOffsetMinutes", "takenAtPrecision"])
        case .tags: row("tags", type: .texts)
        case .coordinate: row("position", type: .number, members: ["latitude", "longitude"])
        case .color: row("color", type: .text)
        case .text(.caption): row("caption", type: .text, columns: ["caption", "captionSource"])
        case .text(let text): row(text.name, type: .text)
        case .number(let number): row(number.name, type: .integer)
        }
    }

    /// The field's bit; see ``Row/bit``.
    public var bit: UInt8 {
        switch self {
        case .size: 0
        case .orientation: 1
        case .takenAt: 2
        case .tags: 5
        case .coordinate: 7
        case .color: 10
        case .text(let text): text.row.bit
        case .number(let number): number.row.bit
        }
    }

    /// Creates a row; by default, it has one member, which is named like the field, and one column for each member.
    private func row(
        _ name: StaticString, type: Row.ValueType, members: [StaticString]? = nil, columns: [StaticString]? = nil
    ) -> Row {
        let members = members ?? [name]
        return Row(name: name, bit: bit, members: members, type: type, columns: columns ?? members)
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
        }
    }

    /// The texts in the order of their raw values, which begin with 0: created once, because every photo needs them.
    public static let allCases = (0..<64).compactMap(PhotoText.init(rawValue:))

    /// The number of texts.
    package static let count = allCases.count
}

/// A whole number of a photo.
///
/// A number out of range is left out of an import with a warning; an edit with it fails.
public enum PhotoNumber: Int, CaseIterable, Sendable {
    /// The rating: -1 rejected, 0 unrated, 5 best.
    case rating

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
        /// The values that are accepted.
        let range: ClosedRange<Int32>
    }

    /// The row of the number.
    var row: Row {
        switch self {
        case .rating:
            Row(
                name: "rating", bit: 11, noun: "a rating", summary: "The rating: -1 rejected, 0 unrated, 1 to 5.",
                range: -1...5)
        }
    }

    /// The numbers in the order of their raw values, which begin with 0.
    public static let allCases = (0..<64).compactMap(PhotoNumber.init(rawValue:))

    /// The number of numbers.
    package static let count = allCases.count
}

/// One value for each text of a photo.
public struct PerText<Value> {
    /// The caption, never blank.
    public var caption: Value
    /// The alternative text.
    public var alt: Value
    /// The URL or path of the image.
    public var location: Value
    /// The hash of the image file's bytes, in the source's own notation.
    public var contentHash: Value
    /// A ThumbHash or BlurHash as text.
    public var placeholder: Value
    /// The title.
    public var title: Value
    /// The camera that took it.
    public var camera: Value

    /// Creates equal values.
    @inlinable
    public init(repeating value: Value) {
        (caption, alt, location, contentHash, placeholder) = (value, value, value, value, value)
        (title, camera) = (value, value)
    }

    /// The value of a text.
    @inlinable
    public subscript(text: PhotoText) -> Value {
        get {
            switch text {
            case .caption: caption
            case .alt: alt
            case .location: location
            case .contentHash: contentHash
            case .placeholder: placeholder
            case .title: title
            case .camera: camera
            }
        }
        set {
            switch text {
            case .caption: caption = newValue
            case .alt: alt = newValue
            case .location: location = newValue
            case .contentHash: contentHash = newValue
            case .placeholder: placeholder = newValue
            case .title: title = newValue
            case .camera: camera = newValue
            }
        }
    }
}

/// One value for each number of a photo.
public struct PerNumber<Value> {
    /// The rating: -1 rejected, 0 unrated, 1 to 5.
    public var rating: Value

    /// Creates equal values.
    @inlinable
    public init(repeating value: Value) {
        rating = value
    }

    /// The value of a number.
    @inlinable
    public subscript(number: PhotoNumber) -> Value {
        get {
            switch number {
            case .rating: rating
            }
        }
        set {
            switch number {
            case .rating: rating = newValue
            }
        }
    }
}

extension PerText: Sendable where Value: Sendable {}
extension PerText: Equatable where Value: Equatable {}
extension PerText: Hashable where Value: Hashable {}
extension PerNumber: Sendable where Value: Sendable {}
extension PerNumber: Equatable where Value: Equatable {}
extension PerNumber: Hashable where Value: Hashable {}
