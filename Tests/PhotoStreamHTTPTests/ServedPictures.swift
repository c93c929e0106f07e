import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport

/// A server, and photos with pictures.
struct ServedPictures {
    let server: TestServer

    /// The first bytes of a JPEG file.
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    /// Writes a file beneath the root; as old as the year 2001, so that its validators are strong.
    func write(_ name: String, _ bytes: [UInt8], isOld: Bool = true) throws {
        try Data(bytes).write(to: url(name))
        if isOld { try age(name) }
    }

    func age(_ name: String, to seconds: Double = 1_000_000_000.25) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: url(name).path)
    }

    func url(_ name: String) -> URL { TestServer.pictures(server.file).appending(path: name) }

    /// The address of the picture of a photo of that location.
    func target(_ location: String?, id: String = "photo-1") throws -> String {
        var record = PhotoRecord(id: PhotoID(stored: id))
        record.location = location.map { .set($0) } ?? .clear
        try TestServer.load([record], into: TestServer.stream, of: server.file)
        let unreserved = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
        let name = id.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        return "/v1/streams/gallery/photos/\(name)/image"
    }

    func callAsFunction(_ location: String?, _ fields: [String: String] = [:]) throws -> HTTPClient.Answer {
        try server.client("GET", target(location), fields)
    }

    /// Runs a server with a few photos for a test.
    static func with(_ test: @escaping @Sendable (ServedPictures) throws -> Void) async throws {
        try await TestServer.with(photos: 5) { server in try test(ServedPictures(server: server)) }
    }
}
