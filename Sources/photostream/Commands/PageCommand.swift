import ArgumentParser
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream page`: lists photos in stream order, page by page.
struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Show a page of a layout, or all pages.",
        discussion: """
            A page ends with the cursor of the next one. A cursor contains the layout and the end of the page, so the pages \
            of a chain fit together even if photos are added, changed or deleted in between. With --all and --json each page \
            is a line.

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

    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard try cursor != nil || layout.key() != nil else {
            throw ValidationError("--width, --layout-key or --cursor is missing")
        }
    }

    func run() async throws {
        try common.query { service in
            var printer = PagePrinter(json: common.json)
            var page = try service.read { session in try firstPage(from: session) }
            try printer.print(page)
            while all, let cursor = page.nextCursor {
                page = try service.read { session in
                    try session.page(after: cursor, of: stream.name, limit: limit.count)
                }
                try printer.print(page)
            }
            try printer.end(page)
        }
    }

    private func firstPage(from session: borrowing Session) throws -> PageAnswer {
        let key = try layout.key()
        if let cursor {
            return try session.page(after: cursor, of: stream.name, layoutKey: key, limit: limit.count)
        }
        return try session.page(of: stream.name, try layout.requiredKey(), limit: limit.count)
    }
}

/// Prints consecutive pages.
private struct PagePrinter {
    let json: Bool
    private var table = PlacedPhotoTable()

    init(json: Bool) {
        self.json = json
    }

    mutating func print(_ page: PageAnswer) throws {
        guard !json else { return try StandardOutput.write(json: { $0.value(page) }) }
        try StandardOutput.write(table.text(page.items, scale: page.context.layoutKey.displayScale).utf8)
    }

    func end(_ page: PageAnswer) throws {
        guard !json else { return }
        var fields = FieldList()
        page.context.add(to: &fields)
        if page.chainRevision != page.context.revision {
            fields.add("chain revision", value: page.chainRevision.description)
            fields.add("in place", value: page.isInPlace ? "yes" : "no")
        }
        fields.add("next page", value: page.nextCursor.map { "--cursor " + $0 })
        try StandardOutput.write(("\n" + fields.text).utf8)
    }
}
