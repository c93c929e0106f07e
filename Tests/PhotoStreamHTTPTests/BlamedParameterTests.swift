import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// The parameter, or the member of the body, that a problem blames.
@Suite struct BlamedParameterTests {
    /// A request that is refused for one of its parameters.
    struct Blame: CustomStringConvertible, Sendable {
        let method: String
        let target: String
        let body: String?
        let problem: String
        let parameter: String

        init(_ method: String, _ target: String, _ problem: String, _ parameter: String) {
            (self.method, self.target, body) = (method, "/v1/streams" + target, nil)
            (self.problem, self.parameter) = (problem, parameter)
        }

        init(_ method: String, _ target: String, _ body: String, _ problem: String, _ parameter: String) {
            (self.method, self.target, self.body) = (method, "/v1/streams" + target, body)
            (self.problem, self.parameter) = (problem, parameter)
        }

        var description: String { "\(method) \(target) \(body ?? "")" }
    }

    private static let photo = "/gallery/photos/photo-1"
    private static let layout = "/gallery/layout"

    static let names: [Blame] = [
        Blame("GET", "/a%2Fb", "invalid-name", "stream"),
        Blame("GET", "/a%2Fb/photos/x", "invalid-name", "stream"),
        Blame("GET", "/gallery/photos/%2e", "invalid-name", "photo"),
        Blame("GET", "/gallery/photos/none", "unknown-photo", "photo"),
        Blame("GET", "/gallery/photos/none/image", "unknown-photo", "photo"),
        Blame("GET", "/gallery/photos?after=", "invalid-name", "after"),
        Blame("GET", "/gallery/photos?after=none", "unknown-photo", "after"),
        Blame("GET", layout + "/locate?width=9&photo=", "invalid-name", "photo"),
        Blame("GET", layout + "/locate?width=9&photo=none", "unknown-photo", "photo"),
        Blame("POST", "", #"{"stream":"a/b"}"#, "invalid-name", "stream"),
        Blame("PATCH", "/gallery", #"{"stream":""}"#, "invalid-name", "stream"),
        Blame("PATCH", "/none", #"{"stream":"a"}"#, "unknown-stream", "stream"),
        Blame("DELETE", "/gallery", "stream-not-empty", "with-photos"),
        Blame("PUT", "/gallery/photos/%2e", "{}", "invalid-name", "photo"),
        Blame("PATCH", "/gallery/photos/none", "{}", "unknown-photo", "photo"),
        Blame("DELETE", "/gallery/photos/none", "unknown-photo", "photo"),
        Blame("POST", "/gallery/photos/none/move", #"{"after":"photo-2"}"#, "unknown-photo", "photo"),
        Blame("POST", photo + "/move", #"{"after":"none"}"#, "unknown-photo", "after"),
        Blame("POST", photo + "/move", #"{"before":"none"}"#, "unknown-photo", "before"),
        Blame("POST", photo + "/move", #"{"before":"photo-2","also":["none"]}"#, "unknown-photo", "also"),
        Blame("POST", photo + "/move", #"{"before":""}"#, "invalid-name", "before"),
        Blame("POST", photo + "/move", #"{"after":".."}"#, "invalid-name", "after"),
        Blame("POST", photo + "/move", #"{"after":"photo-2","also":[""]}"#, "invalid-name", "also"),
        Blame("POST", photo + "/move", "{}", "invalid-body", "before"),
        Blame("POST", photo + "/move", #"{"before":"photo-2","after":"photo-2"}"#, "invalid-body", "after"),
        Blame("POST", photo + "/move", #"{"after":"photo-1"}"#, "invalid-move", "after"),
        Blame("POST", photo + "/move", #"{"before":"photo-1","also":["photo-2"]}"#, "invalid-move", "before"),
        Blame("POST", photo + "/move", #"{"after":"photo-2","also":["photo-2"]}"#, "invalid-move", "also"),
        Blame("POST", photo + "/move", #"{"after":"photo-2","also":["photo-1"]}"#, "invalid-move", "also"),
        Blame(
            "POST", photo + "/move", #"{"after":"photo-2","also":["photo-0","photo-4","photo-0"]}"#, "invalid-move",
            "also"),
    ]

    static let values: [Blame] = [
        Blame("GET", layout + "?width=9%", "bad-escape", "width"),
        Blame("GET", layout + "?width=9&columns=%ff", "bad-escape", "columns"),
        Blame("GET", layout + "?width=9&content-inset=0,5,0,5", "invalid-layout", "content-inset"),
        Blame("GET", layout + "?width=9&section-inset=0,5,0,5", "invalid-layout", "section-inset"),
        Blame("GET", layout + "?width=9&cell-padding=5", "invalid-layout", "cell-padding"),
        Blame("PUT", photo, #"{"id":"photo-2"}"#, "invalid-photo", "id"),
        Blame("PUT", photo, #"{"width":0,"height":3}"#, "invalid-photo", "width"),
        Blame("PUT", photo, #"{"width":3,"height":-1}"#, "invalid-photo", "height"),
        Blame("PUT", photo, #"{"width":3,"height":1000001}"#, "invalid-photo", "height"),
        Blame("PUT", photo, #"{"width":3,"height":1e999}"#, "invalid-photo", "height"),
        Blame("PUT", photo, #"{"width":3,"height":3001}"#, "invalid-photo", "width"),
        Blame("PUT", photo, #"{"width":0.5,"height":501}"#, "invalid-photo", "width"),
        Blame("PUT", photo, #"{"width":3}"#, "invalid-photo", "height"),
        Blame("PUT", photo, #"{"width":null,"height":3}"#, "invalid-photo", "width"),
        Blame("PATCH", photo, #"{"height":1000000}"#, "invalid-photo", "height"),
        Blame("PATCH", photo, #"{"width":1000000}"#, "invalid-photo", "width"),
        Blame("PATCH", photo, #"{"latitude":91,"longitude":0}"#, "invalid-photo", "latitude"),
        Blame("PATCH", photo, #"{"latitude":0,"longitude":-181}"#, "invalid-photo", "longitude"),
        Blame("PATCH", photo, #"{"latitude":null,"longitude":1}"#, "invalid-photo", "latitude"),
        Blame("PATCH", photo, #"{"takenAt":"soon"}"#, "invalid-photo", "takenAt"),
        Blame("PATCH", photo, #"{"color":"pale"}"#, "invalid-photo", "color"),
        Blame("PATCH", photo, #"{"orientation":9}"#, "invalid-photo", "orientation"),
        Blame("PATCH", photo, #"{"alt":"\u0000"}"#, "invalid-photo", "alt"),
        Blame("PATCH", photo, #"{"tags":["a\u0000"]}"#, "invalid-photo", "tags"),
    ]

    @Test(arguments: [names, values])
    func `a problem names the invalid parameter`(blames: [Blame]) async throws {
        try await TestServer.with(photos: 5) { server in
            _ = try server.client(
                "PATCH", "/v1/streams" + Self.photo, ["Content-Type": "application/json"],
                body: Array(#"{"width":40,"height":30}"#.utf8))
            for blame in blames {
                let answer = try server.client(
                    blame.method, blame.target, ["Content-Type": "application/json"],
                    body: blame.body.map { Array($0.utf8) })
                #expect(answer.problem == blame.problem, "\(blame): \(answer.text)")
                #expect(answer.json["parameter"] as? String == blame.parameter, "\(blame): \(answer.text)")
            }
        }
    }
}
