import HTTPTypes

/// The page at `/`, for a person who opens the server's address in a browser.
enum HomeRoute {
    static let show = Route(
        method: .get, path: RoutePath("/"), operation: "getHome",
        summary: "What this is and where the interface is described, as a page for people.",
        isCacheable: true, answers: [.init(200, [MediaTypes.html], schema: "The page.")], work: .none
    ) { call in
        var answer = call.answer(Array(page.utf8))
        answer.fields[.contentSecurityPolicy] = "default-src 'none'"
        return answer
    }

    private static let page = """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>PhotoStream</title>
        <h1>PhotoStream</h1>
        <p>This server tells clients where the photos of a stream stand in a layout, exactly, before an image is loaded.</p>
        <ul>
        <li><a href="/v1/streams">The streams of this file</a>, as JSON</li>
        <li><a href="/v1/openapi.json">The description of the interface</a>, as OpenAPI 3.1</li>
        <li><a href="/healthz">Whether the server runs</a> and <a href="/readyz">can read its file</a></li>
        </ul>
        <p>The first layout of a stream named holiday, in a window 1,200 points wide:
        <code>/v1/streams/holiday/layout?width=1200&amp;first=50</code>.
        <code>Documentation/API.md</code> in the project has a recipe for each thing that a gallery does.</p>
        </html>

        """
}
