import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// The types of files, by their first bytes.
@Suite struct PictureTypeTests {
    private static func box(_ brands: String..., length: Int? = nil) -> [UInt8] {
        let names = brands.dropFirst().joined()
        let body = Array("ftyp\(brands[0])".utf8) + [0, 0, 0, 0] + Array(names.utf8)
        let count = length ?? body.count + 4
        return [0, 0, UInt8(count >> 8), UInt8(count & 255)] + body
    }

    private static let heads: [(head: [UInt8], type: PictureType?)] = [
        ([0xFF, 0xD8, 0xFF, 0xE1], .jpeg), ([0xFF, 0xD8], nil), ([0xFF, 0xD8, 0], nil),
        ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png), ([0x89] + Array("PNG\n\n\u{1A}\n".utf8), nil),
        (Array("GIF89a".utf8), .gif), (Array("GIF87a".utf8), .gif), (Array("GIF88a".utf8), nil),
        (Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8), .webP),
        (Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WAVE".utf8), nil), (Array("RIFF".utf8), nil),
        ([0x49, 0x49, 42, 0], .tiff), ([0x4D, 0x4D, 0, 42], .tiff), ([0x49, 0x49, 43, 0], .tiff),
        ([0x49, 0x49, 0, 42], nil),
        (Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 1], .bmp),
        (Array("BMW is a make of expensive cars".utf8), nil),
        ([0xFF, 0x0A, 1, 2], .jpegXL), ([0, 0, 0, 12] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], .jpegXL),
        (box("avif", "mif1", "miaf"), .avif), (box("mif1", "avif"), .avif), (box("avis", "msf1"), .avif),
        (box("heic", "mif1"), .heic), (box("mif1", "heic"), .heic), (box("hevc"), .heicSequence),
        (box("mif1", "miaf"), .heif), (box("isom", "mp42"), nil), (box("crx ", "isom"), nil),
        (box("isom", "avif", length: 16), nil), (box("avif", length: 8), nil),
        (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), nil), (Array("<!DOCTYPE html>".utf8), nil),
        (Array("<?xml version='1.0'?><svg/>".utf8), nil), (Array("%PDF-1.7".utf8), nil), ([], nil), ([0], nil),
        (Array("\u{FEFF}<html>".utf8), nil), (Array("root:x:0:0:root:/root:/bin/bash\n".utf8), nil),
    ]

    @Test(arguments: heads) func `the first bytes determine the type of a file`(head: [UInt8], type: PictureType?) {
        #expect(PictureType(head: head) == type)
        // Further bytes change nothing, and a truncated file causes no error.
        #expect(PictureType(head: head + [UInt8](repeating: 0x3C, count: 400)) == type || type == nil)
        for count in 0..<head.count { _ = PictureType(head: Array(head[..<count])) }
    }

    /// Files whose names do not show their contents.
    private static let types: [String: PictureType?] = [
        "avif": .avif, "gif": .gif, "heic": .heic, "heif": .heic, "ico": nil as PictureType?, "jpg": .jpeg,
        "jxl": .jpegXL,
        "png": .png, "svg": nil as PictureType?, "tif": .tiff, "tiff": .tiff, "webp": .webP,
    ]

    @Test(.enabled(if: RealData.isAvailable()))
    func `real files have the types of their names, except for damaged ones`() throws {
        let folder = RealData.directory().appending(path: "images")
        let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var counts: [String: Int] = [:]
        for name in names where !name.contains("invalid") {
            guard let expected = Self.types[URL(filePath: name).pathExtension.lowercased()] else { continue }
            let head = try FileHandle(forReadingFrom: folder.appending(path: name))
                .read(upToCount: PictureType.headByteCount)
            let type = PictureType(head: [UInt8](head ?? Data()))
            // PngSuite's files that begin with x are broken; four in their first eight bytes.
            guard type != expected else {
                counts[type?.mediaType ?? "none", default: 0] += 1
                continue
            }
            #expect(name.hasPrefix("pngsuite/x") && type == nil, "\(name): \(String(describing: type))")
        }
        #expect(counts.values.reduce(0, +) > 280, "\(counts)")
        #expect(counts.count >= 9, "\(counts)")
    }
}
