import ArgumentParser
import PhotoStreamLayout
import PhotoStreamService

/// `photostream layout`: a layout as a whole.
struct LayoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout",
        abstract: "Show a layout as a whole: content size, photos, sections, layout key.",
        discussion: """
            The layout is stored, so asking again, also from another process, computes nothing.

            EXAMPLES:
              photostream layout --stream holiday --width 1200 --columns 5 --interitem-spacing 8 --line-spacing 8
              photostream layout --stream holiday --width 390 --minimum-column-width 120 --display-scale 3 --json
              photostream layout --stream holiday --width 1200 --algorithm justified --section-by month --header-size 40
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try layout.requiredKey()
    }

    func run() async throws {
        let key = try layout.requiredKey()
        try common.query { service in
            let answer = try service.layout(of: stream.name, key)
            guard !common.json else { return try StandardOutput.write(json: { $0.value(answer) }) }
            var fields = FieldList()
            answer.context.add(to: &fields)
            fields.add("photos", answer.count.grouped)
            fields.add("sections", answer.sections.count.grouped)
            try StandardOutput.write(fields.text.utf8)
            guard key.sections.sectioning != .none else { return }
            var table = SectionTable()
            try StandardOutput.write(("\n" + table.text(answer.sections, key.displayScale)).utf8)
        }
    }
}
