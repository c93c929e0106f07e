import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Each bad file with its failure.
@Suite(.serialized)
struct PixelsBadInputTests {
    private func failure(_ body: () throws -> DecodedPicture) -> PictureFailure? {
        do {
            _ = try body()
            return nil
        } catch let failure as PictureFailure {
            return failure
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test func filesThatAreNoPictures() throws {
        let folder = try PictureFolder()
        try folder.write("empty.jpg", [])
        try folder.write("text.jpg", Array("This is a text.".utf8))
        try folder.write("a.bmp", Array("BM".utf8) + [UInt8](repeating: 1, count: 60))
        try folder.write("a.jxl", [0xFF, 0x0A, 0, 0, 0, 0])
        try folder.write("a.cr2", Array("II".utf8) + [42, 0, 16, 0, 0, 0] + Array("CR".utf8) + [2, 0, 0, 0, 0, 0])
        #expect(failure { try folder.decode("empty.jpg") } == PictureFailure(.damaged, reason: "The file is empty."))
        #expect(failure { try folder.decode("text.jpg") }?.kind == .notAPicture)
        #expect(failure { try folder.decode("a.bmp") }?.kind == .unsupported)
        #expect(failure { try folder.decode("a.jxl") }?.kind == .unsupported)
        #expect([.unsupported, .damaged].contains(failure { try folder.decode("a.cr2") }?.kind))
        #expect(failure { try folder.decode("none.jpg") }?.kind == .missing)
        #expect(failure { try folder.decode("text.jpg/a.jpg") }?.kind == .missing)
        #expect(failure { try folder.decode("a\0b.jpg") }?.kind == .missing)
    }

    @Test func filesThatAreNotRegular() throws {
        let folder = try PictureFolder()
        try #require(mkfifo(folder.path("pipe.jpg"), 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder.path("folder.jpg"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.path("out.jpg"), withDestinationPath: "/etc/passwd")
        try FileManager.default.createSymbolicLink(atPath: folder.path("self.jpg"), withDestinationPath: "self.jpg")
        #expect(failure { try folder.decode("pipe.jpg") }?.kind == .notAPicture)
        #expect(failure { try folder.decode("folder.jpg") }?.kind == .notAPicture)
        #expect(failure { try folder.decode("out.jpg") }?.kind == .denied)
        #expect(failure { try folder.decode("self.jpg") }?.kind == .denied)
        #expect(failure { try folder.decode("../a.jpg") }?.kind == .denied)
        #expect(failure { try folder.decode("/etc/passwd") }?.kind == .denied)
    }

    /// A PNG that claims to be this large, and has no pixels.
    private static func emptyPNG(width: UInt32, height: UInt32, isInterlaced: Bool = false) -> [UInt8] {
        func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            let content = Array(name.utf8) + bytes
            var sum: UInt32 = .max
            for byte in content {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            }
            return Self.bytes(UInt32(bytes.count)) + content + Self.bytes(~sum)
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bytes(width) + bytes(height) + [8, 2, 0, 0, isInterlaced ? 1 : 0])
            + chunk("IDAT", [0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]) + chunk("IEND", [])
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
    }

    @Test func picturesThatAreTooLarge() throws {
        let folder = try PictureFolder()
        try folder.write("pixels.png", Self.emptyPNG(width: 50_000, height: 50_000))
        try folder.write("held.png", Self.emptyPNG(width: 20_000, height: 20_000, isInterlaced: true))
        try folder.write("small.png", Self.emptyPNG(width: 200, height: 200))
        let pixels = failure { try folder.decode("pixels.png") }
        #expect(pixels?.kind == .tooLarge)
        #expect(pixels?.reason == "It has 2500000000 pixels, more than 1000000000.")
        #expect(failure { try folder.decode("held.png", memoryLimit: 1 << 30) }?.kind == .tooLarge)
        #expect(failure { try folder.decode("small.png") }?.kind == .damaged)
    }

    @Test func PNGsWithMoreCompressedPixelsThanTheyNeed() throws {
        let folder = try PictureFolder()
        let empty = Self.emptyPNG(width: 10, height: 10)
        // Twice the plain pixels, of 10 lines with 32 bytes, and 64 KiB.
        let limit = 640 + 65_536
        for (name, lengths) in [
            ("enough.png", [limit]), ("more.png", [limit + 1]), ("parts.png", [60_000, limit - 60_000]),
            ("more-parts.png", [60_000, limit - 60_000, 1]),
        ] {
            let parts = lengths.flatMap { length in
                Self.bytes(UInt32(length)) + Array("IDAT".utf8) + [UInt8](repeating: 0x55, count: length)
                    + Self.bytes(0)
            }
            try folder.write(name, Array(empty[..<33]) + parts + Array(empty.suffix(12)))
            let found = failure { try folder.decode(name) }
            #expect(found?.kind == (name.hasPrefix("more") ? .tooLarge : .damaged), "\(name): \(found?.reason ?? "")")
        }
    }

    @Test(arguments: ["webp", "png"]) func whatFollowsAPictureIsNoPartOfIt(type: String) throws {
        let folder = try PictureFolder()
        try folder.makePNG("plain.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        if type == "webp" { try folder.run("vips", "copy", "plain.png", "plain.webp") }
        // More empty chunks than are looked at.
        let empty = [UInt8](repeating: 0, count: 13 * PictureStructure.maximumChunkCount)
        try folder.write("long.\(type)", folder.bytes("plain.\(type)") + empty)
        #expect(failure { try folder.decode("long.\(type)") } == nil)
    }

    @Test(arguments: [5_000, 5_001]) func WebPsWithManyFrames(count: Int) throws {
        let folder = try PictureFolder()
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + Self.bytes(UInt32(content.count)).reversed() + content
        }
        let frames = [[UInt8]](repeating: chunk("ANMF", [UInt8](repeating: 0, count: 16)), count: count)
        let content =
            Array("WEBP".utf8) + chunk("VP8X", [2, 0, 0, 0, 9, 0, 0, 9, 0, 0]) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
            + frames.flatMap { $0 }
        try folder.write("frames.webp", chunk("RIFF", content))
        let found = failure { try folder.decode("frames.webp") }
        // Frames without pixels are damaged, regardless of their number.
        #expect(found?.kind == (count > 5_000 ? .tooLarge : .damaged), "\(found?.reason ?? "")")
        if count > 5_000 { #expect(found?.reason == "It has more than 5000 frames.") }
        // Its header is not read, either.
        let opened = try OpenedPicture(root: folder.url.path, path: "frames.webp")
        let header = Result { try HeaderReader(exifTool: nil).header(of: opened) }
        if count > 5_000 {
            #expect(throws: PictureFailure(.tooLarge, reason: "It has more than 5000 frames.")) { try header.get() }
        }
    }

    @Test(.enabled(if: PictureFolder.hasCommands)) func progressiveJPEGsThatAreTooLarge() throws {
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "copy", "a.png", "a.jpg[interlace]")
        var bytes = try folder.bytes("a.jpg")
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x3E, 0x80, 0xEA, 0x60])
        try folder.write("wide.jpg", bytes)
        #expect(failure { try folder.decode("wide.jpg") }?.kind == .tooLarge)
        // Small enough for the memory, but with a thousand scans.
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x27, 0x10, 0x27, 0x10])
        let end = try #require(
            bytes.indices.last { $0 + 1 < bytes.count && bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 })
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0]
        bytes.replaceSubrange(end..<end, with: (0..<1_000).flatMap { _ in scan })
        try folder.write("scans.jpg", bytes)
        let scans = failure { try folder.decode("scans.jpg") }
        #expect(scans?.kind == .tooLarge)
        #expect(scans?.reason.contains("scans") == true)
    }

    @Test(.enabled(if: PictureFolder.hasCommands), arguments: ["a.jpg", "a.png", "a.webp", "a.tif", "a.gif", "a.heic"])
    func filesThatAreCutOff(name: String) throws {
        let folder = try PictureFolder()
        // Noise: libpng reads 8 KiB at a time, and returns nothing of a truncated block.
        var (numbers, state) = ([UInt8](), UInt32(1))
        for _ in 0..<300 * 200 * 3 {
            state = state &* 1_664_525 &+ 1_013_904_223
            numbers.append(UInt8(state >> 24))
        }
        try folder.makePNG("base.png", pixels: numbers, width: 300, height: 200, bands: 3)
        try folder.run("vips", "copy", "base.png", name)
        let whole = try folder.bytes(name)
        var kinds: Set<PictureFailure.Kind> = []
        var (decodedCount, reasons) = (0, [String]())
        for part in 1..<20 {
            try folder.write("cut", Array(whole.prefix(whole.count * part / 20)))
            if let failure = failure({ try folder.decode("cut", isMeasured: true) }) {
                kinds.insert(failure.kind)
                reasons.append(failure.reason)
            } else {
                decodedCount += 1
            }
        }
        #expect(kinds.isSubset(of: [.damaged, .unsupported, .notAPicture]))
        // Formats that are written from top to bottom show the existing part.
        if ["a.jpg", "a.png"].contains(name) { #expect(decodedCount >= 10, "\(reasons)") }
    }

    @Test(.enabled(if: PictureFolder.hasCommands)) func filesThatChangeMeanwhile() throws {
        let folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        let request = DecodeRequest(
            file: folder.name("a.png"), orientation: nil, thumbnails: [ThumbnailKind(.pixels160, as: .webP)],
            isMeasured: true)
        let whole = try folder.bytes("a.png")
        for limit in [PictureBytes.maximumByteCount, 0] {
            try folder.write("a.png", whole)
            var decoder = Decoder(limits: WorkerLimits())
            decoder.maximumByteCountInMemory = limit
            let file = try OpenedPicture(root: folder.url.path, path: "a.png")
            _ = try decoder.decode(request, file: file)
            #expect(truncate(folder.path("a.png"), off_t(whole.count / 2)) == 0)
            #expect(failure { try decoder.decode(request, file: file) } == OpenedPicture.changed)
            #expect(throws: OpenedPicture.changed) { try ContentHash.hash(of: file) }
            let grown = try OpenedPicture(root: folder.url.path, path: "a.png")
            try folder.write("b.png", whole)
            let handle = try FileHandle(forWritingTo: folder.url.appending(path: "a.png"))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(whole))
            try handle.close()
            #expect(throws: OpenedPicture.changed) { try ContentHash.hash(of: grown) }
        }
    }

    @Test(.enabled(if: SharedImages.isPresent)) func everyOutsideFileGivesPixelsOrReason() throws {
        let folder = try PictureFolder()
        let images = SharedImages.folder.appending(path: "images").path
        var (decodedCount, differences) = (0, [String]())
        for line in try SharedImages.lines() {
            let path = try #require(line["file"] as? String)
            let decoder = Decoder(limits: WorkerLimits())
            let request = DecodeRequest(
                file: PictureFileName(root: images, path: path), orientation: nil,
                thumbnails: [ThumbnailKind(.pixels160, as: .webP)], isMeasured: true)
            let opened = try OpenedPicture(root: images, path: path)
            do throws(PictureFailure) {
                let picture = try decoder.decode(request, file: opened)
                decodedCount += 1
                let size = try? HeaderReader(exifTool: nil).header(of: opened)
                if let size, size.size.applying(size.orientation) != picture.displayedSize {
                    differences.append(path)
                }
            } catch {
                if line["status"] as? String == "agree", line["pixels_decode"] as? Bool != false,
                    ![.unsupported, .notAPicture].contains(error.kind)
                {
                    differences.append("\(path): \(error.reason)")
                }
            }
        }
        // A kind of PNG that only Apple's phones read.
        #expect(differences == ["image-size/png/sample_fried.png: The picture is cut off or damaged."])
        #expect(decodedCount >= 280)
        withExtendedLifetime(folder) {}
    }
}
