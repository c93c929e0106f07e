/// Copies of damaged or unusual pictures that the decoders here can read, as other viewers can.
enum RepairedBytes {
    /// The maximum number of restart markers that are put back.
    private static let maximumMarkerCount = 100_000

    /// Returns a JPEG in which every lost restart marker is there again, so that the pixels after a gap are at their
    /// places; `nil` if none is lost.
    ///
    /// Restart markers count from 0 to 7, again and again, so up to seven are known to be missing from their numbers, if
    /// the next marker confirms them: a marker whose own number is damaged is left to libjpeg. For a gap, libjpeg fills
    /// in two; beyond that it goes on at the wrong place and warns at each marker, until libvips gives up.
    ///
    /// Source: ITU-T T.81, sections B.2.1 and E.2.4.
    static func withLostRestartMarkers(_ bytes: [UInt8]) -> [UInt8]? {
        var (repaired, copied) = ([UInt8](), 0)
        var (place, isInScan, expected, insertedCount) = (2, false, UInt8(0), 0)
        while place + 1 < bytes.count {
            guard bytes[place] == 0xFF else {
                // Between two segments there is nothing; the rest is unreadable.
                guard isInScan else { break }
                place += 1
                continue
            }
            let marker = bytes[place + 1]
            switch marker {
            case 0xD0...0xD7 where isInScan:
                if marker & 7 != expected, isConfirmed(marker, at: place, in: bytes) {
                    repaired += bytes[copied..<place]
                    copied = place
                    while marker & 7 != expected {
                        repaired += [0xFF, 0xD0 | expected]
                        expected = (expected + 1) & 7
                        insertedCount += 1
                    }
                    guard insertedCount <= maximumMarkerCount else { return nil }
                }
                expected = (expected + 1) & 7
                place += 2
            case 0x00 where isInScan: place += 2
            case 0xFF: place += 1
            case 0xD9: place = bytes.count
            default:
                let length = bytes.number(at: place + 2, count: 2, isBigEndian: true) ?? bytes.count
                (isInScan, expected) = (marker == 0xDA, 0)
                place += 2 + length
            }
        }
        return copied > 0 ? repaired + bytes[copied...] : nil
    }

    /// Whether the marker after a restart marker is the next restart marker, or ends the scan.
    private static func isConfirmed(_ marker: UInt8, at place: Int, in bytes: [UInt8]) -> Bool {
        var next = place + 2
        while next + 1 < bytes.count {
            if bytes[next] == 0xFF, bytes[next + 1] != 0x00, bytes[next + 1] != 0xFF {
                let found = bytes[next + 1]
                return !(0xD0...0xD7 ~= found) || found & 7 == (marker + 1) & 7
            }
            next += 1
        }
        return true
    }

    /// Returns a HEIF file without auxiliary pictures that belong to several others, which libheif refuses before
    /// version 1.19; `nil` if there are none.
    ///
    /// iPhones write such files since iOS 18. Only the kind of the reference changes: no other byte moves.
    static func withoutSharedAuxiliaries(_ bytes: [UInt8]) -> [UInt8]? {
        let top = HEIFBox.children(of: bytes, in: 0..<bytes.count)
        guard let meta = top.first(where: { $0.isKind("meta") }) else { return nil }
        let start = min(meta.content.lowerBound + 4, meta.content.upperBound)
        guard
            let references = HEIFBox.children(of: bytes, in: start..<meta.content.upperBound)
                .first(where: { $0.isKind("iref") }), let version = references.number(at: 0, count: 1, of: bytes)
        else { return nil }
        var repaired: [UInt8]?
        let first = min(references.content.lowerBound + 4, references.content.upperBound)
        for reference in HEIFBox.children(of: bytes, in: first..<references.content.upperBound) {
            guard reference.isKind("auxl"),
                let count = reference.number(at: version == 0 ? 2 : 4, count: 2, of: bytes), count > 1
            else { continue }
            let kind = reference.content.lowerBound - 4
            repaired = repaired ?? bytes
            repaired?.replaceSubrange(kind..<(kind + 4), with: Array("free".utf8))
        }
        return repaired
    }
}
