import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// Thumbnails of raw pictures, which are made of their previews.
@Suite(.enabled(if: PictureFolder.hasCommands))
struct PixelsRawTests {
    let folder: PictureFolder
    let preview: [UInt8]

    init() throws {
        folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("vips", "copy", "a.png", "a.jpg[Q=95]")
        preview = try folder.bytes("a.jpg")
    }

    @Test func thumbnailIsThatOfThePreviewTurned() throws {
        try folder.write("a.dng", Negative.bytes(preview: preview))
        let picture = try folder.decode("a.dng", isMeasured: true)
        #expect(picture.orientation == .right && picture.displayedSize.description == "48x64")
        #expect(picture.measures?.content.fileHash == ContentHash.hash(of: try folder.bytes("a.dng")))
        // The lower left quarter comes to the upper left.
        let turned = [2, 0, 3, 1].map { Quarters.colors[$0] }
        #expect(try Quarters.difference(TestPixels(picture.thumbnails[0]), turned) <= 16)
    }

    /// libraw 0.20.2 mistakes the first of these for a preview in layers, and writes beyond the end of its memory.
    @Test(arguments: [(UInt16(7), UInt16(0)), (64, 1), (64, 0), (1, 34_892)])
    func previewsOfOtherKindsAreUnsupported(width: UInt16, compression: UInt16) throws {
        let long = preview + [UInt8](repeating: 7, count: 20_000)
        try folder.write("a.dng", Negative.bytes(preview: long, width: width, compression: compression))
        let worker = try WorkerProcess()
        let request = DecodeRequest(
            file: folder.name("a.dng"), orientation: nil, thumbnails: [ThumbnailKind(.pixels160, as: .webP)],
            isMeasured: false)
        for _ in 0..<3 {
            guard case .failed(let failure) = try worker.ask(.decode(request)) else {
                Issue.record("no failure")
                return
            }
            #expect(failure.kind == .unsupported)
        }
        worker.endInput()
        #expect(worker.status() == 0)
    }

    @Test func previewsThatAreCutOffAreDamaged() throws {
        let whole = Negative.bytes(preview: preview)
        try folder.write("a.dng", Array(whole.prefix(whole.count - 64 * 48 * 2 - 100)))
        #expect(throws: PictureFailure.self) { try folder.decode("a.dng") }
    }
}
