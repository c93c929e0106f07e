import CVips
import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// A temporary folder with pictures that a test makes.
final class PictureFolder {
    /// Whether the commands that make pictures are there.
    static let hasCommands = ["vips", "exiftool"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    /// The folder, without symbolic links.
    let url: URL

    init() throws {
        precondition(SharedImages.isStarted)
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "pictures-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func name(_ path: String) -> PictureFileName { PictureFileName(root: url.path, path: path) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: url.appending(path: name))
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url.appending(path: name)))
    }

    /// Runs a command in the folder.
    func run(_ command: String, _ arguments: String...) throws { try run(command, arguments) }

    /// Runs a command in the folder.
    func run(_ command: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(command)")
        process.arguments = arguments
        process.currentDirectoryURL = url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(command) \(arguments)")
    }

    /// Makes a PNG of pixels.
    func makePNG(_ name: String, pixels: [UInt8], width: Int, height: Int, bands: Int) throws {
        try write(name + ".raw", pixels)
        try run(
            "vips", "rawload", name + ".raw", name, "\(width)", "\(height)", "\(bands)", "--interpretation",
            bands < 3 ? "b-w" : "srgb")
    }

    /// Decodes a file.
    func decode(
        _ path: String, _ kinds: [ThumbnailKind] = [ThumbnailKind(.pixels160, as: .webP)],
        orientation: Orientation? = nil,
        isMeasured: Bool = false, memoryLimit: Int64 = 4 << 30, maximumByteCountInMemory: Int64 = 128 << 20
    ) throws(PictureFailure) -> DecodedPicture {
        var limits = WorkerLimits()
        limits.addressSpaceByteCount = memoryLimit
        var decoder = Decoder(limits: limits)
        decoder.maximumByteCountInMemory = maximumByteCountInMemory
        decoder.exifTool = ExifTool(path: "/usr/bin/exiftool")
        decoder.ffmpeg = FFmpeg(path: "/usr/bin/ffmpeg")
        let request = DecodeRequest(
            file: name(path), orientation: orientation, thumbnails: kinds, isMeasured: isMeasured)
        return try decoder.decode(request, file: try OpenedPicture(root: url.path, path: path))
    }
}

/// Pixels that a test looks at.
struct TestPixels {
    let width: Int
    let height: Int
    let bandCount: Int
    let bytes: [UInt8]

    /// Reads an encoded thumbnail.
    init(_ thumbnail: Thumbnail) throws(PictureFailure) {
        let source = PictureBytes.memory(thumbnail.bytes)
        let header = try source.probe()
        let raster = try source.decode(width: Int(header.width), height: Int(header.height), isTolerant: false)
        self.init(raster)
    }

    init(_ raster: Raster) {
        (width, height, bandCount, bytes) = (raster.width, raster.height, raster.bandCount, raster.pixels)
    }

    /// A pixel.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        let place = (y * width + x) * bandCount
        return bytes[place..<place + bandCount].map(Int.init)
    }

    /// The mean difference of two pictures of one size, in levels.
    func difference(_ other: TestPixels) -> Double {
        precondition(bytes.count == other.bytes.count)
        let sum = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(bytes.count)
    }
}

/// A picture of four colours, one for each quarter, and the colours that a decoder should return for it.
enum Quarters {
    static let (width, height) = (64, 48)
    static let colors: [[UInt8]] = [[200, 40, 40], [40, 160, 60], [50, 70, 190], [210, 200, 60]]

    /// The pixels, with further bytes at the end of each.
    static func pixels(_ colors: [[UInt8]] = colors) -> [UInt8] {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { pixels += colors[2 * (2 * y / height) + 2 * x / width] }
        }
        return pixels
    }

    /// The largest difference of a quarter's centre from its colour.
    static func difference(_ pixels: TestPixels, _ colors: [[UInt8]] = colors) -> Int {
        var largest = 0
        for (index, color) in colors.enumerated() {
            let x = pixels.width * (1 + 2 * (index % 2)) / 4
            let y = pixels.height * (1 + 2 * (index / 2)) / 4
            for (found, wanted) in zip(pixels.pixel(x, y), color) { largest = max(largest, abs(found - Int(wanted))) }
        }
        return largest
    }
}
