import HTTPTypes

/// The page for a person whose link shows nothing, or has expired.
enum SharePage {
    static let ended: APIResponse = {
        var answer = APIResponse(.notFound, contentType: MediaTypes.html, body: Array(text.utf8))
        answer.fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        answer.fields[.referrerPolicy] = "no-referrer"
        answer.fields[.cacheControl] = "no-store"
        return answer
    }()

    private static let text = """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark">
        <title>This link has ended</title>
        <h1>This link has ended</h1>
        <p>It has expired or was withdrawn, or a part of it is missing. Ask for another one where you got it.</p>
        </html>

        """
}
