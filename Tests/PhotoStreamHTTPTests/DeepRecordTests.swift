import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// Records of an import in bulk that are nested deep.
@Suite(.withoutPrimary) struct DeepRecordTests {
    private static func record(_ id: String, depth: Int) -> String {
        let value = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        return #"{"id":"\#(id)","width":3,"height":2,"x":\#(value)}"#
    }

    @Test func `only a record that is nested too deeply is rejected, as by the command`() async throws {
        let lines = [
            Self.record("flat", depth: 2), Self.record("deeper than a body", depth: 65),
            Self.record("deepest", depth: 512), Self.record("too deep", depth: 513),
            Self.record("far too deep", depth: 100_000), Self.record("last", depth: 2),
            String(repeating: "[", count: 100_000),
        ]
        try await TestServer.with(photos: 1) { server in
            let body = Array(lines.joined(separator: "\n").utf8)
            let answer = try server.client(
                "POST", "/v1/streams/gallery/photos", ["Content-Type": "application/jsonl"], body: body)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(["read", "inserted", "rejected"].map { answer.json[$0] as? Int } == [7, 4, 3])
            let rejects = try #require(answer.json["rejects"] as? [[String: Any]])
            #expect(rejects.map { $0["line"] as? Int } == [4, 5, 7])
            let reason = "the record is nested deeper than 512 levels"
            #expect(rejects.map { $0["reason"] as? String }.prefix(2) == [reason, reason])

            let source = server.file.folder + "/deep.jsonl"
            try Data(body).write(to: URL(filePath: source))
            let (command, output) = (Process(), Pipe())
            command.executableURL = BuiltCommand.url
            command.arguments = ["import", "--database", server.file.path, "--stream", "other", "--json", source]
            (command.standardOutput, command.standardError) = (output, FileHandle.nullDevice)
            try command.run()
            let report = try JSONSerialization.jsonObject(with: output.fileHandleForReading.readDataToEndOfFile())
            command.waitUntilExit()
            let counts = try #require(report as? [String: Any])
            for name in ["read", "inserted", "duplicate", "rejected"] {
                #expect(counts[name] as? Int == answer.json[name] as? Int, "\(name)")
            }
        }
    }
}
