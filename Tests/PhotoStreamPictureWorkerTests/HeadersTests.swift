import CVips
import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// The real files of `../shared/data/images`, and what exiftool and Pillow say of them.
enum SharedImages {
    struct Row: Decodable {
        var file: String
        var format: String?
        var status: String
        var orientation: Int?
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data")
    static let isPresent = FileManager.default.fileExists(atPath: folder.appending(path: "images_oracle.jsonl").path)
    static let isStarted: Bool = photostream_vips_start("tests") == 0

    /// Lines as dictionaries: sizes are numbers, texts or null.
    static func lines() throws -> [[String: Any]] {
        try String(contentsOf: folder.appending(path: "images_oracle.jsonl"), encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }
}

@Suite(.serialized)
struct HeadersTests {
    private func header(_ path: String) throws(PictureFailure) -> PictureHeader {
        precondition(SharedImages.isStarted)
        let root = SharedImages.folder.appending(path: "images").path
        return try HeaderReader.header(of: OpenedPicture(root: root, path: path))
    }

    @Test(.enabled(if: SharedImages.isPresent, "../shared/data is missing"))
    func oracleFiles() throws {
        for line in try SharedImages.lines() {
            let path = try #require(line["file"] as? String)
            let status = line["status"] as? String
            let found = Result { () throws(PictureFailure) in try header(path) }
            switch (status, found) {
            case ("agree", .success(let header)):
                let size = header.size.applying(header.orientation)
                #expect(line["display"] as? [Int] == [Int(size.width), Int(size.height)], "\(path)")
            case ("agree", .failure(let failure)):
                Issue.record("\(path): \(failure)")
            case ("unreadable", .success(let header)):
                Issue.record("\(path): \(header)")
            default: print(status ?? "", path, line["display"] ?? "", found)
            }
        }
    }
}
