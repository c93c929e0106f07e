import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// A running server gives every code that the description names for every route.
@Suite struct RouteCodeTests {
    /// A request for an operation that is answered well.
    struct Sample {
        var method: String
        var target: String
        var fields: [String: String] = [:]
        var body: String?
        /// The body if it is not text.
        var bytes: [UInt8]?

        /// The same with something else in its query.
        func adding(_ parameter: String) -> Sample {
            var sample = self
            sample.target += (target.contains("?") ? "&" : "?") + parameter
            return sample
        }

        func with(_ name: String, _ value: String) -> Sample {
            var sample = self
            sample.fields[name] = value
            return sample
        }

        func saying(_ body: String) -> Sample {
            var sample = self
            sample.body = body
            sample.bytes = nil
            return sample
        }

        func of(stream: String) -> Sample {
            var sample = self
            sample.target = target.replacing("/gallery", with: "/" + stream)
            return sample
        }
    }

    private static let layout = "/v1/streams/gallery/layout"
    private static let photo = "/v1/streams/gallery/photos/photo-1"
    private static let json = ["Content-Type": "application/json"]

    /// The placeholder of a token that is created for the request.
    private static let newToken = "NEW"
    /// The placeholder of a sign-in link that is created for the request.
    private static let newLink = "LINK"

