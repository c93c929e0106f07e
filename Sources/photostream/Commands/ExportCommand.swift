import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream export`: writes a stream as JSON Lines, from which an import recreates it.
struct ExportCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a stream as JSON Lines from which import makes the same stream.",
        discussion: """
            An import into a new stream gives the same photos in the same order, with the fields that a person edited and \
            the moves: another export of it is identical. The first line has the order of the stream; each photo follows \
            in stream order, with "edited" and "movedTo" in addition to its fields. Other programs can ignore the first \
            line and these members; "photos list --export" prints the photos only.

            The file is read in one transaction. Memory does not grow with the stream. "photostream backup" copies the \
            whole file with revisions and stored layouts, and faster.

            EXAMPLES:
              photostream export --stream holiday --output holiday.jsonl
              photostream import --stream holiday --database other.sqlite holiday.jsonl
              photostream export --stream holiday | gzip > holiday.jsonl.gz
              photostream export --stream holiday --where 'taken:2019 rating:>=4' --output best.jsonl
            """)

    @OptionGroup var stream: StreamOption

    @Option(
        help: ArgumentHelp(
            "The file to write; it replaces an existing one. (default: standard output)", valueName: "file"),
        completion: .file(extensions: ["jsonl"]))
    var output: String?

    @OptionGroup var view: ViewOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard let output else { return }
        try DatabaseFiles(common.database).check(output: output, option: "--output")
    }

    var use: FileUse { .read }

    func report(of service: PhotoStreamService) throws -> Report {
        let condition = try view.condition()
        guard let output else {
            _ = try service.export(stream.name, where: condition) { try StandardOutput.write($0) }
            return Report(json: nil)
        }
        let file = try OutputFile(path: output)
        // An incomplete file is deleted.
        defer { file.discard() }
        let count = try service.export(stream.name, where: condition) { try file.write($0) }
        try file.commit()
        return Report(
            ["stream": stream.name.rawValue, "file": output, "count": count],
            line: "wrote \(output): \(count.counting("photo"))")
    }
}

extension PhotoStreamService {
    /// Writes the lines of an export.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - condition: The condition that the photos meet; `nil` for all.
    ///   - write: Receives each line with its line ending.
    /// - Returns: The number of photos.
    /// - Throws: ``StreamServiceError``, and the errors of `write`.
    func export(
        _ stream: StreamName, where condition: Condition? = nil, write: ([UInt8]) throws -> Void
    ) throws -> Int {
        try read { session in
            var lineCount = 0
            // An export reads nothing that could make the session restart.
            try session.export(of: stream, where: condition) { line in
                try write(JSONWriter.bytes { $0.value(line) } + [UInt8(ascii: "\n")])
                lineCount += 1
            }
            return lineCount - 1
        }
    }
}
