import HTTPTypes

/// The pages of sign-in links, without scripts.
enum SignInPage {
    static let button = MessagePage.answer(
        title: "Sign in", status: .ok,
        // A form on a page without a referrer sends the origin "null", which may not write.
        referrer: "same-origin",
        body:
            """
            <h1>Sign in to PhotoStream</h1>
            <p>This browser then stays signed in for 30 days, or until you sign out.</p>
            <form method="post"><button>Sign in</button></form>
            """)

    static let ended = MessagePage.answer(
        title: "This link has ended", status: .notFound, referrer: "same-origin",
        body:
            """
            <h1>This link has ended</h1>
            <p>A sign-in link works once, within ten minutes. <code>photostream serve</code> prints another one at its start, and
            <code>photostream tokens create NAME --link</code> makes one.</p>
            """)
}
