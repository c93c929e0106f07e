import CVips
import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// The real files of `../shared/data/images`, and the values that exiftool and Pillow read from them.
enum SharedImages {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data")
    static let isPresent = FileManager.default.fileExists(atPath: folder.appending(path: "images_oracle.jsonl").path)
    static let isStarted: Bool = photostream_vips_start("tests") == 0

    /// Lines as dictionaries: sizes are numbers, texts or null.
    static func lines() throws -> [[String: Any]] {
        try String(contentsOf: folder.appending(path: "images_oracle.jsonl"), encoding: .utf8).split(separator: "\n")
            .map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
    }
}

@Suite(.serialized)
struct HeadersTests {
    private func header(_ path: String) throws(PictureFailure) -> PictureHeader {
        precondition(SharedImages.isStarted)
        let root = SharedImages.folder.appending(path: "images").path
        return try HeaderReader(exifTool: nil).header(of: OpenedPicture(root: root, path: path))
    }

    /// Files that are refused although exiftool, or exiftool and Pillow, give a size.
    private static let refused: [(suffix: String, kind: PictureFailure.Kind, reason: String)] = [
        (".ico", .notAPicture, "icons are not photos"),
        (".svg", .notAPicture, "drawings are not photos, and their loaders are not safe with hostile files"),
        ("xc1n0g08.png", .damaged, "colour type 1 does not exist"),
        ("xc9n2c08.png", .damaged, "colour type 9 does not exist"),
        ("xd0n2c08.png", .damaged, "bit depth 0 does not exist"),
        ("xd3n2c08.png", .damaged, "bit depth 3 does not exist"),
        ("xd9n2c08.png", .damaged, "bit depth 99 does not exist"),
        ("xhdn0g08.png", .damaged, "the checksum of its header is wrong"),
    ]

    @Test(.enabled(if: SharedImages.isPresent, "../shared/data is missing"))
    func sizesAndOrientationsOfRealFiles() throws {
        var checked = 0
        for line in try SharedImages.lines() {
            let path = try #require(line["file"] as? String)
            let status = try #require(line["status"] as? String)
            let found = Result { () throws(PictureFailure) in try header(path) }
            checked += 1
            if let choice = Self.refused.first(where: { path.hasSuffix($0.suffix) }) {
                #expect(throws: PictureFailure.self, "\(path): \(choice.reason)") { try found.get() }
                if case .failure(let failure) = found { #expect(failure.kind == choice.kind, "\(path)") }
            } else if status == "unreadable", !path.hasSuffix("sample.jxl") {
                // The tools that made the oracle cannot read `sample.jxl`, in which the codestream lies in parts.
                #expect(throws: PictureFailure.self, "\(path)") { try found.get() }
            } else if path.hasSuffix("sample.jxl") {
                #expect(try found.get().size.description == "123x456")
            } else {
                try expect(found.get(), toBeAsIn: line, path: path)
            }
        }
        #expect(checked == 336)
    }

    private func expect(_ header: PictureHeader, toBeAsIn line: [String: Any], path: String) throws {
        let size = header.size.applying(header.orientation)
        #expect(line["display"] as? [Int] == [Int(size.width), Int(size.height)], "\(path)")
        // Decoders turn the pictures of these formats themselves.
        guard ![.heic, .avif, .jpegXL].contains(header.format) else { return #expect(header.orientation == .up) }
        #expect(line["orientation"] as? Int ?? 1 == Int(header.orientation.rawValue), "\(path)")
    }

    @Test(.enabled(if: SharedImages.isPresent, "../shared/data is missing"))
    func headersPerSecond() throws {
        let paths = try SharedImages.lines().compactMap { $0["file"] as? String }
        let clock = ContinuousClock()
        var read = 0
        let time = clock.measure { for path in paths where (try? header(path)) != nil { read += 1 } }
        print("headers: \(read) of \(paths.count) files in \(time)")
        #expect(read > 250)
    }
}
