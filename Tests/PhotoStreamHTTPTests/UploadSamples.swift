import Foundation
import PhotoStreamTestSupport

/// Files that clients upload in tests.
enum UploadSamples {
    /// A picture of the sample data.
    static func picture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: RealData.packageRoot().appending(path: "SampleData/pictures/\(name)")))
    }

    /// A PNG of one pixel.
    static let png = png(width: 1, height: 1, content: pixel)

    /// Another picture of one pixel for each number.
    static func png(_ number: Int) -> [UInt8] {
        png(width: 1, height: 1, content: pixel, gamma: UInt32(45_455 + number))
    }

    private static let pixel: [UInt8] = [0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0, 0, 3, 1, 1, 0]

    /// A PNG that claims to be this large, with some compressed pixels.
    static func png(width: UInt32, height: UInt32, content: [UInt8], gamma: UInt32? = nil) -> [UInt8] {
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
            + chunk("IHDR", bytes(width) + bytes(height) + [8, 2, 0, 0, 0])
            + (gamma.map { chunk("gAMA", bytes($0)) } ?? []) + chunk("IDAT", content) + chunk("IEND", [])
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
    }
}
