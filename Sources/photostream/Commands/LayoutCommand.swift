import ArgumentParser
import PhotoStreamLayout
import PhotoStreamService
import PhotoStreamWire

/// `photostream layout`: summarizes a layout.
struct LayoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout",
        abstract: "Show a summary of a layout: content size, photos, sections, layout key.",
        discussion: """
            A layout that is used again at least two seconds after its first use is kept in the file, so that \
            later queries, also of other processes, compute nothing; "cache warm" keeps it at once. An answer \
            without all sections names the section to continue with.

            EXAMPLES:
              photostream layout --stream holiday --width 1200 --columns 5 --interitem-spacing 8 --line-spacing 8
              photostream layout --stream holiday --width 390 --minimum-column-width 120 --display-scale 3 --json
              photostream layout --stream holiday --width 1200 --algorithm justified --section-by month --header-size 40
            """)

    @OptionGroup var stream: StreamOption
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The first section, counted from 0.", valueName: "n"))
    var fromSection = 0

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The maximum number of sections, 1 to 1000.", valueName: "n"))
    var limit = PhotoStreamService.defaultLimit

    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try layout.requiredKey()
        try LimitOption.check(limit)
        guard fromSection >= 0 else {
            throw ValidationError("--from-section is \(fromSection); it must not be negative")
        }
    }

    func run() async throws {
        let key = try layout.requiredKey()
        try common.query { session in
            try session.layout(of: stream.name, key, sectionsFrom: fromSection, sectionLimit: limit)
        } show: { answer in
            guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
            var fields = FieldList()
            answer.context.add(to: &fields)
            fields.add("photos", value: answer.count.grouped)
            fields.add("sections", value: answer.sectionCount.grouped)
            try StandardOutput.write(fields.text.utf8)
            guard key.sections.sectioning != .none else { return }
            var table = SectionTable()
            try StandardOutput.write(("\n" + table.text(answer.sections, scale: key.displayScale)).utf8)
            guard let next = answer.nextSection else { return }
            let rest = (answer.sectionCount - next).counting("more section")
            try StandardOutput.write(line: "\n\(rest): --from-section \(next)")
        }
    }
}
