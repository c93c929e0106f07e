import Foundation
import PhotoStreamGallery
import PhotoStreamHTTP
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
            #expect(Set(addresses + modules).count == GalleryFile.all.count)
            for address in Set(addresses + modules) {
                let file = try server.client("GET", address)
                let type = ["js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"]
                let suffix = String(address.split(separator: ".").last ?? "")
                #expect(file.status == 200 && file.fields["content-type"] == type[suffix], "\(address)")
                #expect(file.fields["x-content-type-options"] == "nosniff")
                let tag = try #require(file.fields["etag"])
                #expect(try server.client("GET", address, ["If-None-Match": tag]).status == 304)
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

    @Test func `modules import existing files, and the page preloads those of the first screen`()
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
        #expect(Set(asked) == needed(["opening.js", "first-screen.js"]) && Set(asked).count == asked.count)
        // The rest is loaded by the first screen, and the map when it is first shown.
        #expect(needed(["main.js", "map.js"]).union(asked) == Set(texts.keys))
        #expect(texts["gallery.js"]?.contains("import(\"./map.js\")") == true)
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
