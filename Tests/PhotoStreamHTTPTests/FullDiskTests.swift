import Foundation
import PhotoStreamHTTP
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService
@testable import PhotoStreamStorage

/// A file on a disk that is full.
@Suite(.withoutPrimary) struct FullDiskTests {
    @Test func `on a full disk, every write answers 507 and reads continue`() async throws {
        try await TestServer.with(photos: 40) { server in
            try server.service.database.limitPages(to: 1)
            // The free space in the file is used first.
            let text = String(repeating: "x", count: 4_000)
            var (status, number) = (201, 0)
            while status == 201 {
                number += 1
                let answer = try server.client(
                    "PUT", "/v1/streams/gallery/photos/full-\(number)", ["Content-Type": "application/json"],
                    body: Array(#"{"width":3,"height":2,"caption":"\#(text)"}"#.utf8))
                status = answer.status
                guard status != 201 else { continue }
                #expect(status == 507 && answer.problem == "disk-full", "\(answer.text)")
                #expect(answer.json["detail"] as? String == "the disk is full; make room, then ask again")
                #expect(answer.fields["retry-after"] == nil)
            }
            var refused = 0
            for (name, sample) in RouteCodeTests.samples.sorted(by: { $0.key < $1.key }) {
                // The stream is needed to the end, and news has no end.
                guard name != "getEvents", name != "deleteStream" else { continue }
                let answer = try RouteCodeTests.send(sample, server)
                // Some writes need no room, and some samples are refused anyway.
                let isExpected = answer.status < 500 || answer.status == 507
                #expect(isExpected, "\(name): \(answer.status) \(answer.text.prefix(300))")
                if answer.status == 507 { refused += 1 }
            }
            #expect(refused > 0)
            #expect(try server.client("GET", "/readyz").status == 200)
            try server.service.database.limitPages(to: 1 << 30)
            let sample = try #require(RouteCodeTests.samples["putPhoto"])
            #expect(try RouteCodeTests.send(sample, server).status < 300)
            try server.service.database.limitPages(to: 1)
            let deletion = try RouteCodeTests.send(#require(RouteCodeTests.samples["deleteStream"]), server)
            #expect(deletion.status < 300 || deletion.status == 507, "\(deletion.text)")
        }
    }
}

extension PhotoDatabase {
    /// Limits the file to a number of pages, at least those that it has, for writes of this database.
    fileprivate func limitPages(to count: Int) throws {
        try writeLocally { writer in
            _ = try RawStatement(writer.database, sql: "PRAGMA max_page_count = \(count)").first { $0.integer(0) }
        }
    }
}
