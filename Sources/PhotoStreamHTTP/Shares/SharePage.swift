import HTTPTypes

/// The page for a person whose link shows nothing, or has expired.
enum SharePage {
    static let ended = MessagePage.answer(
        title: "This link has ended", status: .notFound, referrer: "no-referrer",
        body:
            """
            <h1>This link has ended</h1>
            <p>It has expired or was withdrawn, or a part of it is missing. Ask for another one where you got it.</p>
            """)
}
