import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream facets`: lists what photos have in common.
struct FacetsCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "facets",
        abstract: "List the tags, albums, cameras, years, ratings and folders of a stream's photos, with their counts.",
        discussion: """
            A count is the number of photos that remain if the condition is added to --where.

            EXAMPLES:
              photostream facets --stream holiday
              photostream facets --stream holiday --where 'beach rating:>=4' --limit 5
            """)

    @OptionGroup var stream: StreamOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of facets of each kind, 1 to \(PhotoStreamService.maximumFacetCount).", valueName: "n"))
    var limit = PhotoStreamService.defaultFacetCount

    @OptionGroup var view: ViewOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let maximum = PhotoStreamService.maximumFacetCount
        guard (1...maximum).contains(limit) else {
            throw ValidationError(StreamServiceError.invalidLimit(limit, maximum: maximum).description)
        }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let condition = try view.condition()
        let answer = try service.read { session in
            try session.facets(of: stream.name, where: condition, limit: limit)
        }
        var report = Report { $0.value(answer) }
        let rows = FacetKind.allCases.flatMap { kind in
            (answer.facets[kind] ?? []).map { [kind.rawValue, $0.text, $0.count.grouped, "\($0.condition)"] }
        }
        if !rows.isEmpty { report.add(table: ["kind", "value", "photos", .wide("condition")], rows: rows) }
        let incomplete = FacetKind.allCases.filter(answer.incomplete.contains).map(\.rawValue)
        report.add([
            "stream": answer.stream.rawValue, "where": answer.condition?.canonicalText, "photos": answer.count.grouped,
            "incomplete": incomplete.isEmpty ? nil : incomplete.joined(separator: ", "),
        ])
        return report
    }
}
