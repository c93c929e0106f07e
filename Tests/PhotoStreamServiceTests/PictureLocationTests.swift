import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// The files and addresses that locations name.
@Suite struct PictureLocationTests {
    private static let locations: [(text: String, location: PictureLocation?)] = [
        ("2023/a.jpg", .relative("2023/a.jpg")),
        ("100%2Foff.jpg", .relative("100%2Foff.jpg")),
        ("2023:06/a.jpg", .relative("2023:06/a.jpg")),
        ("trip:a.jpg", .relative("trip:a.jpg")),
        ("javascript:alert(1)", .relative("javascript:alert(1)")),
        ("C:\\photos\\a.jpg", .relative("C:\\photos\\a.jpg")),
        ("../a.jpg", .relative("../a.jpg")),
        ("://a", .relative("://a")),
        ("1x://a", .relative("1x://a")),
        ("été://a", .relative("été://a")),
        ("", .relative("")),
        ("/photos/a.jpg", .absolute("/photos/a.jpg")),
        ("//host/a.jpg", .absolute("//host/a.jpg")),
        ("file:///photos/a%20b%25.jpg", .absolute("/photos/a b%.jpg")),
        ("file:/photos/a.jpg", .absolute("/photos/a.jpg")),
        ("FILE://LocalHost/photos/%C3%A9.jpg", .absolute("/photos/é.jpg")),
        ("file:///photos%2Fa.jpg", nil),
        ("file:///photos/a%00.jpg", nil),
        ("file:///photos/a%2.jpg", nil),
        ("file:///photos/a%", nil),
        ("file:///photos/%FF.jpg", nil),
        ("file://server/photos/a.jpg", nil),
        ("file://", nil),
        ("file:a.jpg", .relative("file:a.jpg")),
        ("ftp://host/a.jpg", nil),
        ("s3://bucket/a.jpg", nil),
        ("javascript://x/%0Aalert(1)", nil),
        ("https://host/a.jpg", .remote("https://host/a.jpg")),
        ("HTTP://host", .remote("http://host")),
        ("https://user:password@host/a.jpg", nil),
    ]

    @Test(arguments: locations) func `a location is an address or a path`(text: String, location: PictureLocation?) {
        #expect(PictureLocation(text) == location)
    }

    private static let addresses: [(text: String, written: String?)] = [
        ("https://photos.example/a.jpg?size=2#top", "https://photos.example/a.jpg?size=2#top"),
        ("https://host:8443/a%20b", "https://host:8443/a%20b"),
        ("https://host/a b/é.jpg", "https://host/a%20b/%C3%A9.jpg"),
        ("https://host?x=user@name", "https://host?x=user@name"),
        ("https://host/@user", "https://host/@user"),
        ("https://host/a\\b\"<>^`{|}", "https://host/a%5Cb%22%3C%3E%5E%60%7B%7C%7D"),
        ("http://[::1]:80/a", "http://[::1]:80/a"),
        ("http://bücher.example/", "http://b%C3%BCcher.example/"),
        ("http://user@host/", nil), ("http://@host/", nil), ("http://:@host", nil),
        ("http://host\\@other/", nil), ("http://ho st/", nil), ("http:///a.jpg", nil), ("http://", nil),
        ("http://?x", nil), ("http://:80/", nil), ("http://host:80a/", nil), ("http://host:123456/", nil),
        ("http://[::1/", nil), ("http://[g::]/", nil), ("http://[::1]x/", nil), ("http://[]/", nil),
        ("http://a[b/", nil),
        ("http://host/a\r\nSet-Cookie: x", nil), ("http://host/\u{0}", nil), ("http://host/\u{7F}", nil),
        ("http://host/\u{85}", nil), ("http:/host/a", nil),
        ("http://host/" + String(repeating: "a", count: 7_988), "http://host/" + String(repeating: "a", count: 7_988)),
        ("http://host/" + String(repeating: "a", count: 7_989), nil),
        ("https://host/" + String(repeating: "é", count: 1_400), nil),
    ]

    @Test(arguments: addresses) func `an address is sent as ASCII or not at all`(text: String, written: String?) {
        #expect(RemoteAddress(text)?.text == written)
        if let written { #expect(RemoteAddress(written)?.text == written) }
    }

    @Test func `every accepted address is valid in a header field`() {
        let pieces = [
            "http://", "h", "@", "\\", "/", "?", "#", ":", "[", "]", " ", "\r", "\n", "\t", "\u{0}", "%", "é", "%0d%0a",
        ]
        var random = SplitMix64(seed: 19)
        for _ in 0..<20_000 {
            let tail = (0..<Int.random(in: 0..<8, using: &random)).map { _ in pieces.randomElement() ?? "" }
            guard let address = RemoteAddress("http://" + tail.joined()) else { continue }
            #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            let rest = address.text.dropFirst("http://".count)
            #expect(rest.prefix { !"/?#".contains($0) }.contains("@") == false)
            #expect(!address.text.contains("\\"))
        }
    }

    private static let paths: [(location: PictureLocation, path: String?)] = [
        (.relative("a/b.jpg"), "a/b.jpg"), (.relative("../b.jpg"), "../b.jpg"),
        (.absolute("/photos/a/b.jpg"), "a/b.jpg"), (.absolute("//photos/./a//b.jpg"), "a/b.jpg"),
        (.absolute("/data/pictures/b.jpg"), "b.jpg"), (.absolute("/photos/../b.jpg"), "../b.jpg"),
        (.absolute("/photos"), nil), (.absolute("/photos/"), nil), (.absolute("/photosx/b.jpg"), nil),
        (.absolute("/other/photos/b.jpg"), nil), (.absolute("/"), nil), (.absolute("/x/../photos/b.jpg"), nil),
        (.remote("http://photos/b.jpg"), nil),
    ]

    @Test(arguments: paths)
    func `a location belongs to the root that is its prefix, by whole names`(location: PictureLocation, path: String?) {
        #expect(location.path(beneath: ["/photos", "/data/pictures"]) == path)
    }
}
