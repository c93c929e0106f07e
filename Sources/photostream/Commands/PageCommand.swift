import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream page`: lists photos in stream order, page by page.
struct PageCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Show a page of a layout, or all pages.",
        discussion: """
            A page ends with the cursor of the next one. A cursor contains the layout and the end of the page, so the pages \
            of a chain fit together even if photos are added, changed or deleted in between. A cursor does not contain the \
            condition: repeat --where with the text that the page shows. With --all and --json each page is a line.

            EXAMPLES:
              photostream page --stream holiday --width 1200 --limit 50
              photostream page --stream holiday --cursor AwEAAAAAAAAA…
              photostream page --stream holiday --width 1200 --all --limit 1000 --json

            A cursor that was changed, or belongs to another stream, layout or file, fails with exit code 1.
            """)

    @OptionGroup var stream: StreamOption
    @OptionGroup var limit: LimitOption

    @Option(help: ArgumentHelp("The cursor of the previous page.", valueName: "cursor"))
    var cursor: String?

    @Flag(help: "Follow the cursors to the last page.")
    var all = false

    @OptionGroup var view: ViewOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard try cursor != nil || layout.key() != nil else {
            throw ValidationError("--width, --layout-key or --cursor is missing")
        }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        var table = TextTable(PlacedPhoto.columns)
        let (key, condition) = (try layout.key(), try view.condition())
        func nextPage(after cursor: String?) throws -> PageAnswer {
            let start = cursor.map(PageStart.after) ?? .first
            let page = try service.read { session in
                try session.layout(key, of: stream.name, where: condition, after: cursor).page(
                    start, limit: limit.count)
            }
            try print(page, in: &table)
            return page
        }
        var page = try nextPage(after: cursor)
        while all, let cursor = page.nextCursor { page = try nextPage(after: cursor) }
        // The pages are printed already.
        if !json { try StandardOutput.write(line: "") }
        var report = Report(json: nil)
        let isOld = page.chainRevision != page.context.revision
        report.add(
            page.context.fields + [
                "chain revision": isOld ? page.chainRevision.description : nil,
                "in place": isOld ? (page.isInPlace ? "yes" : "no") : nil,
                "next page": page.nextCursor.map { "--cursor " + $0 },
            ])
        return report
    }

    private func print(_ page: PageAnswer, in table: inout TextTable) throws {
        guard !json else { return try StandardOutput.write(json: { $0.value(page) }) }
        try StandardOutput.write(table.text(page.items.map { $0.row(page.context.layoutKey.displayScale) }).utf8)
    }
}
