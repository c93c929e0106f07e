import Foundation
import Glibc
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Files that are not pictures, cannot be opened, or were changed by chance.
@Suite(.serialized)
struct HeadersBadInputTests {
    @Test(
        arguments: [
            ([], .damaged, "The file is empty."),
            (Array("plain text".utf8), .notAPicture, "The content is not a picture of a known format."),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0], .damaged, "The picture's header is cut off or damaged."),
            (Array("BM".utf8), .damaged, "The picture's header is damaged."),
            (
                HeaderFiles.bitmapHeader(width: 1_000_001, height: 2_000), .tooLarge,
                "Its size cannot be used: width 1000001 is over 1000000 pixels."
            ),
            (
                HeaderFiles.bitmapHeader(width: 2_000, height: 1), .tooLarge,
                "Its size cannot be used: 2000 by 1 is a ratio over 1000 to 1."
            ),
            (
                HeaderFiles.bitmapHeader(width: -3, height: 2), .damaged,
                "Its size cannot be used: width -3 is not positive."
            ),
        ] as [([UInt8], PictureFailure.Kind, String)])
    func badContent(bytes: [UInt8], kind: PictureFailure.Kind, reason: String) {
        #expect(throws: PictureFailure(kind, reason: reason)) { try HeaderFiles.header([("a.jpg", bytes)]) }
    }

    @Test(
        arguments: [
            ("missing.jpg", .missing, "There is no such file."),
            ("folder", .notAPicture, "It is not a regular file."),
            ("fifo", .notAPicture, "It is not a regular file."),
            ("escape", .denied, "It is not permitted to open the file."),
            ("a.bmp\0.jpg", .missing, "There is no such file."),
        ] as [(String, PictureFailure.Kind, String)])
    func badFile(path: String, kind: PictureFailure.Kind, reason: String) throws {
        try HeaderFiles.withFolder { folder in
            let (root, outside) = (folder.appending(path: "root"), folder.appending(path: "outside.bmp"))
            try FileManager.default.createDirectory(
                at: root.appending(path: "folder"), withIntermediateDirectories: true)
            try Data(HeaderFiles.bitmap).write(to: outside)
            try Data(HeaderFiles.bitmap).write(to: root.appending(path: "a.bmp"))
            #expect(mkfifo(root.appending(path: "fifo").path, 0o600) == 0)
            #expect(symlink(outside.path, root.appending(path: "escape").path) == 0)
            #expect(throws: PictureFailure(kind, reason: reason)) { try OpenedPicture(root: root.path, path: path) }
        }
    }

    @Test func devicesAreNotOpened() {
        #expect(throws: PictureFailure(.notAPicture, reason: "It is not a regular file.")) {
            try OpenedPicture(root: "/dev", path: "zero")
        }
    }

    @Test func longSidecarIsLeftOut() throws {
        let bytes = [UInt8](repeating: 0x20, count: Int(HeaderReader.maximumSidecarByteCount) + 1)
        let found = try HeaderFiles.header([("a.bmp", HeaderFiles.bitmap), ("a.xmp", bytes)])
        #expect(found.sidecar == nil)
        #expect(found.warnings.map(\.reason) == ["A sidecar has 4194305 bytes, more than 4194304."])
    }

    /// Mutations of each real file; `PHOTOSTREAM_MUTATIONS=100` makes more of them.
    private static let mutationCount =
        ProcessInfo.processInfo.environment["PHOTOSTREAM_MUTATIONS"].flatMap { Int($0) } ?? 1

    @Test(.enabled(if: SharedImages.isPresent, "../shared/data is missing"))
    func mutatedHeadsEndCleanly() throws {
        var state: UInt64 = 16
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let root = SharedImages.folder.appending(path: "images")
        var (read, failed) = (0, 0)
        for line in try SharedImages.lines() {
            guard let path = line["file"] as? String, !path.hasSuffix(".svg"), !path.hasSuffix(".ico") else { continue }
            let original = [UInt8](try Data(contentsOf: root.appending(path: path)).prefix(50_000))
            for _ in 0..<Self.mutationCount {
                var bytes = original
                for _ in 0..<(1 + next(12)) { bytes[next(min(bytes.count, 2_000))] = UInt8(next(256)) }
                if next(4) == 0 { bytes.removeLast(next(bytes.count)) }
                do {
                    _ = try HeaderFiles.header([("a", bytes)])
                    read += 1
                } catch is PictureFailure {
                    failed += 1
                }
            }
        }
        #expect(read > 50 && failed > 50, "\(read) read, \(failed) failed")
    }
}
