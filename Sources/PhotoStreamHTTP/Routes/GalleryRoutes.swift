import HTTPTypes
import PhotoStreamGallery
import PhotoStreamService

/// The route of the gallery's files: its style sheets, icons and modules, including the API client.
enum GalleryRoutes {
    static let file = Route(
        method: .get, path: RoutePath("/gallery/{name}"), operation: "getGalleryFile", access: .anyone,
        summary: "A file of the web gallery, such as `photostream.js`, the API client for pages and programs.",
        isCacheable: true, answers: [.init(200, types: Array(mediaTypes.values).sorted(), schema: "The file.")],
        problems: [.unknownPath], work: .none
    ) { call in
        guard let (type, document) = documents[call.path["name"] ?? ""] else {
            throw Problem(.unknownPath, detail: "the gallery has no such file")
        }
        guard MediaTypes.best(call.headers[.accept], of: [type]) != nil else {
            throw Problem(.notAcceptable, detail: "the file is available as \(type) only")
        }
        return protected(call.answer(document, as: type), imagesFrom: call.service.shownImagesBase)
    }

    /// Adds the security policy of pages: everything comes from this server, and inline scripts and styles are
    /// forbidden.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - base: The origin of signed addresses, which serves pictures, too; `nil` if there is none.
    /// - Returns: The answer with the policy.
    static func protected(_ answer: APIResponse, imagesFrom base: String?) -> APIResponse {
        var answer = answer
        answer.fields[.contentSecurityPolicy] =
            base.map { base in
                ["img-src", "media-src"].reduce(policy) { text, kind in
                    text.replacing("\(kind) 'self'", with: "\(kind) 'self' \(base)")
                }
            } ?? policy
        answer.fields[.referrerPolicy] = "no-referrer"
        return answer
    }

    /// The content security policy of pages, which render the pictures of placeholders themselves (`blob:`).
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; \
        connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'
        """

    private static let mediaTypes = [
        "bin": "application/octet-stream", "css": "text/css", "js": "text/javascript", "png": "image/png",
        "svg": "image/svg+xml", "webmanifest": MediaTypes.manifest,
    ]

    private static let documents: [String: (type: String, document: FixedDocument)] = {
        let files = (GalleryFile.all + [.land]).compactMap { file in
            file.name.split(separator: ".").last.flatMap { mediaTypes[String($0)] }
                .map { (file.name, (type: $0, document: FixedDocument(file.bytes))) }
        }
        return Dictionary(uniqueKeysWithValues: files)
    }()
}
