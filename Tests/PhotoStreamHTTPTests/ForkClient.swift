import Foundation
import PhotoStreamModel
import PhotoStreamService
import Testing

/// The memory of a client of a stream: answers with their validators, its state, and cursors.
struct ForkClient: Sendable {
    /// An answer that the client has cached.
    private struct Cached: Sendable {
        let target: String
        let tag: String
        let body: [UInt8]
        /// Whether it shows results of decoding pictures, which are not part of the stream's history.
        let showsPictures: Bool
        /// The form of the answer.
        let accept: String
    }

    /// The writes to the stream that the client has seen.
    let history: [Int]
    private let state: String
    private let fileState: String
    private var cached: [Cached] = []
    private let photos: [String: String]
    private let order: [String]
    private let cursors: [String]

    private static let layout = "/v1/streams/gallery/layout"
    private static let targets = [
        (layout + "?width=900&fields=frame", false), (layout + "/page?width=900&limit=3&fields=photo,frame", false),
        (layout + "/rect?width=900&rect=0,0,900,900&fields=photo,frame", false),
        (layout + "/items?width=900&from=0&count=2&fields=photo", false), (layout + "/scrubber?width=900", false),
        (layout + "/page?width=900&limit=3", true), ("/v1/streams/gallery/photos?limit=100", true),
        ("/v1/streams/gallery", true), ("/v1/streams/gallery/stats", true),
        ("/v1/streams/gallery/changes?since=0", false), (layout + "/elements?width=900&kind=section-header", false),
        (layout + "/at?width=900&x=20&y=20&fields=photo,frame", false), (layout + "?width=900&where=a", true),
        (layout + "/target?width=900&x=0&y=9&viewport=900,600", false),
        (layout + "/locate?width=900&photo=\(photo)", true),
        ("/v1/streams/gallery/deleted", true), (photoTarget, true), ("/v1/streams", true),
    ]
    private static let photo = "photo-1"
    private static let photoTarget = "/v1/streams/gallery/photos/\(photo)"

    /// Reads everything.
    init(_ server: TestServer, history: [Int]) throws {
        self.history = history
        let page = try server.client("GET", Self.layout + "/page?width=900&limit=2&fields=photo")
        state = try #require(page.json["state"] as? String, "\(page.text)")
        fileState = try server.service.lastState().state
        let rect = try server.client("GET", Self.layout + "/rect?width=900&rect=0,0,900,9000&limit=1&fields=photo")
        cursors = [page, rect].compactMap { $0.json["nextCursor"] as? String }
        (photos, order) = try Self.photos(server)
        for (target, showsPictures) in Self.targets {
            let target = target == Self.targets[0].0 ? target.replacing("&fields=frame", with: "") : target
            // Only whole pages have a binary form.
            for accept in target.hasSuffix("/page?width=900&limit=3")
                ? ["*/*", "application/vnd.photostream.page"] : ["*/*"]
            {
                let answer = try server.client("GET", target, ["Accept": accept])
                // The photo of the questions about one may have been deleted.
                if answer.status == 404, target.contains(Self.photo) { continue }
                try #require(answer.status == 200, "\(target): \(answer.text)")
                cached.append(
                    Cached(
                        target: target, tag: answer.fields["etag"] ?? "", body: answer.body,
                        showsPictures: showsPictures, accept: accept))
            }
        }
    }

