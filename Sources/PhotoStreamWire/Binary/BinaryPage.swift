import PhotoStreamLayout
package import PhotoStreamModel
package import PhotoStreamService

/// A page as fixed-width numbers, least significant byte first, for typed arrays.
///
/// A header of 64 bytes, 20 bytes for each photo, the ids if they are asked for, the next cursor. Documentation/API.md
/// has the table; any change of it needs another version.
package enum BinaryPage {
    /// The media type of a page.
    package static let mediaType = "application/vnd.photostream.page"
    /// The first bytes of every page.
    package static let magic = Array("PSPG".utf8)
    private static let version: UInt16 = 1

    /// The error of a page whose frames are too far apart; a page of fewer photos, or JSON, may be possible.
    package struct TooLarge: Error {}

    /// The properties of a page, as bits.
    private struct Flags: OptionSet {
        let rawValue: UInt16
        static let isInPlace = Flags(rawValue: 1)
        static let isTruncated = Flags(rawValue: 2)
        static let hasIDs = Flags(rawValue: 4)
    }

    /// The bytes of a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - ids: The photos' ids, if the page includes them.
    /// - Returns: The bytes.
    /// - Throws: ``TooLarge`` if frames are further apart than 32 bits can express.
    package static func bytes(_ page: FramesPage, ids: [PhotoID]?) throws(TooLarge) -> [UInt8] {
        let frames = page.items.map(\.frame)
        let origin = PixelPoint(x: frames.map(\.x).min() ?? 0, y: frames.map(\.y).min() ?? 0)
        var bytes = magic
        bytes.reserveCapacity(64 + 20 * frames.count + (page.nextCursor?.utf8.count ?? 0))
        appendHeader(of: page, origin: origin, hasIDs: ids != nil, to: &bytes)
        for (position, frame) in frames.enumerated() {
            for number in [frame.x - origin.x, frame.y - origin.y, frame.width, frame.height] {
                guard let number = Int32(exactly: number) else { throw TooLarge() }
                bytes.append(littleEndian: number)
            }
            bytes.append(littleEndian: UInt32(truncatingIfNeeded: page.firstPosition + position))
        }
        if let ids { append(ids, to: &bytes) }
        bytes += Array((page.nextCursor ?? "").utf8)
        return bytes
    }

    private static func appendHeader(
        of page: FramesPage, origin: PixelPoint, hasIDs: Bool, to bytes: inout [UInt8]
    ) {
        var flags: Flags = []
        if page.isInPlace { flags.insert(.isInPlace) }
        if page.isTruncated { flags.insert(.isTruncated) }
        if hasIDs { flags.insert(.hasIDs) }
        bytes.append(littleEndian: version)
        bytes.append(littleEndian: flags.rawValue)
        bytes.append(littleEndian: UInt32(page.items.count))
        bytes.append(littleEndian: UInt32(page.nextCursor?.utf8.count ?? 0))
        bytes.append(littleEndian: page.context.revision.rawValue)
        bytes.append(littleEndian: page.chainRevision.rawValue)
        bytes.append(littleEndian: origin.x)
        bytes.append(littleEndian: origin.y)
        bytes.append(littleEndian: page.context.layoutKey.displayScale.rawValue.bitPattern)
        bytes.append(littleEndian: Int64(page.items.first?.index ?? 0))
    }

    /// Appends the start of each id and the end of the last one, then the ids.
    private static func append(_ ids: [PhotoID], to bytes: inout [UInt8]) {
        var end: UInt32 = 0
        bytes.append(littleEndian: end)
        for id in ids {
            end += UInt32(id.rawValue.utf8.count)
            bytes.append(littleEndian: end)
        }
        for id in ids { bytes += Array(id.rawValue.utf8) }
    }
}
