import Foundation
import PhotoStreamModel
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// A file that is deleted or replaced under a running server.
@Suite struct FileMovedRouteTests {
    private static let photos = "/v1/streams/gallery/photos"
    private static let writes: [(method: String, target: String, type: String, body: String)] = [
        ("PUT", "\(photos)/new", "application/json", #"{"width":3,"height":2}"#),
        ("PATCH", "\(photos)/photo-1", "application/merge-patch+json", #"{"caption":"x"}"#),
        ("DELETE", "\(photos)/photo-1", "", ""),
        ("POST", "/v1/streams", "application/json", #"{"stream":"late"}"#),
        ("POST", photos, "application/jsonl", #"{"id":"imported","width":3,"height":2}"#),
    ]

    private static func expectRefusals(_ server: TestServer) throws {
        for write in writes {
            let fields = write.type.isEmpty ? [:] : ["Content-Type": write.type]
            let answer = try server.client(
                write.method, write.target, fields, body: write.body.isEmpty ? nil : Array(write.body.utf8))
            #expect(answer.status == 503 && answer.problem == "file-moved", "\(write) \(answer.text)")
        }
        #expect(try eventually { try server.client("GET", "/readyz").status == 503 })
    }

    @Test func `a deleted file can be read but not written`() async throws {
        try await TestServer.with { server in
            #expect(try server.client("GET", "\(Self.photos)/photo-1").status == 200)
            try FileManager.default.removeItem(atPath: server.file.path)
            try Self.expectRefusals(server)
            #expect(try server.client("GET", "\(Self.photos)/photo-1").status == 200)
        }
    }

    @Test func `a replaced file is neither read nor written`() async throws {
        try await TestServer.with { server in
            #expect(try server.client("GET", "\(Self.photos)/photo-1").status == 200)
            let other = try TemporaryDatabase()
            try other.open().close()
            let path = server.file.path
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            try FileManager.default.copyItem(atPath: other.path, toPath: path)
            try Self.expectRefusals(server)
            for target in ["\(Self.photos)/photo-1", "/v1/streams/gallery/layout?width=500", "/v1/streams"] {
                let answer = try server.client("GET", target)
                #expect(answer.status == 503 && answer.problem == "file-moved", "\(target) \(answer.text)")
            }
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            #expect(try server.client("GET", "\(Self.photos)/photo-1").status == 200)
            #expect(try server.client("GET", "\(Self.photos)/imported").status == 404)
        }
    }
}
