import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream scrubber`: shows the dates along a layout.
struct ScrubberCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "scrubber",
        abstract: "Show the section, photo and date at regular distances in a layout, for a scroll bar with dates.",
        discussion: """
            The stops range from the start of the content to its end, inclusive. Offsets count from the start in the \
            reading direction. The date is that of the first photo at the stop, to its known precision, even if the \
            stream has one section; a stream in manual order has no dates.

            EXAMPLES:
              photostream scrubber --stream holiday --width 1200 --steps 12
              photostream scrubber --stream holiday --width 1200 --section-by month --header-size 40 --steps 200 --json
            """)

    @OptionGroup var stream: StreamOption

    @Option(parsing: .unconditional, help: ArgumentHelp("The number of stops, 1 to 1000.", valueName: "n"))
    var steps = 20

    @OptionGroup var view: ViewOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...PhotoStreamService.maximumScrubberSteps).contains(steps) else {
            let error = StreamServiceError.invalidSteps(steps, maximum: PhotoStreamService.maximumScrubberSteps)
            throw ValidationError(error.description)
        }
        _ = try layout.requiredKey()
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let (key, condition) = (try layout.requiredKey(), try view.condition())
        let answer = try service.read { session in
            try session.layout(key, of: stream.name, where: condition).scrubber(steps: steps)
        }
        var report = Report { $0.value(answer) }
        if !answer.stops.isEmpty {
            report.add(
                table: [.number("offset"), "section", .number("index"), "date"],
                rows: answer.stops.map { stop in
                    [key.displayScale.pointsText(stop.offset), stop.sectionID, String(stop.index), stop.date.text]
                })
        }
        report.add(answer.context.fields)
        return report
    }
}

extension OrderDate {
    /// The known digits, or a word.
    fileprivate var text: String { digits ?? (self == .undated ? "undated" : "") }
}
