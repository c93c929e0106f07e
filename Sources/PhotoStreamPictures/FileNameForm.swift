/// A form of the names that an app or a camera gives to its files.
///
/// A pattern is compared from the start of a name, ignoring case. Its directives are
///
/// | directive | text in the name |
/// |---|---|
/// | `%P` | up to two words of letters, each followed by a space, `_` or `-` |
/// | `%W`, `%N` | letters, digits |
/// | `%Y` `%m` `%d` | the digits of a year, a month and a day |
/// | `%H` `%I` `%M` `%S` `%f` | those of an hour of 24 or 12, a minute, a second and its milliseconds |
/// | `%p` | AM or PM, also `p.m.`, with or without a space before it |
/// | `%Q` | 13 digits: milliseconds since 1970 |
/// | `%-` `%:` | nothing, `-`, `_` or `.`, the same throughout a date or a time; in a time also `:` |
/// | `%j` | the text between a day and a time: a space, `_`, `-`, `T`, or a word such as ` at ` |
struct FileNameForm: Sendable {
    /// The app or the kind of camera.
    let name: String
    /// A name of this form.
    let example: String
    /// The beginnings of such names.
    let patterns: [String]
    /// Whether the digits are a time in UTC.
    var isUTC = false

    /// The known forms.
    ///
    /// The first that a name has decides, so that a name with an impossible time has no date.
    static let all = [
        FileNameForm(name: "Facebook", example: "FB_IMG_1699111812345.jpg", patterns: ["FB_IMG_%Q"], isUTC: true),
        FileNameForm(
            name: "Pixel", example: "PXL_20231104_153012345.MP.jpg", patterns: ["PXL_%Y%m%d_%H%M%S%f"], isUTC: true),
        FileNameForm(
            name: "burst of a Sony phone", example: "DSC_0001_BURST20230709220904977.JPG",
            patterns: ["DSC_%N_BURST%Y%m%d%H%M%S%f"]),
        FileNameForm(
            name: "burst of Google Camera", example: "00100lrPORTRAIT_00100_BURST20230709220904977_COVER.jpg",
            patterns: ["%N%W_%N_BURST%Y%m%d%H%M%S%f"]),
        FileNameForm(
            name: "WhatsApp or macOS with a clock of twelve hours", example: "Screen Shot 2023-11-04 at 3.30.12 PM.png",
            patterns: ["%P%Y%-%m%-%d%j%I%:%M%:%S%p"]),
        FileNameForm(
            name: "Signal, or a screenshot of Xiaomi", example: "signal-2023-11-04-15-30-12-345.jpg",
            patterns: ["%P%Y-%m-%d-%H-%M-%S-%f"]),
        FileNameForm(
            name: "Camera360", example: "C360_2023-11-04-15-30-12-345.jpg",
            patterns: ["C360_%Y-%m-%d-%H-%M-%S-%f", "C360_%Y-%m-%d-%H-%M-%S"]),
        FileNameForm(
            name: "a camera with milliseconds", example: "IMG_20231104_153012345.jpg",
            patterns: ["%P%Y%-%m%-%d%j%H%:%M%:%S%f"]),
        FileNameForm(
            name: "WhatsApp, Telegram, Dropbox, Windows, phones and others with a time",
            example: "WhatsApp Image 2023-11-04 at 15.30.12.jpeg", patterns: ["%P%Y%-%m%-%d%j%H%:%M%:%S"]),
        FileNameForm(name: "any with a day", example: "IMG-20231104-WA0001.jpg", patterns: ["%P%Y%-%m%-%d"]),
    ]
}

/// The parts of a time that a name contains.
struct FileNameFields: Equatable {
    /// The numbers by the letters of their directives.
    var numbers: [Unicode.Scalar: Int] = [:]
    /// Whether the name has PM; `nil` if it has neither.
    var isAfternoon: Bool?
    /// The text between the parts of the date; empty for none.
    var dateSeparator = ""
}

extension FileNameForm {
    /// The words between a day and a time, in the languages of macOS.
    private static let joints = [" at ", " um ", " à ", " alle ", " om ", "_at ", "-at ", "Tat ", " ", "_", "-", "T"]

