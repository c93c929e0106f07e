import Foundation
import PhotoStreamGallery
import PhotoStreamHTTP
import PhotoStreamService
import Testing

/// The web gallery as a server sends it; scripts/gallery-test opens it in a browser.
@Suite struct GalleryTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/PhotoStreamGallery/Files")

    @Test func `every file of the folder is embedded unchanged`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let files = GalleryFile.all + [.page]
        #expect(files.map(\.name).sorted() == names.sorted())
        for file in files {
            #expect(try Data(contentsOf: Self.folder.appending(path: file.name)) == Data(file.bytes), "\(file.name)")
        }
    }

    @Test func `a browser gets the gallery with all its files`() async throws {
        try await TestServer.with(photos: 1) { server in
            let page = try server.client("GET", "/", ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"])
            #expect(page.status == 200 && page.fields["content-type"] == "text/html")
            #expect(page.fields["content-security-policy"]?.contains("script-src 'self';") == true)
            let style = try server.client("GET", "/gallery/gallery.css").text
            let addresses =
                page.text.matches(of: /(?:href|src)="([^"#]+)"/).map { "/" + $0.output.1 }
                + style.matches(of: /url\("([^"]+)"\)/).map { "/gallery/" + $0.output.1 }
            let modules = GalleryFile.all.map(\.name).filter { $0.hasSuffix(".js") }.map { "/gallery/\($0)" }
            let manifest = try server.client("GET", "/gallery/app.webmanifest").json
            let icons = try #require(manifest["icons"] as? [[String: String]]).map { "/gallery/" + ($0["src"] ?? "") }
            #expect(Set(addresses + modules + icons).count == GalleryFile.all.count)
            for address in Set(addresses + modules + icons) {
                let file = try server.client("GET", address)
                let type = [
                    "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "png": "image/png",
                    "webmanifest": "application/manifest+json",
                ]
                let suffix = String(address.split(separator: ".").last ?? "")
                #expect(file.status == 200 && file.fields["content-type"] == type[suffix], "\(address)")
                #expect(file.fields["x-content-type-options"] == "nosniff")
                let tag = try #require(file.fields["etag"])
                #expect(try server.client("GET", address, ["If-None-Match": tag]).status == 304)
            }
        }
    }

    @Test func `a phone can install the page, also before it signs in and beneath the link of a share`() async throws {
        try await TestServer.with(photos: 1, needsTokens: true) { server in
            let share = try server.service.createShare(of: TestServer.stream).token
            for base in ["/", "/s/\(share.text)/"] {
                let page = try server.client("GET", base, ["Accept": "text/html"])
                #expect(page.fields["content-security-policy"]?.contains("manifest-src 'self';") == true)
                #expect(page.text.contains(#"<link rel="manifest" href="gallery/app.webmanifest">"#))
                let answer = try server.client("GET", base + "gallery/app.webmanifest")
                #expect(answer.status == 200)
                // The page that is installed is the one with the link.
                let address = try #require(URL(string: "http://h\(base)gallery/app.webmanifest"))
                for name in ["start_url", "scope"] {
                    let text = try #require(answer.json[name] as? String)
                    #expect(URL(string: text, relativeTo: address)?.absoluteURL.path(percentEncoded: false) == base)
                }
                for icon in try #require(answer.json["icons"] as? [[String: String]]) {
                    let file = try server.client("GET", base + "gallery/" + (icon["src"] ?? ""))
                    #expect(file.status == 200 && file.fields["content-type"] == icon["type"])
                    guard icon["type"] == "image/png" else { continue }
                    let sides = [16, 20].map { start in file.body[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
                    #expect(icon["sizes"] == "\(sides[0])x\(sides[1])")
                }
            }
        }
    }

    @Test func `the land of the map is a file of the gallery`() async throws {
        try await TestServer.with(photos: 0) { server in
            let file = try server.client("GET", "/gallery/land.bin", ["Accept": "application/octet-stream"])
            #expect(file.status == 200 && file.fields["content-type"] == "application/octet-stream")
            #expect(file.body == GalleryFile.land.bytes && file.body.starts(with: Array("PSL1".utf8)))
        }
    }

    @Test func `modules import existing files, and the page preloads those that it needs, the first screen first`()
        throws
    {
        let texts = Dictionary(
            uniqueKeysWithValues: GalleryFile.all.filter { $0.name.hasSuffix(".js") }
                .map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })
        var imports: [String: [String]] = [:]
        for (name, text) in texts {
            imports[name] = text.matches(of: /^(?:import|\}) .*from "\.\/([^"]+)";$/.anchorsMatchLineEndings())
                .map { String($0.output.1) }
            #expect(text.matches(of: /^(?:import|\}) .*from "/.anchorsMatchLineEndings()).count == imports[name]?.count)
            for other in imports[name] ?? [] { #expect(texts[other] != nil, "\(name): \(other)") }
        }
        func needed(_ roots: Set<String>) -> Set<String> {
            let all = roots.union(roots.flatMap { imports[$0] ?? [] })
            return all == roots ? all : needed(all)
        }
        let page = String(decoding: GalleryFile.page.bytes, as: UTF8.self)
        let asked = page.matches(of: /"gallery\/([^"]+\.js)"/).map { String($0.output.1) }
        let first = needed(["opening.js", "first-screen.js"])
        #expect(Set(asked.prefix(first.count)) == first && Set(asked).count == asked.count)
        // The first screen imports the rest, which loads the others when it works.
        #expect(Set(asked) == needed(["main.js"]).union(first))
        let later = texts.values.flatMap { $0.matches(of: /import\("\.\/([^"]+)"\)/).map { String($0.output.1) } }
        #expect(needed(["main.js"]).union(first).union(needed(Set(later))) == Set(texts.keys))
        #expect(texts["first-screen.js"]?.contains("import(\"./main.js\")") == true)
    }

    @Test func `the page has no inline scripts or styles, which its policy forbids`() throws {
        let page = String(decoding: GalleryFile.page.bytes, as: UTF8.self)
        #expect(!page.contains("style=") && !page.contains("<style"))
        #expect(page.matches(of: /\son[a-z]+=/).isEmpty && page.matches(of: /<script(?![^>]*src=)/).isEmpty)
        for file in GalleryFile.all where file.name.hasSuffix(".js") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
                #expect(!text.contains(word), "\(file.name): \(word)")
            }
        }
    }

    @Test func `a server without the gallery shows a page with links`() async throws {
        var settings = ServerSettings()
        settings.showsGallery = false
        try await TestServer.with(photos: 1, settings: settings) { server in
            let page = try server.client("GET", "/", ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"])
            #expect(page.status == 200 && page.fields["content-type"] == "text/html")
            #expect(page.fields["content-security-policy"] == "default-src 'none'")
            for address in ["/v1/streams", "/v1/openapi.json", "/healthz", "/readyz"] {
                #expect(page.text.contains("\"\(address)\""))
                #expect(try server.client("GET", address).status == 200)
            }
            let file = try server.client("GET", "/gallery/main.js")
            #expect(file.status == 404 && file.problem == "unknown-path")
        }
    }
}
