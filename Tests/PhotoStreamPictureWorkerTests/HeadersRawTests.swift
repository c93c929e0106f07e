import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Headers of raw pictures.
@Suite(.serialized)
struct HeadersRawTests {
    @Test(arguments: Orientation.allCases)
    func sizeOrientationAndMetadata(orientation: Orientation) throws {
        let found = try HeaderFiles.header([("a.dng", Negative.bytes(orientation: UInt16(orientation.rawValue)))])
        #expect(found.format == .raw)
        #expect(found.size.description == "64x48")
        #expect(found.orientation == orientation)
        #expect(found.embedded.caption == "A barn")
        #expect(found.embedded.camera == "Lumen One")
    }

    @Test func headsThatAreCutOffAreDamaged() {
        let whole = Negative.bytes(orientation: 1)
        let reason = "The raw picture's header is damaged or of an unknown camera."
        #expect(throws: PictureFailure(.damaged, reason: reason)) {
            try HeaderFiles.header([("a.dng", Array(whole.prefix(230)))])
        }
    }

    // Bytes, because the names of cases that are printed may hold no zero.
    @Test(
        arguments: [
            "FUJIFILMCCD-RAW 0201", "IIRO\u{8}\0\0\0", "IIRS\u{8}\0\0\0", "MMOR\0\0\0\u{8}", "FOVb\u{2}\0\u{2}\0",
            "\0MRM\0\0\u{2}\0", "II\u{1A}\0\0\0HEAPCCDR", "II*\0\u{10}\0\0\0CR\u{2}\0", "IIU\0\u{18}\0\0\0",
        ].map { Array($0.utf8) })
    func `raw files of cameras are recognized by their first bytes`(head: [UInt8]) {
        #expect(PictureSignature.format(of: head) == .raw)
    }

    @Test func `a raw file that is damaged after its first bytes is damaged`() {
        let reason = "The raw picture's header is damaged or of an unknown camera."
        let bytes = Array("II\u{1A}\0\0\0HEAPCCDR".utf8) + [UInt8](repeating: 7, count: 5_000)
        #expect(throws: PictureFailure(.damaged, reason: reason)) {
            try HeaderFiles.header([("a.crw", bytes)])
        }
    }

    /// Found by `Tests/Campaigns/pictures-fuzz`: libraw 0.20 goes back and reads the same boxes of a CR3 again for minutes.
    @Test func `a header with a cycle is damaged`() throws {
        let type = Array("\0\0\0\u{18}ftypcrx \0\0\0\u{1}crx isom".utf8)
        // A box that claims to be longer than any file, with lengths of its inner boxes whose sum is negative.
        let box = Array("\0\0\0\u{1}moov".utf8) + [7, 0, 14, 1, 2, 0, 7, 0, 0, 0, 0x62, 0, 0, 0, 15, 1]
        let bytes = type + box + [2, 0, 6, 0, 0, 0, 0x6A, 0, 0, 0, 0x10, 1, 2, 0, 10, 0]
        let reason = "The raw picture's header is damaged or of an unknown camera."
        #expect(throws: PictureFailure(.damaged, reason: reason)) { try HeaderFiles.header([("a.cr3", bytes)]) }
    }
}