    /// Reads the parts of a name.
    ///
    /// - Parameter file: The name with its extension.
    /// - Returns: The parts, which need not be a possible time; `nil` if the name has another form.
    func fields(of file: String) -> FileNameFields? {
        patterns.lazy.compactMap { pattern in
            var reader = FileNameReader(rest: Array(file.unicodeScalars)[...])
            guard reader.read(Array(pattern.unicodeScalars)[...], joints: Self.joints), reader.isAtEnd else {
                return nil
            }
            return reader.fields
        }.first
    }
}

/// The part of a name that has not been read.
private struct FileNameReader {
    var rest: ArraySlice<Unicode.Scalar>
    var fields = FileNameFields()
    private var separators: [Unicode.Scalar: String] = [:]

    init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

    /// Reads a pattern; `false` if the name has other text.
    mutating func read(_ pattern: ArraySlice<Unicode.Scalar>, joints: [String]) -> Bool {
        var pattern = pattern
        while let next = pattern.popFirst() {
            guard next == "%", let directive = pattern.popFirst() else {
                guard skip(next) else { return false }
                continue
            }
            let isRead =
                switch directive {
                case "P": skipWords()
                case "W": skip(while: Self.isLetter) > 0
                case "N": skip(while: Self.isDigit) > 0
                case "j": joints.contains { skip($0) }
                case "-", ":": readSeparator(directive)
                case "p": readHalfOfDay()
                case "I": readNumber("I", digits: 2) || readNumber("I", digits: 1)
                case "Y": readNumber("Y", digits: 4)
                case "f": readNumber("f", digits: 3)
                case "Q": readNumber("Q", digits: 13)
                default: readNumber(directive, digits: 2)
                }
            guard isRead else { return false }
        }
        return true
    }

    /// Whether the rest cannot belong to the time: it begins with no digit, nor with six digits after a character, which
    /// would be another time or a number.
    var isAtEnd: Bool {
        guard let first = rest.first else { return true }
        let after = rest.dropFirst()
        guard !Self.isDigit(first), after.prefix(while: Self.isDigit).count < 6 else { return false }
        // A fourth number makes a version of a program.
        return first != "." || fields.dateSeparator != "." || fields.numbers["S"] != nil
            || after.first.map(Self.isDigit) != true
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar == "'" || scalar == "\u{2019}"
    }

    /// Newer versions of macOS write a narrow space that does not break before AM and PM.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\u{A0}" || scalar == "\u{202F}"
    }

    private mutating func skip(while condition: (Unicode.Scalar) -> Bool) -> Int {
        let count = rest.prefix(while: condition).count
        rest = rest.dropFirst(count)
        return count
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard let first = rest.first,
            scalar == " "
                ? Self.isSpace(first) : first.properties.lowercaseMapping == scalar.properties.lowercaseMapping
        else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skip(_ text: String) -> Bool {
        let start = rest
        guard text.unicodeScalars.allSatisfy({ skip($0) }) else {
            rest = start
            return false
        }
        return true
    }

    private mutating func skipWords() -> Bool {
        for _ in 0..<2 {
            let start = rest
            guard skip(while: Self.isLetter) > 0, skip(" ") || skip("_") || skip("-") else {
                rest = start
                break
            }
        }
        return true
    }

    private mutating func readSeparator(_ directive: Unicode.Scalar) -> Bool {
        if let separator = separators[directive] { return skip(separator) }
        let separator = (["-", "_", "."] + (directive == ":" ? [":"] : [])).first { skip($0) } ?? ""
        separators[directive] = separator
        if directive == "-" { fields.dateSeparator = separator }
        return true
    }

    private mutating func readHalfOfDay() -> Bool {
        if let first = rest.first, Self.isSpace(first) { rest.removeFirst() }
        let isCapital = rest.first == "A"
        let isAfternoon = skip("p")
        guard isAfternoon || skip("a") else { return false }
        let hasPoints = skip(Unicode.Scalar("."))
        if hasPoints { _ = skip(Unicode.Scalar(" ")) }
        guard skip("m") else { return false }
        if hasPoints { _ = skip(Unicode.Scalar(".")) }
        fields.isAfternoon = isAfternoon
        guard let next = rest.first else { return true }
        // A German " am See" is not a half of a day.
        let isWord = !isAfternoon && !isCapital && !hasPoints && Self.isSpace(next)
        return !Self.isLetter(next) && !(isWord && rest.dropFirst().first.map(Self.isLetter) == true)
    }

    private mutating func readNumber(_ name: Unicode.Scalar, digits count: Int) -> Bool {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return false }
        fields.numbers[name] = digits.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
        rest = rest.dropFirst(count)
        return true
    }
}
