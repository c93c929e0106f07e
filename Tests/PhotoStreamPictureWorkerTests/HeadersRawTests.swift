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
}
