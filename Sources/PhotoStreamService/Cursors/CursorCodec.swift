import Crypto
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamStorage

/// Cursors as text: a payload and the first 16 bytes of its HMAC-SHA-256, in base64url.
///
/// The key is a random row of the file, so every process accepts the cursors of every other, even after a restart, and
/// clients can neither create nor change one. A cursor is at most 2 KB: 128 columns take under 1 KB of state. Source:
/// RFC 2104, RFC 4648.
struct CursorCodec {
    private enum Kind: UInt8 {
        case page = 3
        case rect = 4
        case cluster = 5

        /// Those of version 0.2.0, which contain no tag.
        static let outdated: Set<UInt8> = [1, 2]

        /// The answers that such a cursor continues.
        var noun: String {
            switch self {
            case .page: "a page"
            case .rect: "a rectangle"
            case .cluster: "a cluster"
            }
        }
    }

    private static let tagByteCount = 16
    /// The signing code, with the key already added.
    private let code: HMAC<SHA256>
    /// The mark of the view's condition.
    private var view = ""

    /// Reads the file's key.
    init(_ reader: PhotoReader) throws {
        code = HMAC<SHA256>(key: SymmetricKey(data: try reader.cursorKey()))
    }

    /// Returns the codec of the cursors of a view.
    func with(_ view: ViewKey) -> CursorCodec {
        var codec = self
        codec.view = view.cursorMark
        return codec
    }

    /// A page cursor as text.
    func text(_ cursor: PageCursor) -> String {
        var bytes = ByteWriter(
            kind: Kind.page.rawValue, streamID: cursor.streamID, layout: cursor.layoutKey.description + view)
        bytes.append(cursor.place)
        bytes.append(cursor.chainRevision)
        bytes.append(cursor.layout.encoded)
        return sealed(bytes.bytes)
    }

    /// A rect cursor as text.
    func text(_ cursor: RectCursor) -> String {
        var bytes = ByteWriter(
            kind: Kind.rect.rawValue, streamID: cursor.streamID, layout: cursor.layoutKey.description + view)
        let flags = (cursor.end.place == nil ? 0 : 1) + (cursor.end.isBeforeFooter ? 2 : 0)
        bytes.append(Int64(flags + (cursor.end.isUnlocated ? 4 : 0)))
        bytes.append(cursor.end.place ?? OrderKey(time: 0, rank: 0))
        for value in [cursor.rect.x, cursor.rect.y, cursor.rect.width, cursor.rect.height] { bytes.append(value) }
        bytes.append(cursor.revision)
        return sealed(bytes.bytes)
    }

    /// A cluster cursor as text.
    func text(_ cursor: ClusterCursor) -> String {
        var bytes = ByteWriter(
            kind: Kind.cluster.rawValue, streamID: cursor.streamID, layout: cursor.layoutKey.description + view)
        let pixel = if case .at(let pixel) = cursor.photos { pixel } else { PixelPoint?.none }
        bytes.append(pixel == nil ? 0 : 1)
        bytes.append(pixel?.x ?? 0)
        bytes.append(pixel?.y ?? 0)
        bytes.append(cursor.place)
        bytes.append(cursor.revision)
        return sealed(bytes.bytes)
    }

    /// The layout of a cursor of any kind.
    ///
    /// - Throws: The errors of ``pageCursor(_:streamID:layoutKey:)``.
    func layoutKey(of text: String, streamID: Int64) throws -> LayoutKey {
        var bytes = ByteReader(try opened(text))
        return try header(&bytes, kind: nil, streamID: streamID, expected: nil)
    }

    /// Reads a page cursor.
    ///
    /// - Parameters:
    ///   - text: The cursor of an earlier answer.
    ///   - streamID: The stream of the query.
    ///   - layoutKey: The layout of the query.
    /// - Returns: The content of the cursor.
    /// - Throws: ``StreamServiceError/invalidCursor(_:)`` for a changed text, another kind, stream or layout;
    ///   ``StreamServiceError/outdatedCursor`` for another engine's or another version's.
    func pageCursor(_ text: String, streamID: Int64, layoutKey: LayoutKey) throws -> PageCursor {
        var bytes = ByteReader(try opened(text))
        let key = try header(&bytes, kind: .page, streamID: streamID, expected: layoutKey)
        guard let place = bytes.orderKey(), let revision = bytes.revision(),
            let layout = try? LayoutEngine(key).cursor(decoding: bytes.rest)
        else { throw Self.damaged }
        return PageCursor(
            streamID: streamID, layoutKey: key, place: place, layout: layout, chainRevision: revision)
    }

    /// Reads a rect cursor; the same errors.
    func rectCursor(_ text: String, streamID: Int64, layoutKey: LayoutKey) throws -> RectCursor {
        var bytes = ByteReader(try opened(text))
        let key = try header(&bytes, kind: .rect, streamID: streamID, expected: layoutKey)
        guard let flags = bytes.integer(), let place = bytes.orderKey(), let x = bytes.integer(),
            let y = bytes.integer(),
            let width = bytes.integer(), let height = bytes.integer(), let revision = bytes.revision(),
            bytes.rest.isEmpty
        else { throw Self.damaged }
        let rect = PixelRect(x: x, y: y, width: width, height: height)
        let end = RectCursor.End(
            place: flags & 1 == 0 ? nil : place, isBeforeFooter: flags & 2 != 0, isUnlocated: flags & 4 != 0)
        return RectCursor(streamID: streamID, layoutKey: key, rect: rect, end: end, revision: revision)
    }

