import Foundation
import Testing

/// The command `photostream pictures`, without a worker.
@Suite struct PicturesCommandTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    @Test func `status, verify and clear work without thumbnails`() throws {
        try photostream.write(
            "p.jsonl", "{\"id\":\"a\",\"width\":3,\"height\":2}\n{\"id\":\"b\",\"width\":1,\"height\":2}\n")
        try photostream("import", "--stream", "s", "p.jsonl")
        let status = try photostream("pictures", "--json")
        #expect(status.status == 0)
        let stream = try #require((try status.json["streams"] as? [[String: Any]])?.first)
        #expect(stream["ready"] as? Int == 0 && stream["failed"] as? Int == 0 && stream["pending"] as? Int == 2)
        #expect(try status.json["stored"] as? Int == 0 && status.json["bytes"] as? Int == 0)
        #expect(try photostream("pictures", "status").output.contains("0 pictures stored"))
        #expect(try photostream("pictures", "verify").output == "read 0 thumbnails: all is well\n")
        #expect(try photostream("pictures", "clear").status == 0)
        #expect(try photostream("pictures", "clear", "--keep-results", "--json").json["results"] as? Bool == false)
        #expect(try photostream("pictures", "warm", "--stream", "none").status == 1)
    }
}
