import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

struct PhotosResetCommand: StreamCommand {
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
            "The fields: \(PhotoField.allValueStrings.joined(separator: ", ")). (default: all)",
            valueName: "a,b"),
        transform: PhotoFields.init(options:))
    var fields = PhotoFields.all

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let count = try service.resetEdits(of: Array(Set(ids)), fields: fields, in: stream.name)
        return Report(
            ["stream": stream.name.rawValue, "reset": count],
            line: count == 0 ? "nothing was edited" : "reset \(count.counting("photo"))")
    }
}

extension PhotoFields {
    /// Parses a list such as `caption,taken-at`.
    ///
    /// - Throws: `ValidationError` that lists the fields.
    fileprivate init(options text: String) throws {
        self = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let field = PhotoField(argument: name) else {
                let all = PhotoField.allValueStrings.joined(separator: ", ")
                throw ValidationError("there is no field \"\(name)\"; the fields are \(all)")
            }
            insert(field)
        }
    }
}