    /// Reads a cluster cursor; the same errors.
    func clusterCursor(_ text: String, streamID: Int64, layoutKey: LayoutKey) throws -> ClusterCursor {
        var bytes = ByteReader(try opened(text))
        let key = try header(&bytes, kind: .cluster, streamID: streamID, expected: layoutKey)
        guard let flag = bytes.integer(), let x = bytes.integer(), let y = bytes.integer(),
            let place = bytes.orderKey(), let revision = bytes.revision(), bytes.rest.isEmpty
        else { throw Self.damaged }
        return ClusterCursor(
            streamID: streamID, layoutKey: key, photos: flag == 0 ? .unlocated : .at(PixelPoint(x: x, y: y)),
            place: place, revision: revision)
    }

    private static let damaged = StreamServiceError.invalidCursor("it was altered, or another file made it")

    private func header(
        _ bytes: inout ByteReader, kind: Kind?, streamID: Int64, expected: LayoutKey?
    ) throws -> LayoutKey {
        guard let found = bytes.byte(), let ownStreamID = bytes.integer(), let keyText = bytes.text() else {
            throw Self.damaged
        }
        guard !Kind.outdated.contains(found) else { throw StreamServiceError.outdatedCursor }
        guard let actual = Kind(rawValue: found) else { throw Self.damaged }
        if let kind, kind != actual {
            throw StreamServiceError.invalidCursor("it goes on with \(actual.noun), not with \(kind.noun)")
        }
        guard ownStreamID == streamID else { throw StreamServiceError.invalidCursor("it belongs to another stream") }
        let mark = keyText.firstIndex(of: "#") ?? keyText.endIndex
        guard keyText[mark...] == view else {
            throw StreamServiceError.invalidCursor("it belongs to photos that meet another condition")
        }
        // Equal keys have equal texts, and parsing takes longer.
        if let expected, expected.description == keyText[..<mark] { return expected }
        do {
            let key = try LayoutKey(parsing: String(keyText[..<mark]))
            guard expected == nil else {
                throw StreamServiceError.invalidCursor("the layout options are not those that it was made with")
            }
            return key
        } catch LayoutError.outdatedKey {
            throw StreamServiceError.outdatedCursor
        } catch is LayoutError {
            throw Self.damaged
        }
    }

    private func tag(_ payload: [UInt8]) -> ArraySlice<UInt8> {
        var code = code
        code.update(data: payload)
        return Array(code.finalize()).prefix(Self.tagByteCount)
    }

    private func sealed(_ payload: [UInt8]) -> String {
        Base64URL.encoded(payload + tag(payload))
    }

    private func opened(_ text: String) throws -> [UInt8] {
        guard text.utf8.count <= 4_096, let bytes = Base64URL.decoded(text), bytes.count > Self.tagByteCount else {
            throw Self.damaged
        }
        let payload = Array(bytes.dropLast(Self.tagByteCount))
        // In constant time: a wrong code takes as long as the right one.
        let difference = zip(bytes.suffix(Self.tagByteCount), tag(payload)).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        guard difference == 0 else { throw Self.damaged }
        return payload
    }
}

/// The position at which a chain of pages continues: in the order, with the fold's state at that position.
///
/// It is a place, not a photo: the photo that ended the page may have been deleted.
struct PageCursor: Hashable {
    let streamID: Int64
    let layoutKey: LayoutKey
    /// The next page begins strictly after it.
    let place: OrderKey
    /// The layout's state.
    let layout: LayoutCursor
    /// The stream's revision when the chain's first page was read.
    let chainRevision: Revision
}

/// The position at which a truncated rectangle continues.
struct RectCursor: Hashable {
    let streamID: Int64
    let layoutKey: LayoutKey
    /// In device pixels.
    let rect: PixelRect
    /// The end of the answer.
    let end: End
    /// The stream's revision when the answer was made.
    let revision: Revision

    /// The end of a truncated answer.
    struct End: Hashable {
        /// The place of the last photo before it, `nil` before the first; the rest begins strictly after it.
        let place: OrderKey?
        /// Whether it lies after the photos of a section and before that section's footer.
        let isBeforeFooter: Bool
        /// Whether it lies in the section of a map's photos without a position.
        let isUnlocated: Bool
    }
}

/// The position at which a list of a cluster's photos continues.
struct ClusterCursor: Hashable {
    let streamID: Int64
    let layoutKey: LayoutKey
    /// The photos.
    let photos: ClusterPhotos
    /// The place of the last listed photo; the rest begins strictly after it.
    let place: OrderKey
    /// The stream's revision when the answer was made.
    let revision: Revision
}
