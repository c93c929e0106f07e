/// A qualifier of conditions: the table of what `tag:beach`, `rating:>=4` and so on mean.
///
/// Parsing, canonical texts, evaluation and documents read the rows of the table; nothing else lists the qualifiers.
public enum ConditionQualifier: String, CaseIterable, Sendable {
    case tag
    case album
    case stream
    case camera
    case lens
    case folder
    case name
    case text
    case rating
    case taken
    case added
    case near
    case place
    case within
    case type
    case ratio
    case width
    case height
    case has
    case `is`

    /// The kind of a qualifier's values.
    package enum ValueKind: Hashable, Sendable {
        /// A whole text, compared without case and accents; `new*` is the beginning of one.
        case text
        /// A path of names between slashes.
        case path
        /// Words that follow one another in a text; `pro*` is the beginning of one.
        case words
        /// A number with some decimal places, or a range of numbers.
        case number(limits: ClosedRange<Int>, decimalPlaces: Int)
        /// A day, a month, a year, a range of them, or the time until today.
        case days
        /// A place and a distance.
        case circle
        /// A rectangle of latitudes and longitudes.
        case box
        /// A kind of file.
        case fileType
        /// A field of a photo.
        case field
        /// A state of a photo.
        case state
    }

    /// The row of a qualifier.
    package struct Row: Sendable {
        /// The values that it takes.
        package let takes: ValueKind
        /// The meaning, as a sentence.
        package let summary: String
        /// A value for documents and messages.
        package let example: String
        /// All values of a photo that its terms may read; those of one term are ``ConditionTerm/inputs``.
        package let inputs: ConditionInputs

        fileprivate init(_ takes: ValueKind, summary: String, example: String, inputs: ConditionInputs) {
            (self.takes, self.summary, self.example, self.inputs) = (takes, summary, example, inputs)
        }
    }

    /// The row of the qualifier.
    package var row: Row {
        switch self {
        case .tag: Row(.text, summary: "A tag.", example: "beach", inputs: ConditionInputs([.list(.tags)]))
        case .album:
            Row(
                .path, summary: "An album that contains the photo, or an album above that one; `album:*` is any album.",
                example: "Italy/2025", inputs: ConditionInputs([.list(.albums)]))
        case .stream:
            Row(.text, summary: "The stream.", example: "archive", inputs: ConditionInputs(context: .stream))
        case .camera:
            Row(.words, summary: "Words of the camera.", example: "iphone", inputs: ConditionInputs([.text(.camera)]))
        case .lens:
            Row(.words, summary: "Words of the lens.", example: "35mm", inputs: ConditionInputs([.text(.lens)]))
        case .folder:
            Row(
                .path, summary: "A folder at any level above the file, or several, one in another.",
                example: "2019/Italy", inputs: ConditionInputs([.text(.location)]))
        case .name:
            Row(
                .words, summary: "Words of the file name.", example: "IMG_1234",
                inputs: ConditionInputs([.text(.location)]))
        case .text:
            Row(
                .words, summary: "Words of the title, the caption or the alternative text.", example: "harbour",
                inputs: ConditionInputs([.text(.title), .text(.caption), .text(.alt)]))
        case .rating:
            Row(
                .number(limits: PhotoNumber.rating.range, decimalPlaces: 0),
                summary: "The rating, from -1 to 5; a photo without one has 0.", example: ">=4",
                inputs: ConditionInputs([.number(.rating)]))
        case .taken:
            Row(
                .days,
                summary: "The day of the capture time, as a clock at the place showed it. A photo that is dated by its"
                    + " month or year matches if all of its days do.",
                example: "2019..2021-05", inputs: ConditionInputs([.takenAt]))
        case .added:
            Row(
                .days, summary: "The day on which the photo was imported, in the time zone of the server.",
                example: "last-30d", inputs: ConditionInputs(context: .added))
        case .near, .place, .within, .type, .ratio, .width, .height, .has, .is: rowOfPlaceOrPicture
        }
    }