    /// A good request for each operation.
    static let samples: [String: Sample] = [
        "getHome": Sample(method: "GET", target: "/"),
        "getGalleryFile": Sample(method: "GET", target: "/gallery/photostream.js"),
        "listStreams": Sample(method: "GET", target: "/v1/streams"),
        "createStream": Sample(method: "POST", target: "/v1/streams", fields: json, body: #"{"stream":"new"}"#),
        "getStream": Sample(method: "GET", target: "/v1/streams/gallery"),
        "renameStream": Sample(
            method: "PATCH", target: "/v1/streams/gallery", fields: json, body: #"{"stream":"gallery"}"#),
        "deleteStream": Sample(method: "DELETE", target: "/v1/streams/gallery?with-photos=true"),
        "getStats": Sample(method: "GET", target: "/v1/streams/gallery/stats"),
        "getFacets": Sample(method: "GET", target: "/v1/streams/gallery/facets"),
        "getAlbums": Sample(method: "GET", target: "/v1/streams/gallery/albums"),
        "changeAlbum": Sample(
            method: "POST", target: "/v1/streams/gallery/albums/Italy", fields: json, body: #"{"add":["photo-1"]}"#),
        "moveAlbum": Sample(
            method: "PATCH", target: "/v1/streams/gallery/albums/Kept", fields: json, body: #"{"album":"kept"}"#),
        "deleteAlbum": Sample(method: "DELETE", target: "/v1/streams/gallery/albums/Lost"),
        "getChanges": Sample(method: "GET", target: "/v1/streams/gallery/changes?since=0"),
        "getEvents": Sample(method: "GET", target: "/v1/streams/gallery/events"),
        "listPhotos": Sample(method: "GET", target: "/v1/streams/gallery/photos"),
        "importPhotos": Sample(
            method: "POST", target: "/v1/streams/gallery/photos", fields: ["Content-Type": "application/jsonl"],
            body: #"{"id":"x","width":3,"height":2}"#),
        "getPhoto": Sample(method: "GET", target: photo),
        "putPhoto": Sample(method: "PUT", target: photo, fields: json, body: #"{"width":3,"height":2}"#),
        "patchPhoto": Sample(method: "PATCH", target: photo, fields: json, body: #"{"caption":"new"}"#),
        "deletePhoto": Sample(method: "DELETE", target: photo),
        "listDeletedPhotos": Sample(method: "GET", target: "/v1/streams/gallery/deleted"),
        "restorePhoto": Sample(method: "POST", target: "/v1/streams/gallery/photos/photo-9/restore", fields: json),
        "movePhoto": Sample(method: "POST", target: photo + "/move", fields: json, body: #"{"after":"photo-2"}"#),
        "resetPhoto": Sample(method: "POST", target: photo + "/reset", fields: json, body: #"{"fields":["caption"]}"#),
        "listStack": Sample(method: "GET", target: photo + "/stack"),
        "makeCover": Sample(method: "POST", target: photo + "/cover", fields: json),
        "takeApartStack": Sample(method: "DELETE", target: photo + "/stack"),
        "getImage": Sample(method: "GET", target: "/v1/streams/gallery/photos/photo-0/image"),
        "getFilm": Sample(method: "GET", target: "/v1/streams/gallery/photos/photo-0/film"),
        "getThumbnail": Sample(method: "GET", target: "/v1/images/\(TestServer.pictureKey)/640.webp"),
        "uploadPicture": Sample(
            method: "POST", target: "/v1/streams/gallery/pictures?name=new.png",
            fields: ["Content-Type": "image/png"], body: "", bytes: UploadSamples.png),
        "getLayout": Sample(method: "GET", target: layout + "?width=900"),
        "getPage": Sample(method: "GET", target: layout + "/page?width=900"),
        "getRect": Sample(method: "GET", target: layout + "/rect?width=900&rect=0,0,900,900"),
        "getItems": Sample(method: "GET", target: layout + "/items?width=900"),
        "getCluster": Sample(
            method: "GET", target: layout + "/cluster?width=900&algorithm=map&cluster=72&unlocated=true"),
        "getElements": Sample(method: "GET", target: layout + "/elements?width=900&kind=section-header"),
        "locatePhoto": Sample(method: "GET", target: layout + "/locate?width=900&photo=photo-1"),
        "getItemAt": Sample(method: "GET", target: layout + "/at?width=900&x=1&y=1"),
        "getScrubber": Sample(method: "GET", target: layout + "/scrubber?width=900"),
        "getTarget": Sample(method: "GET", target: layout + "/target?width=900&x=0&y=9&viewport=900,600"),
        "getUpdates": Sample(method: "GET", target: layout + "/updates?width=900&since=0&rect=0,0,9,9"),
        "getSession": Sample(method: "GET", target: "/v1/session"),
        "createSession": Sample(method: "POST", target: "/v1/session", fields: ["Authorization": newToken]),
        "deleteSession": Sample(method: "DELETE", target: "/v1/session"),
        "getSignInPage": Sample(method: "GET", target: "/sign-in/" + newLink),
        "useSignInLink": Sample(method: "POST", target: "/sign-in/" + newLink),
        "findPlaces": Sample(method: "GET", target: "/v1/places?query=zur"),
        "getDescription": Sample(method: "GET", target: "/v1/openapi.json"),
        "getHealth": Sample(method: "GET", target: "/healthz"),
        "getReadiness": Sample(method: "GET", target: "/readyz"),
        "getMetrics": Sample(method: "GET", target: "/metrics"),
    ]

    /// The request that makes an operation of a healthy server return a code.
    private static func request(_ operation: String, _ sample: Sample, _ status: Int) -> Sample? {
        switch status {
        // The picture of the sample was uploaded for 201.
        case 200 where operation == "uploadPicture": return sample.adding("name-taken=rename")
        case 200, 201, 204, 303:
            guard operation == "putPhoto" && status == 201 else { return sample }
            var sample = sample
            sample.target += "-new"
            return sample
        case 422 where operation == "uploadPicture": return sample.saying("text")
        case 206: return sample.with("Range", "bytes=0-9")
        case 307: return operation == "getThumbnail" ? sample : sample.adding("size=320")
        case 416: return sample.with("Range", "bytes=9999-")
        case 304: return sample.with("If-None-Match", "*")
        case 400: return sample.adding("what=1")
        // Wrong tokens of one address are limited; this is none.
        case 401: return sample.with("Authorization", "Basic x")
        case 403 where operation == "getThumbnail": return sample.adding("e=1&s=x")
        case 403: return sample.method == "GET" ? nil : sample.with("Origin", "http://example.org")
        case 404 where ["getSignInPage", "useSignInLink"].contains(operation):
            return sample.replacing(newLink, with: "unknown").with("Accept", "*/*")
        case 404 where operation == "createStream":
            return sample.saying(#"{"stream":"new","source":"unknown","where":"a"}"#)
        case 404:
            guard operation == "getThumbnail" else { return sample.of(stream: "unknown") }
            var sample = sample
            sample.target = "/v1/images/unknown/640.webp"
            return sample
        case 406: return sample.with("Accept", "text/css")
        case 409:
            switch operation {
            case "createStream": return sample.saying(#"{"stream":"gallery"}"#)
            case "renameStream": return sample.saying(#"{"stream":"other"}"#)
            case "deleteStream":
                return Sample(method: "DELETE", target: "/v1/streams/gallery")
            case "uploadPicture": return sample.replacing("new.png", with: SamplePicture.name)
            default: return sample.with("If-Revision-At-Least", "1.1")
            }
        case 410:
            var sample = sample
            let key =
                "masonry-1,length=900,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,columns=4,choice=shortest"
            // A key stands for all layout options.
            sample.target = sample.target.replacing("&algorithm=map&cluster=72", with: "")
                .replacing("width=900", with: "layout-key=" + key)
            return sample
        case 412: return sample.with("If-Match", "\"x\"")
        case 413: return sample.with("Content-Length", "3000000000")
        case 414: return sample.adding("id=" + String(repeating: "x", count: 66_000))
        case 415: return sample.with("Content-Encoding", "gzip")
        case 421: return sample.with("Host", "example.org")
        case 422:
            return operation == "movePhoto"
                ? sample.saying(#"{"after":"photo-1"}"#) : sample.saying(#"{"width":0,"height":1}"#)
        case 431: return sample.adding("id=" + String(repeating: "x", count: 90_000))
        default: return nil
        }
    }

    /// The operations of the description with their codes.
    private static func operations(_ server: TestServer) throws -> [(name: String, statuses: [Int])] {
        let document = try server.client("GET", "/v1/openapi.json")
        let paths = try #require(document.json["paths"] as? [String: [String: [String: Any]]])
        return paths.values.flatMap { methods in
            methods.values.compactMap { operation in
                guard let name = operation["operationId"] as? String,
                    let responses = operation["responses"] as? [String: Any]
                else { return nil }
                return (name, responses.keys.compactMap { Int($0) }.sorted())
            }
        }
    }

    /// Sends a request, with a new token if it needs one.
    static func send(_ sample: Sample, _ server: TestServer) throws -> HTTPClient.Answer {
        var sample = sample
        if sample.fields["Authorization"] == newToken {
            let made = try? server.service.createToken(named: UUID().uuidString, scope: .admin)
            let token = made?.token.text ?? "photostream_" + String(repeating: "A", count: 43)
            sample.fields["Authorization"] = "Bearer " + token
        }
        if sample.target.contains(newLink) {
            let link = try? server.service.createOperatorsLink()
            sample = sample.replacing(
                "/sign-in/" + newLink, with: link?.path ?? "/sign-in/" + String(repeating: "A", count: 43))
        }
        return try server.client(
            sample.method, sample.target, sample.fields, body: sample.bytes ?? sample.body.map { Array($0.utf8) })
    }

    @Test func `every operation returns each of its codes`() async throws {
        try await TestServer.with(photos: 30) { server in
            try server.service.createStream(StreamName(stored: "other"))
            for (number, album) in ["Kept", "Lost"].enumerated() {
                let photo = PhotoID(stored: SampleRecords.id(10 + number))
                try server.service.changeAlbum(album, adding: [photo], in: TestServer.stream)
            }
            let operations = try Self.operations(server)
            #expect(Set(operations.map(\.name)) == Set(Self.samples.keys))
            // What deletes comes last.
            for (name, statuses) in operations.sorted(by: { $0.name != "deleteStream" && $1.name == "deleteStream" }) {
                let sample = try #require(Self.samples[name])
                for status in statuses.sorted(by: >) where ![408, 429, 500, 503, 507].contains(status) {
                    guard let request = Self.request(name, sample, status) else {
                        // 409 of a write means that the file is open for reading only; 403 of a query means a lesser
                        // token: AccessTests.
                        #expect(status == (sample.method == "GET" ? 403 : 409), "\(name) \(status)")
                        continue
                    }
                    if name == "restorePhoto", status == 200 {
                        try server.service.deletePhotos([PhotoID(stored: "photo-9")], from: TestServer.stream)
                    }
                    if ["makeCover", "takeApartStack"].contains(name), status < 300 {
                        var record = PhotoRecord(id: PhotoID(stored: "photo-1"))
                        record.stack = .set(try StackPlace(stack: "s", rank: 0, kind: .manual))
                        try server.service.edit(record, in: TestServer.stream)
                    }
                    if name == "getThumbnail", status == 307 { try server.service.showImages(at: "http://img.test") }
                    let answer = try Self.send(request, server)
                    try server.service.showImages(at: nil)
                    #expect(answer.status == status, "\(name) \(status): \(answer.text.prefix(300))")
                    if name == "deletePhoto", status == 204 {
                        try server.service.restorePhotos([PhotoID(stored: "photo-1")], in: TestServer.stream)
                    }
                }
            }
        }
    }

    @Test func `a server without a free thread refuses requests that would wait`() async throws {
        var settings = ServerSettings()
        (settings.requestLimit, settings.imports, settings.uploads) = (0, 0, 0)
        try await TestServer.with(photos: 3, settings: settings) { server in
            for (name, statuses) in try Self.operations(server) {
                let answer = try Self.send(try #require(Self.samples[name]), server)
                // Operators' requests need no thread.
                let own = ["getReadiness", "getMetrics", "getSession", "getDescription"]
                let waits = statuses.contains(500) && !own.contains(name)
                let expected = name == "importPhotos" ? 429 : waits ? 503 : 200
                #expect(
                    answer.status == expected || expected == 200 && [204, 303].contains(answer.status),
                    "\(name): \(answer.text.prefix(300))")
                #expect((answer.fields["retry-after"] != nil) == (expected != 200))
            }
        }
    }

    @Test func `a missing file fails every operation that reads it`() async throws {
        try await TestServer.with(photos: 3) { server in
            try server.service.close()
            // Within a second.
            #expect(try eventually { try server.client("GET", "/readyz").status == 500 })
            for (name, statuses) in try Self.operations(server) {
                let answer = try Self.send(try #require(Self.samples[name]), server)
                // These read the file only to look up a token or a session.
                let none = ["getSession", "deleteSession", "findPlaces", "getDescription", "getMetrics"]
                let reads = statuses.contains(500) && !none.contains(name)
                #expect(reads ? answer.status == 500 : answer.status < 300, "\(name): \(answer.text.prefix(300))")
            }
        }
    }

    @Test func `a read-only file refuses every write`() async throws {
        let file = try TemporaryDatabase()
        let writing = try PhotoStreamService(path: file.path, access: .readWrite, primary: file.primary) { 1 }
        try writing.createStream(TestServer.stream)
        try TestServer.load(SampleRecords.records(3), into: TestServer.stream, of: file)
        try TestServer.addPicture(to: writing, file)
        try writing.close()
        let reading = try PhotoStreamService(path: file.path, access: .readOnly) { 1 }
        try await TestServer.with(reading, file) { server in
            // These write only to begin or end a session that exists.
            for (name, _) in try Self.operations(server)
            where !["createSession", "deleteSession", "getSignInPage", "useSignInLink"].contains(name) {
                let sample = try #require(Self.samples[name])
                let answer = try Self.send(sample, server)
                #expect(answer.status == (sample.method == "GET" ? 200 : 409), "\(name): \(answer.text.prefix(300))")
                if sample.method != "GET" { #expect(answer.problem == "read-only", "\(name)") }
            }
        }
    }

    @Test func `the description is complete`() async throws {
        try await TestServer.with(photos: 0) { server in
            let document = try server.client("GET", "/v1/openapi.json").json
            #expect(document["openapi"] as? String == "3.1.0")
            let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: Any])
            let text = try server.client("GET", "/v1/openapi.json").text
            let references = text.matches(of: /#\/components\/schemas\/([A-Za-z]+)/).map { String($0.output.1) }
            #expect(Set(references).isSubset(of: schemas.keys))
            #expect(Set(schemas.keys).subtracting(references).isEmpty)
        }
    }
}
