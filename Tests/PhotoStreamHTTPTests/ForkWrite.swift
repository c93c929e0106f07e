import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// A write that no other is like.
struct ForkWrite {
    enum Kind: CaseIterable {
        case put, sql, replace, delete, imports, picture, other

        /// Those of another program.
        static let ofOtherPrograms: [Self] = [.sql, .replace, .other]
    }

    let id: Int
    let kind: Kind
    let photo: Int

    /// Its number in the history of the stream; `nil` if it does not change the stream.
    var number: Int? { [.picture, .other].contains(kind) ? nil : id }

    /// The statement of another program, in SQLite's or PostgreSQL's words; `nil` for a write that is none.
    func sql(forPrimary isPrimary: Bool) -> String? {
        switch kind {
        case .sql: "UPDATE photo SET title = '\(id)', width = \(1 + id % 7), height = 2 WHERE streamId = 1"
        case .replace:
            """
            \(isPrimary ? "INSERT" : "REPLACE") INTO photo
                (streamId, externalId, width, height, takenAtMilliseconds, takenAtPrecision)
            VALUES (1, 'f\(photo)', \(1 + id % 9), 3, \(id % 4), 5)
            \(isPrimary ? "ON CONFLICT (streamId, externalId) DO UPDATE SET width = excluded.width, title = '\(id)'" : "")
            """
        case .other: "INSERT INTO photo (streamId, externalId, width, height) VALUES (2, 'o\(id)', 3, 2)"
        case .put, .delete, .imports, .picture: nil
        }
    }

    /// Writes by the server, or by another program.
    func run(_ server: TestServer) throws {
        let target = "/v1/streams/gallery/photos/f\(photo)"
        let json = ["Content-Type": "application/json"]
        switch kind {
        case .put:
            let body = #"{"width":\#(2 + id % 5),"height":2,"caption":"\#(id)"}"#
            #expect(try server.client("PUT", target, json, body: Array(body.utf8)).status < 300)
        case .sql, .replace, .other:
            if let sql = sql(forPrimary: server.file.primary != nil) { try server.file.write(sql) }
        case .delete:
            let body = Array(#"{"width":\#(2 + id % 5),"height":2}"#.utf8)
            #expect(try server.client("PUT", target, json, body: body).status < 300)
            #expect(try server.client("DELETE", target).status < 300)
        case .imports:
            // Fields that a person has put stay unchanged, so others are only imported.
            let lines = ["f\(photo)", "j\(photo)", "j\(photo + 1)"].map {
                #"{"id":"\#($0)","width":\#(1 + id % 6),"height":2,"alt":"\#(id)"}"#
            }
            let body = Array(lines.joined(separator: "\n").utf8)
            let type = ["Content-Type": "application/jsonl"]
            #expect(try server.client("POST", "/v1/streams/gallery/photos", type, body: body).status < 300)
        case .picture:
            let database = try PhotoDatabase(path: server.file.path, access: .existing, primary: server.file.primary)
            defer { try? database.close() }
            try database.write { writer in
                guard let photo = try writer.reader.picturedPhoto(streamID: 1, id: PhotoID(stored: SampleRecords.id(0)))
                else { return }
                let picture = PictureRow(
                    byteCount: 1, modifiedNanoseconds: 1, orientation: .up, state: .ready,
                    fileHash: Array(repeating: UInt8(truncatingIfNeeded: id), count: 32),
                    key: PictureKey(TestServer.pictureKey),
                    placeholder: [1, 2, 3], color: RGBColor(rawValue: UInt32(id)))
                try writer.savePictures([(photo, picture)], now: Int64(id) * 300)
            }
        }
    }
}
