import Foundation
import PhotoStreamLayout

/// Converts an SVG picture to PNG with `rsvg-convert`.
struct PNGConversion {
    /// The maximum side length that the program draws, in pixels.
    static let maximumSide = 32_767

    private static let program = "rsvg-convert"

    private let executable: URL
    private let pixelWidth: Int
    private let pixelHeight: Int

    /// Locates the program and checks the size.
    ///
    /// - Parameters:
    ///   - size: The picture's size in points.
    ///   - scale: The number of pixels per point.
    /// - Throws: ``CommandError`` if the program is missing, or the picture would be too large or too small.
    init(size: Size, scale: DisplayScale) throws {
        (pixelWidth, pixelHeight) = (Int(scale.pixels(size.width)), Int(scale.pixels(size.height)))
        guard min(pixelWidth, pixelHeight) >= 1 else {
            throw CommandError(
                "the picture would be less than a pixel wide or high; choose a larger --rect, or write SVG")
        }
        guard max(pixelWidth, pixelHeight) <= Self.maximumSide else {
            throw CommandError(
                "the picture would be \(pixelWidth) × \(pixelHeight) pixels, but a side of a PNG may be at most "
                    + "\(Self.maximumSide); choose a smaller --rect or --display-scale, or write SVG")
        }
        guard let executable = HelperProgram.locate(Self.program) else {
            throw CommandError("PNG output requires rsvg-convert; install it with: apt-get install librsvg2-bin")
        }
        self.executable = executable
    }

    /// Converts a picture.
    func convert(_ svg: String, to file: OutputFile) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = [
            "--format", "png", "--unlimited", "--width", String(pixelWidth), "--height", String(pixelHeight),
            "--output", file.temporaryPath,
        ]
        let (source, messages) = (Pipe(), Pipe())
        (process.standardInput, process.standardError) = (source, messages)
        try process.run()
        // A program that ends early reports the reason.
        try? source.fileHandleForWriting.write(contentsOf: Data(svg.utf8))
        try? source.fileHandleForWriting.close()
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw CommandError("rsvg-convert could not draw the picture: \(text.onOneLine)")
        }
    }
}
