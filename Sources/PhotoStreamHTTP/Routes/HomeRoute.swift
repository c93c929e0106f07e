import HTTPTypes

/// The web page at `/`, for a person who opens the server's address in a browser.
enum HomeRoute {
    static let show = Route(
        method: .get, path: RoutePath("/"), operation: "getHome",
        summary: "A web page that says what this server is and where its interface is described.",
        isCacheable: true, answers: [.init(200, types: [MediaTypes.html], schema: "The page.")], work: .none
    ) { call in
        var answer = call.answer(page)
        answer.fields[.contentSecurityPolicy] = "default-src 'none'"
        return answer
    }

    private static let page = FixedDocument(
        Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>PhotoStream</title>
            <h1>PhotoStream</h1>
            <p>This server computes layouts of photo streams: exact frames, before an image has loaded.</p>
            <ul>
            <li><a href="/v1/streams">The streams of this file</a>, as JSON</li>
            <li><a href="/v1/openapi.json">The interface</a>, as OpenAPI 3.1</li>
            <li><a href="/healthz">Whether the server runs</a> and <a href="/readyz">can read its file</a></li>
            </ul>
            <p>The first layout of a stream named holiday, in a window 1,200 points wide:
            <code>/v1/streams/holiday/layout?width=1200&amp;first=50</code>.
            <code>Documentation/API.md</code> in the project has a recipe for each task of a gallery.</p>
            </html>

            """.utf8))
}
