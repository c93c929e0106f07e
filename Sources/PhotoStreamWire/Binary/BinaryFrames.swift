import PhotoStreamLayout
package import PhotoStreamModel
package import PhotoStreamService

/// The frames of photos as fixed-width numbers, least significant byte first, for typed arrays.
///
/// A header of 64 bytes, 20 bytes for each photo, the content size and the other elements of a rectangle or of items,
/// the ids, the pictures and their sizes if they are requested, the clusters of a map, the next cursor.
/// Documentation/API.md has the tables; any change of them needs another version.
package struct BinaryFrames {
    /// The media type, named after the first answer that had this form.
    package static let mediaType = "application/vnd.photostream.page"
    private static let magic = Array("PSPG".utf8)
    private static let version: UInt16 = 1

    /// The error of photos that are too far apart; an answer with fewer photos, or in JSON, may be possible.
    package struct TooLarge: Error {}

    /// The properties of an answer, as bits.
    private struct Flags: OptionSet {
        let rawValue: UInt16
        static let isInPlace = Flags(rawValue: 1)
        static let isTruncated = Flags(rawValue: 2)
        static let hasIDs = Flags(rawValue: 4)
        static let isOfWhole = Flags(rawValue: 8)
        static let hasPictures = Flags(rawValue: 16)
        static let hasClusters = Flags(rawValue: 32)
        static let hasPictureSizes = Flags(rawValue: 64)
    }

    /// The key of a photo's picture, and the placeholder and colour until it is loaded.
    package struct Picture: Sendable {
        let key: PictureKey?
        let color: RGBColor?
        let placeholder: String

        /// The picture of a photo: its own colour and placeholder, or else those of the decode.
        package init(_ item: PlacedPhoto) {
            (key, color, placeholder) = item.packed.withFields { fields in
                (
                    item.picture?.key, fields.color ?? item.picture?.color,
                    fields[.placeholder].map { String(decoding: $0, as: UTF8.self) }
                        ?? item.picture?.placeholder ?? ""
                )
            }
        }
    }

    /// The parts of an answer in addition to the frames, for each photo.
    package struct Parts: Sendable {
        let ids: [PhotoID]?
        let pictures: [Picture]?
        let pictureSizes: [PixelSize]?

        /// Creates the parts; `nil` for those that the answer does not include.
        package init(ids: [PhotoID]? = nil, pictures: [Picture]? = nil, pictureSizes: [PixelSize]? = nil) {
            (self.ids, self.pictures, self.pictureSizes) = (ids, pictures, pictureSizes)
        }
    }

    private let frames: [PixelRect]
    /// The positions of the photos in stream order at the revision.
    private let numbers: [Int]
    /// The index of the first photo, as the chain counts.
    private let firstIndex: Int
    private let (revision, chainRevision): (Revision, Revision)
    private let displayScale: DisplayScale
    private let isInPlace: Bool
    private let nextCursor: String?
    private let isTruncated: Bool
    /// The content size and the other elements; `nil` for a page.
    private let whole: (contentSize: PixelExtent, elements: [LayoutAttributes])?
    /// The photos of each photo's cluster; empty in a layout without clusters.
    private let clusters: [PositionSummary]

    /// The numbers of a page.
    package init(_ page: PageAnswer) {
        frames = page.frames.map(\.frame)
        numbers = Array(page.firstPosition..<page.firstPosition + page.frames.count)
        firstIndex = page.frames.first?.index ?? 0
        (revision, chainRevision) = (page.context.revision, page.chainRevision)
        displayScale = page.context.layoutKey.displayScale
        (isInPlace, nextCursor, whole, clusters) = (page.isInPlace, page.nextCursor, nil, [])
        isTruncated = page.nextCursor != nil
    }

    /// The numbers of a rectangle.
    package init(_ answer: RectAnswer) {
        self.init(
            answer.context, places: answer.frames, clusters: answer.clusters, elements: answer.elements,
            nextCursor: answer.nextCursor, isTruncated: answer.isTruncated)
    }

    /// The numbers of items.
    package init(_ answer: ItemsAnswer) {
        self.init(
            answer.context, places: answer.frames, elements: [], nextCursor: nil, isTruncated: answer.isTruncated)
    }

    private init(
        _ context: LayoutContext, places: [LayoutAttributes], clusters: [PositionSummary] = [],
        elements: [LayoutAttributes], nextCursor: String?, isTruncated: Bool
    ) {
        self.clusters = clusters
        frames = places.map(\.frame)
        numbers = places.map(\.index)
        firstIndex = places.first?.index ?? 0
        (revision, chainRevision) = (context.revision, context.revision)
        displayScale = context.layoutKey.displayScale
        (isInPlace, self.nextCursor, self.isTruncated) = (true, nextCursor, isTruncated)
        whole = (context.contentSize, elements)
    }

    /// The bytes.
    ///
    /// - Parameters:
    ///   - parts: The photos' ids and pictures, if the answer includes them.
    ///   - audience: The readers if they have the link of a share; `nil` for all others.
    /// - Returns: The bytes.
    /// - Throws: ``TooLarge`` if frames are further apart than 32 bits can express.
    package func bytes(_ parts: Parts, for audience: ShareAudience? = nil) throws(TooLarge) -> [UInt8] {
        let shown = { (text: String, form: SharedForm) in audience?.text(text, as: form) ?? text }
        let cursor = Array((nextCursor.map { shown($0, .cursor) } ?? "").utf8)
        let origin = PixelPoint(x: frames.map(\.x).min() ?? 0, y: frames.map(\.y).min() ?? 0)
        var bytes = Self.magic
        bytes.reserveCapacity(64 + 20 * frames.count + cursor.count)
        appendHeader(origin: origin, parts, cursorByteCount: cursor.count, to: &bytes)
        for (number, frame) in zip(numbers, frames) {
            for number in [frame.x - origin.x, frame.y - origin.y, frame.width, frame.height] {
                guard let number = Int32(exactly: number) else { throw TooLarge() }
                bytes.append(littleEndian: number)
            }
            bytes.append(littleEndian: UInt32(truncatingIfNeeded: number))
        }
        if let whole { Self.append(whole.contentSize, elements: whole.elements, to: &bytes) }
        if let ids = parts.ids { Self.append(ids.map { shown($0.rawValue, .photoID) }, to: &bytes) }
        if let pictures = parts.pictures { Self.append(pictures, for: audience, to: &bytes) }
        for size in parts.pictureSizes ?? [] {
            bytes.append(littleEndian: UInt32(size.width))
            bytes.append(littleEndian: UInt32(size.height))
        }
        for cluster in clusters { Self.append(cluster, to: &bytes) }
        bytes += cursor
        bytes.append(littleEndian: revision.tag ?? 0)
        bytes.append(littleEndian: chainRevision.tag ?? 0)
        return bytes
    }

    private func appendHeader(
        origin: PixelPoint, _ parts: Parts, cursorByteCount: Int, to bytes: inout [UInt8]
    ) {
        var flags: Flags = []
        if isInPlace { flags.insert(.isInPlace) }
        if isTruncated { flags.insert(.isTruncated) }
        if parts.ids != nil { flags.insert(.hasIDs) }
        if parts.pictures != nil { flags.insert(.hasPictures) }
        if parts.pictureSizes != nil { flags.insert(.hasPictureSizes) }
        if whole != nil { flags.insert(.isOfWhole) }
        if !clusters.isEmpty { flags.insert(.hasClusters) }
        bytes.append(littleEndian: Self.version)
        bytes.append(littleEndian: flags.rawValue)
        bytes.append(littleEndian: UInt32(frames.count))
        bytes.append(littleEndian: UInt32(cursorByteCount))
        bytes.append(littleEndian: revision.rawValue)
        bytes.append(littleEndian: chainRevision.rawValue)
        bytes.append(littleEndian: origin.x)
        bytes.append(littleEndian: origin.y)
        bytes.append(littleEndian: displayScale.rawValue.bitPattern)
        bytes.append(littleEndian: Int64(firstIndex))
    }

    /// Appends the content size, the number of elements, and 56 bytes for each of them.
    private static func append(_ size: PixelExtent, elements: [LayoutAttributes], to bytes: inout [UInt8]) {
        bytes.append(littleEndian: size.width)
        bytes.append(littleEndian: size.height)
        bytes.append(littleEndian: UInt32(elements.count))
        for element in elements {
            let frame = element.frame
            for number in [frame.x, frame.y, frame.width, frame.height, Int64(element.zIndex)] {
                bytes.append(littleEndian: number)
            }
            let path = element.indexPath
            for number in [path.section, path.item, element.index] {
                bytes.append(littleEndian: UInt32(truncatingIfNeeded: number))
            }
            bytes.append(littleEndian: kinds.firstIndex(of: element.elementKind).map { UInt32($0) + 1 } ?? 0)
        }
    }

    /// Appends the number of photos and the four edges, 36 bytes.
    private static func append(_ cluster: PositionSummary, to bytes: inout [UInt8]) {
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: cluster.count))
        let bounds = cluster.box.map { GeographicBounds($0) }
        for edge in [bounds?.west, bounds?.south, bounds?.east, bounds?.north] {
            bytes.append(littleEndian: (edge ?? .nan).bitPattern)
        }
    }

    /// The kinds of elements in the order of their numbers, which begin with 1.
    private static let kinds: [ElementKind] = [
        .sectionBackground, .separator, .badge, .sectionHeader, .sectionFooter,
    ]

    /// Appends the start of each text and the end of the last one, then the texts.
    private static func append(_ texts: [String], to bytes: inout [UInt8]) {
        var end: UInt32 = 0
        bytes.append(littleEndian: end)
        for text in texts {
            end += UInt32(text.utf8.count)
            bytes.append(littleEndian: end)
        }
        for text in texts { bytes += Array(text.utf8) }
    }

    /// Appends 20 bytes for each picture, its key and its colour, then the placeholders as texts.
    private static func append(_ pictures: [Picture], for audience: ShareAudience?, to bytes: inout [UInt8]) {
        for picture in pictures {
            bytes +=
                picture.key.map { audience?.seal.sealed($0) ?? $0 }?.bytes
                ?? [UInt8](repeating: 0, count: PictureKey.byteCount)
            bytes.append(littleEndian: picture.color.map { $0.rawValue | 1 << 24 } ?? 0)
        }
        append(pictures.map(\.placeholder), to: &bytes)
    }
}
