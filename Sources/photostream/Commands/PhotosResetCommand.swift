import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream photos reset`.
struct PhotosResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Let imports change edited fields of photos again.",
        discussion: """
            Takes back that a person edited these fields, or all fields. The values stay until an import says otherwise: \
            replaced values are not stored, so run the import again to get the source's. "photos show" lists the edited \
            fields. "photos move --reset" takes back a move.

            Either all of the photos are reset, or none if one is unknown.

            EXAMPLES:
              photostream photos reset --stream holiday IMG_0042
              photostream photos reset --stream holiday IMG_0042 IMG_0043 --fields caption,taken-at
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photos' ids.", transform: PhotoID.init(_:))
    var ids: [PhotoID]

    @Option(
        help: ArgumentHelp(
            "The fields: \(PhotoField.named.map(\.name.asOption).joined(separator: ", ")). (default: all)",
            valueName: "a,b"),
        transform: PhotoField.init(options:))
    var fields = PhotoField.all

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let service = try common.open()
        let count = try service.resetEdits(of: Array(Set(ids)), fields: fields, in: stream.name)
        try service.close()
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", value: stream.name.rawValue)
                    writer.member("reset", value: count)
                }
            })
        }
        try StandardOutput.write(line: count == 0 ? "nothing was edited" : "reset \(count.counting("photo"))")
    }
}

extension PhotoField {
    /// Parses a list such as `caption,taken-at`.
    ///
    /// - Throws: `ValidationError` that lists the fields.
    fileprivate init(options text: String) throws {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let known = Self.named.map { (option: $0.name.asOption, name: $0.name) }
        if let unknown = names.first(where: { name in !known.contains { $0.option == name || $0.name == name } }) {
            let all = known.map(\.option).joined(separator: ", ")
            throw ValidationError("there is no field \"\(unknown)\"; the fields are \(all)")
        }
        self = try PhotoField(
            names: names.compactMap { name in
                known.first { $0.option == name || $0.name == name }?.name
            })
    }
}

extension String {
    /// The name in lower case, with hyphens between words.
    fileprivate var asOption: String { map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined() }
}
