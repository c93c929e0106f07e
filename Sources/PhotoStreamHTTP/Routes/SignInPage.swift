import Crypto
import Foundation
import HTTPTypes
import PhotoStreamService

/// The pages of sign-in links, without scripts.
enum SignInPage {
    static let button = page(
        title: "Sign in", status: .ok,
        body:
            """
            <h1>Sign in to PhotoStream</h1>
            <p>This browser then stays signed in for 30 days, or until you sign out.</p>
            <form method="post"><button>Sign in</button></form>
            """)

    static let ended = page(
        title: "This link has ended", status: .notFound,
        body:
            """
            <h1>This link has ended</h1>
            <p>A sign-in link works once, within ten minutes. <code>photostream serve</code> prints another one at its start, and
            <code>photostream tokens create NAME --link</code> makes one.</p>
            """)

    private static func page(title: String, status: HTTPResponse.Status, body: String) -> APIResponse {
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
        // A form on a page without a referrer sends the origin "null", which may not write.
        answer.fields[.referrerPolicy] = "same-origin"
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