    /// Compares every conditional answer with the answer to a client that knows nothing.
    ///
    /// - Parameters:
    ///   - server: The server of a file.
    ///   - now: The writes to the file's stream.
    /// - Throws: The errors of the requests.
    func check(_ server: TestServer, now: [Int]) throws {
        let (isKnown, isCurrent) = (now.starts(with: history), now == history)
        for answer in cached {
            let fresh = try server.client("GET", answer.target, ["Accept": answer.accept])
            let asked = try server.client(
                "GET", answer.target, ["If-None-Match": answer.tag, "Accept": answer.accept])
            if answer.target == Self.photoTarget { try checkWrite(server, of: answer, fresh: fresh) }
            // Statistics count derived data, too, which may be stored between two questions.
            let later = answer.target.hasSuffix("/stats") ? try server.client("GET", answer.target) : fresh
            if asked.status == 304 {
                #expect(
                    fresh.body == answer.body || later.body == answer.body,
                    "304 for another content: \(answer.target)")
            } else {
                #expect(asked.body == fresh.body || answer.target.hasSuffix("/stats"), "\(answer.target)")
                #expect(answer.showsPictures || !isCurrent, "no 304 for the same content: \(answer.target)")
            }
            guard !answer.showsPictures, answer.target.contains("layout") else { continue }
            let lasting = try server.client("GET", answer.target + "&revision=\(state)", ["Accept": answer.accept])
            #expect(lasting.status == (isCurrent ? 200 : 409), "\(answer.target): \(lasting.text.prefix(200))")
            if lasting.status == 200 { #expect(lasting.body == answer.body) }
        }
        try checkChanges(server, isKnown: isKnown, isCurrent: isCurrent)
        for (cursor, route) in zip(cursors, ["page", "rect"]) {
            let answer = try server.client("GET", "\(Self.layout)/\(route)?cursor=\(cursor)&fields=photo")
            #expect(answer.status == (isKnown ? 200 : 410), "\(route): \(answer.text.prefix(200))")
        }
        let first = try EventReader(server.client, "/v1/streams/gallery/events", ["Last-Event-ID": state]).next()?.name
        #expect(first == (isCurrent ? "state" : isKnown ? "change" : "resync"))
        guard let seen = Revision(state: fileState), try seen <= server.service.lastState() else { return }
        let written = try server.client("GET", "/v1/streams/gallery", ["If-Revision-At-Least": fileState])
        #expect(written.status == 200 || !isKnown || written.status == 409)
        if !isKnown { #expect(written.status == 409, "a lost state is vouched for") }
    }

    /// A write with the validator of the photo changes only what the client has seen; it changes nothing here.
    private func checkWrite(_ server: TestServer, of answer: Cached, fresh: HTTPClient.Answer) throws {
        guard fresh.status == 200 else { return }
        let write = try server.client(
            "PATCH", answer.target, ["Content-Type": "application/json", "If-Match": answer.tag],
            body: Array("{}".utf8))
        #expect(write.status == (fresh.fields["etag"] == answer.tag ? 200 : 412), "\(write.text)")
        #expect(write.status == 412 || fresh.body == answer.body, "a write to another content was accepted")
    }

    /// The changes lead exactly from what the client has to what there is, or it reads the stream again.
    private func checkChanges(_ server: TestServer, isKnown: Bool, isCurrent: Bool) throws {
        let target = "/v1/streams/gallery/changes?since=\(state)"
        let answer = try server.client("GET", target, ["Accept": "application/json"]).json
        #expect((answer["reload"] != nil) == !isKnown, "\(answer)")
        let updates = try server.client("GET", Self.layout + "/updates?width=900&rect=0,0,900,900&since=\(state)").json
        #expect((updates["reload"] != nil) == !isKnown, "\(updates)")
        guard let changes = answer["changes"] as? [[String: Any]] else { return }
        let (present, order) = try Self.photos(server)
        var led = photos
        for change in changes {
            let id = try #require(change["id"] as? String)
            let photo = change["photo"].map(Self.text)
            #expect((led[id] == nil) == (change["change"] as? String == "inserted"))
            led[id] = photo
        }
        #expect(led == present)
        #expect(isCurrent == false || changes.isEmpty && order == self.order)
        let stream = try server.client("GET", "/v1/streams/gallery").json
        #expect(answer["state"] as? String == stream["state"] as? String)
    }

    /// The photos as changes show them, without what decodes add.
    private static func photos(_ server: TestServer) throws -> ([String: String], [String]) {
        let answer = try server.client("GET", "/v1/streams/gallery/changes?since=0", ["Accept": "application/json"])
        let changes = try #require(answer.json["changes"] as? [[String: Any]], "\(answer.text.prefix(200))")
        let ids = changes.compactMap { $0["id"] as? String }
        return (
            Dictionary(uniqueKeysWithValues: zip(ids, changes.map { text($0["photo"] ?? "") })), ids
        )
    }

    private static func text(_ value: Any) -> String {
        let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
