import Foundation

/// A file as version 0.1.0 left it: moved photos, equal times, dates of every precision, undated photos, a map, a log.
package enum OldFile {
    /// What makes it, as the `sqlite3` shell dumps it.
    package static var sql: String {
        get throws {
            let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Tests/PhotoStreamStorageTests/Golden/version-0.1.0.sql")
            return try String(contentsOf: tests, encoding: .utf8)
        }
    }

    /// The stream with the photos; two more are there, `quiet` with two photos, and `empty`.
    package static let stream = "photos"
    /// The last revision of the stream, which is that of the file.
    package static let revision: Int64 = 48
    /// How many photos all streams have.
    package static let photoCount = 30
    /// A cursor to the second page by three of the layout of 600 points.
    package static let cursor = """
        AQMAAAAAAAAAYQAAAAAAAABtYXNvbnJ5LTIsbGVuZ3RoPTYwMCxzY2FsZT0xLGluc2V0PTA6MDowOjAsaW50ZXJpdGVtPTAsbGluZT0wLGNhcHRp\
        b249MCxjb2x1bW5zPTQsY2hvaWNlPXNob3J0ZXN0iJCecNwAAAAAAHAAAAAAADAAAAAAAAAAAwAAAQAAAAABAQBkWsIDAChUAVTvXe-9swcRz_XpS5U
        """
}
