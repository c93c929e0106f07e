import CVips
import Foundation
import PhotoStreamPictureMessages

@testable import photostream_pictures

/// Small files made by tests.
enum HeaderFiles {
    /// A folder that exists while `body` runs.
    static func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        precondition(SharedImages.isStarted)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Writes files into a new folder and reads the header of the first; the others are its sidecars.
    static func header(_ files: [(name: String, bytes: [UInt8])]) throws -> PictureHeader {
        try withFolder { folder in
            for file in files { try Data(file.bytes).write(to: folder.appending(path: file.name)) }
            let opened = try files.map { try OpenedPicture(root: folder.path, path: $0.name) }
            return try HeaderReader(exifTool: nil).header(of: opened[0], sidecars: Array(opened.dropFirst()))
        }
    }

    /// A BMP of 3 by 2 pixels, its rows from top to bottom.
    static let bitmap = bitmapHeader(width: 3, height: -2)

    /// The header of a BMP.
    static func bitmapHeader(width: Int32, height: Int32) -> [UInt8] {
        Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + bytes(UInt32(40), isBigEndian: false)
            + bytes(UInt32(bitPattern: width), isBigEndian: false)
            + bytes(UInt32(bitPattern: height), isBigEndian: false) + [UInt8](repeating: 0, count: 28)
    }

    /// The bytes of a number.
    static func bytes(_ value: some FixedWidthInteger, isBigEndian: Bool) -> [UInt8] {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }
}
