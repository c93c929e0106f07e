import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// An operation gives every problem that the description names for it, and no other.
@Suite(.withoutPrimary) struct RouteProblemTests {
    private typealias Sample = RouteCodeTests.Sample

    /// The problems that are those of a parameter, or of a member of the body.
    private static let blaming: Set<String> = [
        "unknown-parameter", "repeated-parameter", "invalid-parameter", "missing-parameter", "invalid-layout",
        "invalid-cursor", "invalid-name", "unknown-stream", "unknown-photo", "index-out-of-range", "stream-exists",
        "stream-not-empty", "stream-in-use", "kept-view", "other-revision", "outdated", "invalid-photo", "invalid-move",
    ]

    /// An operation of the description.
    private struct Operation {
        let name: String
        let method: String
        let path: String
        let parameters: [String]
        /// The problems that may occur, by status and title.
        let problems: [Int: Set<String>]
    }

    /// Problems of the server's state, not of the request: RouteCodeTests and WritingTests cover those.
    private static let states: Set<String> = [
        "Server overloaded", "Body too slow", "Too many imports", "File is locked", "File cannot be read or written",
        "File is read-only", "File was moved",
        // UploadRouteTests and FullDiskTests bring these about.
        "Uploads unavailable", "Picture was deleted", "Disk is full",
        // More photos of one date than files hold would bring this about; ProblemTests make it of its error.
        "No place left there",
        // AccessTests brings these about.
        "Token required", "Insufficient scope", "Too many wrong tokens",
        // LimitTests bring this about.
        "Too many requests",
        // ReplicaRouteTests bring these about.
        "Primary database unavailable", "Revision not yet known here", "Replica cannot follow",
    ]

    /// As many ids as a question may have, too long for the head of a request.
    private static let manyIDs = Array(repeating: "id=" + String(repeating: "x", count: 90), count: 1_000)
        .joined(separator: "&")

    /// So many that the head is not too large, but the address is.
    private static let longIDs = Array(repeating: "id=" + String(repeating: "x", count: 90), count: 730)
        .joined(separator: "&")

    private static func operations(_ server: TestServer) throws -> [Operation] {
        let document = try server.client("GET", "/v1/openapi.json")
        let paths = try #require(document.json["paths"] as? [String: [String: [String: Any]]])
        return try paths.flatMap { path, methods in
            try methods.map { method, operation in
                let responses = try #require(operation["responses"] as? [String: [String: Any]])
                let problems = responses.compactMap { code, response -> (Int, Set<String>)? in
                    guard let status = Int(code), status >= 400, let text = response["description"] as? String else {
                        return nil
                    }
                    return (status, Set(text.components(separatedBy: "; ")))
                }
                let parameters = try #require(operation["parameters"] as? [[String: Any]])
                return Operation(
                    name: try #require(operation["operationId"] as? String), method: method.uppercased(), path: path,
                    parameters: parameters.filter { $0["in"] as? String == "query" }.compactMap {
                        $0["name"] as? String
                    },
                    problems: Dictionary(uniqueKeysWithValues: problems))
            }
        }
    }

    private static let outdatedLayout =
        "layout-key=masonry-1,length=900,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,columns=4,choice=shortest"

    /// Requests that are refused, each for another reason that applies to any operation.
    private static func refused(_ operation: Operation, _ sample: Sample) -> [Sample] {
        var requests = [
            sample.with("Host", ""), sample.with("Host", "example.org"), sample.adding("%4"), sample.adding("what=1"),
            sample.with("Content-Encoding", "gzip"),
        ]
        if operation.problems[401] != nil {
            // Wrong tokens from one address are limited; this is none.
            requests.append(sample.with("Authorization", "Basic x"))
        }
        if operation.problems[503]?.contains("Revision not yet known here") == true {
            requests += [sample.with("If-Revision-At-Least", "x"), sample.with("If-Revision-At-Least", "1.1")]
        }
        if operation.method != "GET" { requests.append(sample.with("Origin", "http://example.org")) }
        if let parameter = operation.parameters.last {
            requests.append(sample.adding("\(parameter)=1&\(parameter)=1"))
        }
        if !["deletePhoto", "deleteStream", "deleteSession", "useSignInLink"].contains(operation.name) {
            requests.append(sample.with("Accept", "text/css"))
        }
        if sample.body != nil {
            requests += [
                sample.with("Content-Type", "text/plain"), sample.with("Content-Length", "3000000000"),
                sample.saying(["importPhotos", "uploadPicture"].contains(operation.name) ? "" : "{"),
            ]
        }
        if operation.path.contains("{stream}") {
            requests += [sample.of(stream: "unknown"), sample.of(stream: "a%2Fb")]
            if operation.problems[409]?.contains("Not possible with a kept view") == true {
                requests.append(sample.of(stream: "kept"))
            }
        }
        if operation.parameters.contains("revision") { requests.append(sample.adding("revision=1")) }
        if operation.parameters.contains("width") {
            for other in ["", outdatedLayout, "width=900&columns=0"] {
                requests.append(sample.replacing("width=900", with: other))
            }
        }
        return requests + special(operation.name, sample)
    }

