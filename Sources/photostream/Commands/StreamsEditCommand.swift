import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The options that define a kept view.
struct RuleOptions: ParsableArguments {
    @Option(
        name: .customLong("where"), parsing: .unconditional,
        help: ArgumentHelp(
            """
            The condition that the photos of a kept view meet, such as 'beach rating:>=4'. Documentation/Conditions.md has \
            the language.
            """, valueName: "condition"))
    var text: String?

    @Option(help: ArgumentHelp("A text about a kept view; empty for none.", valueName: "text"))
    var description: String?

    var isEmpty: Bool { text == nil && description == nil }

    func validate() throws {
        _ = try condition()
    }

    /// Returns the condition, with its days as they are written; `nil` if none is given.
    ///
    /// - Throws: A usage error that names the column.
    func condition() throws -> Condition? { try text.map(ViewOption.condition) }
}

struct StreamsEditCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the rule, the description or the cover of a kept view.",
        discussion: """
            EXAMPLES:
              photostream streams edit best --where 'rating:5'
              photostream streams edit best --description 'Our best pictures' --cover IMG_0042
            """)

    @Argument(help: "The name of the kept view.", transform: StreamName.init(_:))
    var name: StreamName

    @OptionGroup var rule: RuleOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The photo that stands for it, one that it shows; empty for its first.", valueName: "id"))
    var cover: String?

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func validate() throws {
        guard !rule.isEmpty || cover != nil else {
            throw ValidationError("one of --where, --description and --cover is required")
        }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let condition = try rule.condition()
        let cover: FieldChange<PhotoID> = try cover.map { $0.isEmpty ? .clear : .set(try PhotoID($0)) } ?? .keep
        try service.changeStream(name, where: condition, description: rule.description, cover: cover)
        return Report(["stream": name.rawValue], line: "changed kept view \"\(name)\"")
    }
}
