/// Raw pictures: DNG files of 64 by 48 pixels, made here.
enum Negative {
    private enum Value {
        case shorts([UInt16])
        case longs([UInt32])
        case bytes([UInt8])
        case text(String)

        var kind: UInt16 {
            switch self {
            case .bytes: 1
            case .text: 2
            case .shorts: 3
            case .longs: 4
            }
        }

        var bytes: [UInt8] {
            switch self {
            case .shorts(let values): values.flatMap(little)
            case .longs(let values): values.flatMap(little)
            case .bytes(let values): values
            case .text(let text): Array(text.utf8) + [0]
            }
        }

        var count: Int {
            switch self {
            case .shorts(let values): values.count
            case .longs(let values): values.count
            case .bytes, .text: bytes.count
            }
        }
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        HeaderFiles.bytes(value, isBigEndian: false)
    }

    /// A directory of tags at an offset in the file, with its values after it.
    private static func directory(_ tags: [(UInt16, Value)], at place: Int) -> [UInt8] {
        var (directory, values) = (little(UInt16(tags.count)), [UInt8]())
        let valuePlace = place + 2 + tags.count * 12 + 4
        for (tag, value) in tags {
            directory += little(tag) + little(value.kind) + little(UInt32(value.count))
            var bytes = value.bytes
            if bytes.count <= 4 {
                directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            } else {
                directory += little(UInt32(valuePlace + values.count))
                if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
                values += bytes
            }
        }
        return directory + little(UInt32(0)) + values
    }

    /// The tags of pixels as the sensor gives them.
    private static func sensor(at place: Int) -> [(UInt16, Value)] {
        [
            (0xFE, .longs([0])), (0x100, .shorts([64])), (0x101, .shorts([48])), (0x102, .shorts([16])),
            (0x103, .shorts([1])), (0x106, .shorts([32_803])), (0x111, .longs([UInt32(place)])),
            (0x115, .shorts([1])), (0x116, .shorts([48])), (0x117, .longs([64 * 48 * 2])),
            (0x828D, .shorts([2, 2])), (0x828E, .bytes([0, 1, 1, 2])),
        ]
    }

    private static let names: [(UInt16, Value)] = [
        (0x10E, .text("A barn")), (0x10F, .text("Lumen")), (0x110, .text("Lumen One")),
        (0xC612, .bytes([1, 4, 0, 0])), (0xC614, .text("Lumen One")),
    ]

    private static let pixels = (0..<64 * 48 * 2).map { UInt8(truncatingIfNeeded: $0) }
    private static let head = Array("II*".utf8) + [0] + little(UInt32(8))

    /// A file with one directory, of the sensor's pixels.
    static func bytes(orientation: UInt16) -> [UInt8] {
        let tags = (sensor(at: 1_024) + names + [(0x112, .shorts([orientation]))]).sorted { $0.0 < $1.0 }
        let start = head + directory(tags, at: 8)
        return start + [UInt8](repeating: 0, count: 1_024 - start.count) + pixels
    }

    /// A file whose first directory is its preview, as in DNG files from cameras.
    ///
    /// - Parameters:
    ///   - preview: A JPEG.
    ///   - width: The width of the preview in the directory.
    ///   - compression: 7 for a JPEG.
    ///   - orientation: That of the file.
    /// - Returns: The bytes of the file.
    static func bytes(
        preview: [UInt8], width: UInt16 = 64, compression: UInt16 = 7, orientation: UInt16 = 6
    ) -> [UInt8] {
        func first(preview place: Int, sensor: Int) -> [UInt8] {
            let tags: [(UInt16, Value)] =
                [
                    (0xFE, .longs([1])), (0x100, .shorts([width])), (0x101, .shorts([48])),
                    (0x102, .shorts([8, 8, 8])), (0x103, .shorts([compression])), (0x106, .shorts([6])),
                    (0x111, .longs([UInt32(place)])), (0x112, .shorts([orientation])), (0x115, .shorts([3])),
                    (0x116, .shorts([48])), (0x117, .longs([UInt32(preview.count)])),
                    (0x14A, .longs([UInt32(sensor)])),
                ] + names
            return directory(tags.sorted { $0.0 < $1.0 }, at: 8)
        }
        let sensorPlace = 8 + first(preview: 0, sensor: 0).count
        let previewPlace = sensorPlace + directory(sensor(at: 0), at: sensorPlace).count
        return head + first(preview: previewPlace, sensor: sensorPlace)
            + directory(sensor(at: previewPlace + preview.count), at: sensorPlace) + preview + pixels
    }
}