    private var rowOfPlaceOrPicture: Row {
        switch self {
        case .near:
            Row(
                .circle,
                summary: "A place and the greatest distance from it: degrees north, degrees east, km or m.",
                example: "47.37,8.54,20km", inputs: ConditionInputs([.coordinate]))
        case .place:
            Row(
                .words, summary: "Words of a name of the nearest city or its country.", example: "zurich",
                inputs: ConditionInputs([.coordinate]))
        case .within:
            Row(
                .box, summary: "A rectangle: its southern, western, northern and eastern edge in degrees.",
                example: "45.8,5.9,47.8,10.5", inputs: ConditionInputs([.coordinate]))
        case .type:
            Row(
                .fileType, summary: "The kind of the file, by its name; a photo with a duration is a video.",
                example: "raw", inputs: ConditionInputs([.text(.location), .number(.duration)]))
        case .ratio:
            Row(
                .number(limits: 0...100_000, decimalPlaces: 2),
                summary: "Width divided by height, as displayed, rounded to hundredths; `ratio:16/9` is also a number.",
                example: ">2", inputs: ConditionInputs([.size, .orientation]))
        case .width: side("The width, as displayed, in pixels.")
        case .height: side("The height, as displayed, in pixels.")
        case .has:
            Row(
                .field, summary: "A field that has a value.", example: "caption",
                inputs: ConditionInputs(PhotoField.allCases.reduce(into: PhotoFields()) { $0.insert($1) }))
        default:
            Row(
                .state, summary: "A state of the photo.", example: "favourite",
                inputs: ConditionState.allCases.reduce(into: ConditionInputs()) { $0.formUnion($1.row.inputs) })
        }
    }

    private func side(_ summary: String) -> Row {
        Row(
            .number(limits: 1...Int(PixelSize.maximumSide), decimalPlaces: 0), summary: summary, example: ">=4000",
            inputs: ConditionInputs([.size, .orientation]))
    }

    /// The meaning, as a sentence.
    package var summary: String { row.summary }

    /// Whether a reader who sees only some values of a photo can use the qualifier.
    func isKnown(reading readable: ConditionInputs) -> Bool {
        names(reading: readable).map { !$0.isEmpty } ?? row.inputs.isSubset(of: readable)
    }

    /// The values of the fixed list from which a value is chosen; `nil` if there is none.
    package var names: [String]? { names(reading: .all) }

    /// The values of the fixed list that read no others than some values of a photo; `nil` if there is no list.
    func names(reading readable: ConditionInputs) -> [String]? {
        switch row.takes {
        case .fileType: row.inputs.isSubset(of: readable) ? ConditionFileType.allCases.map(\.rawValue) : []
        case .field: PhotoField.allCases.filter(readable.fields.contains).map(\.row.name.description)
        case .state: ConditionState.allCases.filter { $0.row.inputs.isSubset(of: readable) }.map(\.rawValue)
        case .text, .path, .words, .number, .days, .circle, .box: nil
        }
    }

    /// The values that are accepted, as the end of "Expected …".
    var expectation: String { expectation(reading: .all) }

    /// The values that are accepted of a reader who sees only some values of a photo, as the end of "Expected …".
    func expectation(reading readable: ConditionInputs) -> String {
        switch row.takes {
        case .text, .path, .words: "a value, such as \(rawValue):\(row.example)"
        case .number(let limits, let places):
            "a number from \(FixedDecimal.text(limits.lowerBound, places: places)) to"
                + " \(FixedDecimal.text(limits.upperBound, places: places)), or a range such as 2..4, 2.. or >=2"
        case .days: "a date such as 2021, 2021-05 or 2021-05-17, a range such as 2019..2021-05 or >=2020, or last-30d"
        case .circle: "degrees north, degrees east and a distance in km or m, such as \(row.example)"
        case .box: "the southern, western, northern and eastern edge in degrees, such as \(row.example)"
        case .fileType, .field, .state: "one of \((names(reading: readable) ?? []).joined(separator: ", "))"
        }
    }
}
