import ArgumentParser
import PhotoStreamService
import PhotoStreamWire

/// The answer of a subcommand, which prints as text or, with `--json`, as one line of JSON.
///
///     var report = Report(["stream": name.rawValue, "count": count])
///     report.add(line: "copied \(count.counting("photo"))")
///     return report
struct Report {
    /// The text: lines, tables and fields, with an empty line between them.
    private(set) var text = ""
    /// Sentences for standard error that precede the text, but not JSON.
    var notes: [String] = []
    /// Sentences for standard error that follow the text or JSON.
    var warnings: [String] = []
    /// The exit code; `nil` for success.
    var code: ExitCode?
    /// The work to do after everything is printed.
    var completion: () throws -> Void = {}
    private let json: ((inout JSONWriter) -> Void)?

    /// Creates a report without a text.
    ///
    /// - Parameter json: Writes the JSON; `nil` if the answer has been printed already.
    init(json: ((inout JSONWriter) -> Void)?) {
        self.json = json
    }

    /// Creates a report whose JSON is an object, without a text.
    init(_ object: JSONMembers) {
        self.init { $0.value(object) }
    }

    /// Creates a report of one line.
    init(_ object: JSONMembers, line: String) {
        self.init(object)
        add(line: line)
    }

    /// Creates a report of a table whose JSON is an object with a list.
    init<Element: WireValue>(
        list name: String, of elements: [Element], columns: [TextTable.Column], cutsLastColumn: Bool = true,
        row: (Element) -> [String]
    ) {
        self.init([name: elements])
        add(table: columns, rows: elements.map(row), cutsLastColumn: cutsLastColumn)
    }

    /// Creates the report of a secret that is shown once, alone on standard output so that a script can read it.
    init(secret: String, named name: String, of summary: some WireObject, note: String) {
        self.init { writer in
            writer.object { writer in
                writer.members([name: secret])
                writer.members(of: summary)
            }
        }
        add(line: secret)
        notes = [note]
    }

    mutating func add(line: String) {
        add(lines: [line])
    }

    /// Adds lines without an empty line between them; nothing if there are none.
    mutating func add(lines: [String]) {
        add(lines.map { $0 + "\n" }.joined())
    }

    /// Adds a table.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - rows: The cells of each row.
    ///   - title: A line directly above the table.
    ///   - cutsLastColumn: Whether the last column is cut to the remaining width of the line.
    mutating func add(
        table columns: [TextTable.Column], rows: [[String]], title: String? = nil, cutsLastColumn: Bool = true
    ) {
        var table = TextTable(columns)
        add((title.map { $0 + "\n" } ?? "") + table.text(rows, cutsLastColumn: cutsLastColumn))
    }

    /// Adds a list of names and values.
    mutating func add(_ fields: FieldList) {
        add(fields.text)
    }

    /// Makes the command fail if there are problems, each with a sentence on standard error.
    mutating func fail(because problems: [String]) {
        warnings += problems
        if !problems.isEmpty { code = .failure }
    }

    private mutating func add(_ part: String) {
        if !text.isEmpty, !part.isEmpty { text += "\n" }
        text += part
    }

    /// Prints the report, and ends the command unless its exit code is that of success.
    func print(json isJSON: Bool) throws {
        if isJSON, let json { try StandardOutput.write(json: json) }
        if !isJSON { try StandardOutput.write(text.utf8) }
        // The order matters if both go to the same destination; a secret is the last line.
        for sentence in isJSON ? [] : notes { StandardError.write(sentence: sentence) }
        try StandardOutput.flush()
        for sentence in warnings { StandardError.write(sentence: sentence) }
        try completion()
        if let code { throw code }
    }
}
