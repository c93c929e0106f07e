import PhotoStreamModel
import Testing

@Suite struct PhotoAlbumTests {
    @Test(arguments: [
        ("Italy", "Italy", true), ("italy/2025", "ITALY", true), ("Itálý/2025/Rome", "italy/2025", true),
        ("Italy", "Italy/2025", false), ("Italy 2025", "Italy", false), ("My/Italy", "Italy", false),
        ("Italy", "", false),
    ])
    func `an album is in itself and in those above it`(path: String, album: String, isIn: Bool) {
        #expect(PhotoAlbum.isPath(path, in: album) == isIn)
    }

    @Test(arguments: [
        ("Italy/2025", "Italy", "Europe/Italy", "Europe/Italy/2025"), ("italy", "Italy", "Italia", "Italia"),
        ("Italy/2025/Rome", "italy/2025", "Rome", "Rome/Rome"), ("Italy／2025/Rome", "italy/2025", "x", "x/Rome"),
        ("Italy／2025", "Italy", "x", nil), ("Spain", "Italy", "x", nil),
    ])
    func `an album moves with an outer one`(path: String, album: String, newAlbum: String, moved: String?) {
        #expect(PhotoAlbum.path(path, moving: album, to: newAlbum) == moved)
    }

    @Test(arguments: [
        ("/", "the path of the album \"/\" has a slash without a name next to it"),
        ("a//b", "the path of the album \"a//b\" has a slash without a name next to it"),
        ("Italy/", "the path of the album \"Italy/\" has a slash without a name next to it"),
        (" / ", "the path of the album \" / \" has a slash without a name next to it"),
        (
            "Italy／2025",
            "the path of the album \"Italy／2025\" has spaces or signs next to a slash, or signs that look like one"
        ),
        ("Italy ", "the path of the album \"Italy \" has spaces or signs next to a slash, or signs that look like one"),
        ("a /b", "the path of the album \"a /b\" has spaces or signs next to a slash, or signs that look like one"),
        ("a\nb", "the path of the album \"a\nb\" has spaces or signs next to a slash, or signs that look like one"),
        (Array(repeating: "a", count: 17).joined(separator: "/"), "the path of an album has 17 names, more than 16"),
        (String(repeating: "a", count: 256), "an album has 256 bytes, more than 255"),
        ("a\u{0}b", "an album holds a NUL character (U+0000)"),
    ])
    func `a text that is not a path is refused`(path: String, message: String) throws {
        #expect(throws: ModelError(message)) { try PhotoList.albums.check(["Italy", path]) }
        var record = PhotoRecord(id: try PhotoID("a"))
        record.albums = .set([path])
        #expect(throws: ModelError(message)) { try record.check() }
    }

    @Test func `paths of any script and of the greatest length and depth are albums`() throws {
        let deep = Array(repeating: "a", count: 16).joined(separator: "/")
        try PhotoList.albums.check(["上海/2025", "צרפת", "Été à la mer", String(repeating: "a", count: 255), deep])
    }
}
