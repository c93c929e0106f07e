import ArgumentParser
import PhotoStreamLayout
import PhotoStreamService
import PhotoStreamWire

/// `photostream layout`: summarizes a layout.
struct LayoutCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout",
        abstract: "Show a summary of a layout: content size, photos, sections, layout key.",
        discussion: """
            "cache warm" stores a layout in the file, so that later queries compute nothing; a server stores those \
            that it uses again at least ten seconds after their first use. An answer without all sections names the \
            section to continue with.

            EXAMPLES:
              photostream layout --stream holiday --width 1200 --columns 5 --interitem-spacing 8 --line-spacing 8
              photostream layout --stream holiday --width 390 --minimum-column-width 120 --display-scale 3 --json
              photostream layout --stream holiday --width 1200 --algorithm justified --section-by month --header-size 40
              photostream layout --stream holiday --width 1200 --where 'beach rating:>=4 taken:2019..2021-05'
            """)

    @OptionGroup var stream: StreamOption
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The first section, counted from 0.", valueName: "n"))
    var fromSection = 0

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The maximum number of sections, 1 to 1000.", valueName: "n"))
    var limit = PhotoStreamService.defaultLimit

    @OptionGroup var view: ViewOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try layout.requiredKey()
        try LimitOption.check(limit)
        guard fromSection >= 0 else {
            throw ValidationError("--from-section is \(fromSection); it must not be negative")
        }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let (key, condition) = (try layout.requiredKey(), try view.condition())
        let answer = try service.read { session in
            try session.layout(key, of: stream.name, where: condition).summary(
                sectionsFrom: fromSection, sectionLimit: limit)
        }
        var report = Report { $0.value(answer) }
        report.add(
            answer.context.fields + [
                "photos": answer.count.grouped, "sections": answer.sectionCount.grouped,
                "without a position": answer.positions.map(\.unlocatedCount.grouped),
                "bounds": answer.positions?.bounds.map(\.text),
            ])
        guard key.sections.sectioning != .none else { return report }
        report.add(
            table: [
                "section", .number("first"), .number("photos"), .number("x"), .number("y"), .number("width"),
                .number("height"),
            ],
            rows: answer.sections.map { section in
                [section.id, String(section.firstIndex), section.count.grouped]
                    + key.displayScale.texts(section.frame)
            })
        guard let next = answer.nextSection else { return report }
        let rest = (answer.sectionCount - next).counting("more section")
        report.add(line: "\(rest): --from-section \(next)")
        return report
    }
}
