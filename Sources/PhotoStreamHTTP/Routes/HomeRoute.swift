import HTTPTypes
import PhotoStreamGallery
import PhotoStreamService

/// The web page at `/`, for browsers that open the server's address.
enum HomeRoute {
    /// The gallery.
    static let gallery = Route(
        method: .get, path: RoutePath("/"), operation: "getHome", access: .anyone,
        summary: "The web gallery, a page that shows the streams.",
        isCacheable: true, answers: [.init(200, types: [MediaTypes.html], schema: "The page.")], work: .none
    ) { call in
        GalleryRoutes.protected(call.answer(galleryPage), imagesFrom: call.service.shownImagesBase)
    }

    /// A page without scripts, for a server without the gallery.
    static let plain = Route(
        method: .get, path: RoutePath("/"), operation: "getHome", access: .anyone,
        summary: "A web page that describes this server and links to the description of its interface.",
        isCacheable: true, answers: [.init(200, types: [MediaTypes.html], schema: "The page.")], work: .none
    ) { call in
        var answer = call.answer(plainPage)
        answer.fields[.contentSecurityPolicy] = "default-src 'none'"
        return answer
    }

    private static let galleryPage = FixedDocument(GalleryFile.page.bytes)

    private static let plainPage = FixedDocument(
        Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>PhotoStream</title>
            <h1>PhotoStream</h1>
            <ul>
            <li><a href="/v1/streams">The streams of this file</a>, as JSON</li>
            <li><a href="/v1/openapi.json">The interface</a>, as OpenAPI 3.1</li>
            <li><a href="/healthz">Whether the server runs</a> and <a href="/readyz">can read its file</a></li>
            </ul>
            </html>

            """.utf8))
}