    /// A photo whose picture is not there, one whose picture is none, and one that browsers do not show.
    private static let (lostPhoto, textPhoto, tiffPhoto) = ("photo-8", "photo-9", "photo-7")

    private static func locatePictures(_ server: TestServer) throws {
        let records = [(lostPhoto, "lost.jpg"), (textPhoto, "text.jpg"), (tiffPhoto, "a.tif")].map { id, location in
            var record = PhotoRecord(id: PhotoID(stored: id))
            record.location = .set(location)
            return record
        }
        try Data([0x49, 0x49, 42, 0]).write(to: TestServer.pictures(server.file).appending(path: "a.tif"))
        try Data("text".utf8).write(to: TestServer.pictures(server.file).appending(path: "text.jpg"))
        let uploaded = ["taken.png", "gone.png"].map { PhotoRecord(id: PhotoID(stored: $0)) }
        try TestServer.load(records + uploaded, into: TestServer.stream, of: server.file)
    }

    /// A deleted photo, and one that another program added again.
    private static let (deletedPhoto, replacedPhoto) = ("photo-6", "photo-5")

    private static func deletePhotos(_ server: TestServer) throws {
        let ids = [deletedPhoto, replacedPhoto, "gone.png"].map(PhotoID.init(stored:))
        try server.service.deletePhotos(ids, from: TestServer.stream)
        try server.shell(
            """
            INSERT INTO photo (streamId, externalId, width, height)
            SELECT id, '\(replacedPhoto)', 3, 2 FROM stream WHERE name = 'gallery'
            """)
    }

