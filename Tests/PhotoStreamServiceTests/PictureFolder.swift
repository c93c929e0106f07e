import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Testing

/// A stream with one photo, and a folder of pictures for it.
struct PictureFolder {
    let gallery: Gallery
    /// Holds `root`, the first root, and what is outside of it.
    let folder: URL
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("a picture".utf8)
    /// The error of its photo if no root has the file.
    static let unreachable = PictureError.unreachable(photo: "p")
    /// The error of its photo if the file is not a picture.
    static let noPicture = PictureError.notAPicture(photo: "p")

    init() throws {
        gallery = try Gallery()
        folder = URL(filePath: gallery.temporary.folder).resolvingSymlinksInPath().appending(path: "pictures")
        try makeFolder("root/sub")
        try write("root/a.jpg", Self.jpeg)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// The picture of a photo of that location.
    func picture(_ location: String?, in stream: StreamName = Gallery.stream) throws -> PictureSource {
        var record = PhotoRecord(id: PhotoID(stored: "p"))
        record.location = location.map { .set($0) } ?? .clear
        try gallery.load([record])
        return try gallery.service.picture(of: record.id, in: stream)
    }

    /// The bytes of the picture of a photo of that location.
    func bytes(_ location: String) throws -> [UInt8] {
        guard case .file(let file) = try picture(location) else { return [] }
        return try file.bytes(0..<file.version.byteCount)
    }

    func expect(_ error: PictureError, _ locations: String?...) {
        for location in locations {
            #expect(throws: error, "\(location ?? "none")") { try picture(location) }
        }
    }
}
