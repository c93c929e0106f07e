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
        (box("mif1", "miaf"), .heif), (box("crx ", "isom"), nil), (box("avif", length: 8), nil),
        (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), nil), (Array("<!DOCTYPE html>".utf8), nil),
        (Array("<?xml version='1.0'?><svg/>".utf8), nil), (Array("%PDF-1.7".utf8), nil), ([], nil), ([0], nil),
        (Array("\u{FEFF}<html>".utf8), nil), (Array("root:x:0:0:root:/root:/bin/bash\n".utf8), nil),
    ]

    /// A file whose first elements are these.
    private static func matroska(_ elements: [UInt8], length: UInt8? = nil) -> [UInt8] {
        [0x1A, 0x45, 0xDF, 0xA3, 0x80 | (length ?? UInt8(elements.count))] + elements
    }

    private static func document(_ type: String) -> [UInt8] {
        [0x42, 0x82, 0x80 | UInt8(type.utf8.count)] + Array(type.utf8)
    }

    /// Packets of a transport stream, each after some other bytes.
    private static func packets(_ count: Int, header: [UInt8] = [0x47, 0x40, 0, 0x10], after others: Int = 0) -> [UInt8]
    {
        (0..<count).flatMap { _ in [UInt8](repeating: 9, count: others) + header + [UInt8](repeating: 0xFF, count: 184)
        }
    }

    private static let videoHeads: [(head: [UInt8], type: PictureType?)] = [
        (box("isom", "mp42"), .mp4), (box("mp42", "isom"), .mp4), (box("iso5", "dash"), .mp4),
        (box("M4V ", "mp42"), .mp4),
        (box("isom", "avif", length: 16), .mp4), (box("isom", "3gp4"), .mp4), (box("????", "mp41"), .mp4),
        (box("3gp4", "isom"), .threeGPP), (box("3gp5"), .threeGPP), (box("3g2a", "isom"), .threeGPP2),
        (box("qt  "), .quickTime), (box("qt  ", "isom"), .mp4), (box("jp2 ", "qt  "), .quickTime),
        (box("M4A ", "mp42", "isom"), nil), (box("????"), nil), (box("heic", "mif1", "isom"), .heic),
        ([0, 0, 0, 9] + Array("moov".utf8), .quickTime), ([0, 0, 0, 1] + Array("mdat".utf8), .quickTime),
        ([0, 0, 0, 8] + Array("wide".utf8) + [0, 9, 9, 9] + Array("mdat".utf8), .quickTime),
        (
            [0, 0, 0, 12] + Array("skip1234".utf8) + [0, 0, 0, 8] + Array("wide".utf8) + [0, 0, 1, 0]
                + Array("moov".utf8), .quickTime
        ),
        ([0, 0, 0, 8] + Array("wide".utf8), nil), ([0, 0, 0, 7] + Array("free".utf8) + Array("moov".utf8), nil),
        (Array("All free and moov, says this text.".utf8), nil), (Array("the wide world".utf8), nil),
        (matroska(document("webm")), .webM), (matroska(document("matroska")), .matroska),
        (matroska([0x42, 0x86, 0x81, 1, 0xEC, 0x82, 0, 0] + document("webm") + [0x42, 0x87, 0x81, 4]), .webM),
        (matroska(document("webm\u{0}\u{0}")), .webM), (matroska(document("other")), nil),
        (matroska(document("webm"), length: 3), nil), (matroska([0x42, 0x82, 0xFF]), nil), (matroska([]), nil),
        (matroska([0x42, 0x82, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), nil), (matroska([0, 0]), nil),
        (Array("RIFF".utf8) + [1, 2, 3, 4] + Array("AVI LIST".utf8), .avi),
        ([0, 0, 1, 0xBA, 0x44], .mpeg), ([0, 0, 1, 0xBA, 0x21], .mpeg), ([0, 0, 1, 0xBA, 0x84], nil),
        ([0, 0, 1, 0xBA], nil),
        (packets(3), .mpegTransport), (packets(3, after: 4), .mpegTransport), (packets(2), nil),
        (packets(3, after: 5), nil),
        (packets(3, header: [0x47, 0xC0, 0, 0x10]), nil), (packets(3, header: [0x47, 0x40, 0, 0x90]), nil),
        (packets(3, header: [0x47, 0x40, 0, 0x00]), nil), (packets(3, header: [0x46, 0x40, 0, 0x10]), nil),
    ]

    @Test(arguments: heads + videoHeads)
    func `the first bytes determine the type of a file`(head: [UInt8], type: PictureType?) {
        let head = Array(head.prefix(PictureType.headByteCount))
        #expect(PictureType(head: head) == type)
        // Further bytes change nothing, and a truncated file causes no error.
        #expect(PictureType(head: head + [UInt8](repeating: 0x3C, count: 400)) == type || type == nil)
        for count in 0..<head.count { _ = PictureType(head: Array(head[..<count])) }
    }

    @Test func `damaged first bytes of videos cause no error`() {
        var random = SplitMix64(seed: 13)
        for (head, _) in Self.videoHeads where !head.isEmpty {
            for _ in 0..<500 {
                var damaged = Array(head.prefix(PictureType.headByteCount))
                for _ in 0..<3 {
                    damaged[random.int(in: 0...damaged.count - 1)] = UInt8(random.int(in: 0...255))
                }
                _ = PictureType(head: damaged)
            }
        }
    }

    @Test(
        arguments: [
            (.quickTime, "avc1", "video/mp4"), (.quickTime, "hvc1", "video/mp4"),
            (.quickTime, "jpeg", "video/quicktime"),
            (.quickTime, nil, "video/quicktime"), (.quickTime, "", "video/quicktime"), (.mp4, "avc1", "video/mp4"),
            (.matroska, "avc1", "video/x-matroska"), (.jpeg, "avc1", "image/jpeg"),
        ] as [(PictureType, String?, String)])
    func `a QuickTime file with the tracks of an MP4 file is sent as one`(
        type: PictureType, codec: String?, sent: String
    ) {
        #expect(type.mediaType(codec: codec) == sent)
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
