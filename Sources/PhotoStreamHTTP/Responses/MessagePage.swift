import Crypto
import Foundation
import HTTPTypes

/// A page with a message for a person, without scripts and without files of its own.
enum MessagePage {
    /// Returns an answer with a page.
    ///
    /// - Parameters:
    ///   - title: Its title.
    ///   - status: The status of the answer.
    ///   - referrer: The referrer policy; `same-origin` lets a form write.
    ///   - body: The markup between `main`.
    /// - Returns: The answer, which is not stored.
    static func answer(
        title: String, status: HTTPResponse.Status, referrer: String, body: String
    ) -> APIResponse {
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>\(style)</style>
            <main>
            \(body)
            </main>
            </html>

            """
        var answer = APIResponse(status, contentType: MediaTypes.html, body: Array(text.utf8))
        answer.fields[.contentSecurityPolicy] = policy
        answer.fields[.referrerPolicy] = referrer
        answer.fields[.cacheControl] = "no-store"
        return answer
    }

    private static let style = """
        :root { --ground: #f6f6f4; --text: #1c1f20; --quiet: #5a6062; --accent: #2a6763; --on-accent: #fff; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground) }
        @media (prefers-color-scheme: dark) { :root { --ground: #131516; --text: #ececea; --quiet: #a5abad; --accent: #86c7c0; --on-accent: #0c1a19 } }
        body { margin: 0; min-height: 100vh; display: grid; place-items: center }
        main { box-sizing: border-box; width: 100%; max-width: 400px; padding: 32px 24px }
        h1 { margin: 0 0 8px; font-size: 24px; font-weight: 600; line-height: 1.25 }
        p { margin: 0 0 24px; color: var(--quiet) }
        code { color: var(--text); overflow-wrap: anywhere }
        button { width: 100%; min-height: 48px; border: 0; border-radius: 9px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
        button:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px }
        """

    private static let policy = """
        default-src 'none'; style-src 'sha256-\(Data(SHA256.hash(data: Array(style.utf8))).base64EncodedString())'; form-action 'self'; \
        base-uri 'none'; frame-ancestors 'none'
        """
}