    /// Requests that are refused for what only one operation or a few ask for.
    private static func special(_ operation: String, _ sample: Sample) -> [Sample] {
        let conditional = sample.with("If-Match", "\"x\"")
        switch operation {
        case "listStreams": return [sample.adding("limit=0"), sample.adding("after=a%2Fb")]
        case "createStream":
            return [#"{"stream":"gallery"}"#, #"{"stream":"a/b"}"#].map(sample.saying) + refusedViews(sample)
        case "renameStream":
            return [
                conditional, sample.saying(#"{"stream":"other"}"#),
                sample.of(stream: "kept").saying(#"{"cover":"none"}"#),
            ]
        case "deleteStream":
            return [
                conditional, sample.replacing("with-photos=true", with: ""), sample.replacing("=true", with: "=maybe"),
                sample,
            ]
        case "changeAlbum": return [sample.saying(#"{"add":["none"]}"#), sample.saying("{}")]
        case "moveAlbum":
            return [sample.saying("{}"), sample]
        case "deleteAlbum": return [sample, sample.replacing("Lost", with: "used")]
        case "getChanges":
            return [sample.replacing("since=0", with: ""), sample.replacing("since=0", with: "since=-1")]
        case "getEvents": return [sample.adding("since=-1")]
        case "getSignInPage", "useSignInLink":
            return [Sample(method: sample.method, target: "/sign-in/unknown", fields: ["Accept": "*/*"])]
        case "getGalleryFile": return [sample.replacing("photostream.js", with: "none.js")]
        case "listPhotos":
            return [
                sample.adding("limit=0"), sample.adding("after=none"), sample.adding(manyIDs), sample.adding(longIDs),
            ]
        case "getPhoto": return [sample.replacing("photo-1", with: "none")]
        case "putPhoto":
            return [
                conditional, sample.adding("source=x"), sample.saying(#"{"width":0,"height":1}"#),
                sample.adding("source=import").replacing("photo-1", with: deletedPhoto),
            ]
        case "listDeletedPhotos": return [sample.adding("limit=0"), sample.adding("after=none")]
        case "importPhotos": return [sample.adding("restore=maybe")]
        case "restorePhoto":
            return [sample.replacing("photo-9", with: replacedPhoto), sample.replacing("photo-9", with: "none")]
        case "patchPhoto":
            return [
                conditional, sample.adding("source=x"), sample.saying(#"{"alt":5}"#),
                sample.replacing("photo-1", with: "none"),
            ]
        case "listStack": return [sample.replacing("photo-1", with: "none")]
        // The photo is in no stack.
        case "makeCover", "takeApartStack": return [sample, conditional, sample.replacing("photo-1", with: "none")]
        case "resetPhoto": return [conditional, sample.replacing("photo-1", with: "none")]
        case "deletePhoto": return [conditional, sample.replacing("photo-1", with: "none")]
        case "getImage":
            return ["none", "photo-1", lostPhoto, textPhoto].map { sample.replacing("photo-0", with: $0) }
                + [sample.replacing("photo-0", with: tiffPhoto).adding("size=320")]
                + [conditional, sample.with("Range", "bytes=99999999-"), sample.adding("size=1")]
        case "getFilm":
            return ["none", "photo-1", lostPhoto, textPhoto].map { sample.replacing("photo-0", with: $0) }
                + [conditional, sample.with("Range", "bytes=99999999-")]
        case "getThumbnail":
            return [
                sample.replacing("640.webp", with: "641.webp"), sample.replacing(TestServer.pictureKey, with: "x"),
                sample.replacing("640.webp", with: "960.webp"), sample.adding("e=1&s=x"),
            ]
        case "movePhoto":
            return [conditional, sample.saying(#"{"after":"photo-1"}"#), sample.saying(#"{"after":"none"}"#)]
        case "uploadPicture":
            return ["name=.a.png", "name=\(SamplePicture.name)", "name=taken.png", "name=gone.png", ""].map {
                sample.replacing("name=new.png", with: $0)
            } + [sample.of(stream: "other"), sample.saying("text")]
        case "getLayout": return [sample.adding("limit=0")]
        case "getPage": return [sample.adding("limit=0"), sample.replacing("width=900", with: "cursor=x")]
        case "getRect":
            return [sample.adding("limit=0"), sample.replacing("width=900&rect=0,0,900,900", with: "cursor=x")]
        case "getItems":
            return [
                sample.adding("count=0"), sample.adding("from=9999"), sample.adding(manyIDs), sample.adding(longIDs),
            ]
        case "getCluster":
            let map = "width=900&algorithm=map&cluster=72"
            return [
                sample.adding("limit=0"), sample.replacing("&unlocated=true", with: ""),
                sample.replacing(map + "&unlocated=true", with: "cursor=x"),
                sample.replacing(map, with: outdatedLayout),
            ]
        case "findPlaces": return [sample.adding("limit=0"), sample.replacing("query=zur", with: "")]
        case "getElements": return [sample.adding("limit=0"), sample.adding("section=9999")]
        case "locatePhoto": return [sample.adding("limit=0"), sample.replacing("photo-1", with: "none")]
        case "getItemAt": return [sample.replacing("x=1", with: "x=a")]
        case "getScrubber": return [sample.adding("steps=0")]
        case "getTarget": return [sample.replacing("viewport=900", with: "viewport=-900")]
        case "getUpdates": return [sample.replacing("rect=0", with: "rect=a")]
        default: return []
        }
    }

    /// Kept views of a stream that is unknown, or is a kept view.
    private static func refusedViews(_ sample: Sample) -> [Sample] {
        ["unknown", "kept"].map { sample.saying(#"{"stream":"new","source":"\#($0)","where":"a"}"#) }
    }

    @Test func `every operation returns exactly the problems of the description`() async throws {
        try await TestServer.with(photos: 10) { server in
            try server.service.createStream(StreamName(stored: "other"))
            try server.service.createView(
                StreamName(stored: "kept"), of: TestServer.stream, where: Condition(parsing: "-tag:none -album:used"))
            try Self.locatePictures(server)
            try Self.deletePhotos(server)
            for operation in try Self.operations(server) {
                let sample = try #require(RouteCodeTests.samples[operation.name])
                var found: Set<String> = []
                for request in Self.refused(operation, sample) {
                    let answer = try RouteCodeTests.send(request, server)
                    let title = answer.json["title"] as? String ?? ""
                    #expect(
                        operation.problems[answer.status]?.contains(title) ?? false,
                        "\(operation.name) \(request.target): \(answer.status) \(answer.text.prefix(300))")
                    found.insert(title)
                    if Self.blaming.contains(answer.problem ?? "") {
                        let parameter = try #require(answer.json["parameter"] as? String, "\(answer.text)")
                        let isMember = request.body?.contains("\"\(parameter)\"") ?? false
                        #expect(
                            isMember || ["what", "If-Revision-At-Least"].contains(parameter)
                                || operation.parameters.contains(parameter)
                                || operation.path.contains("{\(parameter)}"), "\(operation.name): \(answer.text)")
                    }
                }
                let named = operation.problems.values.reduce(into: Set<String>()) { $0.formUnion($1) }
                #expect(named.subtracting(found).subtracting(Self.states) == [], "\(operation.name)")
            }
        }
    }

    @Test func `every address answers other methods with the described ones`() async throws {
        try await TestServer.with(photos: 1) { server in
            let operations = try Self.operations(server)
            for (path, operations) in Dictionary(grouping: operations, by: \.path) {
                let methods = Set(operations.map(\.method))
                let allowed = methods.union(methods.contains("GET") ? ["HEAD"] : [])
                let target = path.replacing("{stream}", with: "gallery").replacing("{photo}", with: "photo-1")
                    .replacing("{key}", with: "x").replacing("{file}", with: "640.webp")
                for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
                where !allowed.contains(method) {
                    let answer = try server.client(method, target)
                    #expect(answer.status == 405, "\(method) \(path)")
                    let told = answer.fields["allow"]?.components(separatedBy: ", ") ?? []
                    #expect(Set(told) == allowed && told.count == allowed.count, "\(method) \(path): \(told)")
                }
            }
        }
    }
}

extension RouteCodeTests.Sample {
    /// The same with another piece of its address.
    func replacing(_ piece: String, with other: String) -> RouteCodeTests.Sample {
        var sample = self
        sample.target = target.replacing(piece, with: other)
        return sample
    }
}
