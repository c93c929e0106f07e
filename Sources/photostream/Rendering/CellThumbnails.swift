import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// The thumbnails of the photos in a picture of a layout: those that are stored, and those that can be made.
struct CellThumbnails {
    /// The maximum number of bytes of all thumbnails; the remaining photos are drawn in their colours.
    private static let maximumByteCount = 256 << 20
    /// The number of thumbnails that are requested at a time.
    private static let width = 8

    /// The thumbnails as JPEG, which every program that draws SVG can read.
    private(set) var bytes: [PhotoID: [UInt8]] = [:]
    private var byteCount = 0

    /// Collects the thumbnails, with a progress line.
    ///
    /// - Throws: ``StreamServiceError`` if the store cannot be opened or the file fails.
    init(of picture: LayoutPicture, in service: PhotoStreamService) async throws {
        let maker = try PictureMaker(service)
        let stream = picture.context.stream
        let wanted = picture.items.map { item in
            (id: item.id, kind: Self.kind(of: item, displayScale: picture.context.layoutKey.displayScale))
        }
        self = try await maker.whileRunning {
            var result = CellThumbnails()
            try await withThrowingTaskGroup(of: (PhotoID, [UInt8]?).self) { group in
                for (position, photo) in wanted.enumerated() where result.byteCount < Self.maximumByteCount {
                    if position >= Self.width, let (id, bytes) = try await group.next() { result.add(bytes, of: id) }
                    group.addTask { (photo.id, try await Self.jpeg(photo.kind, of: photo.id, in: stream, by: maker)) }
                    StandardError.show(
                        ProgressLine(
                            share: Double(position) / Double(wanted.count),
                            texts: ["\(position.grouped) of \(wanted.count.counting("picture"))"]))
                }
                for try await (id, bytes) in group { result.add(bytes, of: id) }
            }
            return result
        }
    }

    private init() {}

    private mutating func add(_ bytes: [UInt8]?, of id: PhotoID) {
        guard let bytes, byteCount + bytes.count <= Self.maximumByteCount else { return }
        self.bytes[id] = bytes
        byteCount += bytes.count
    }

    /// The smallest thumbnail that fills the frame without being enlarged, or the largest of all.
    static func kind(of item: PlacedPhoto, displayScale: DisplayScale) -> ThumbnailKind {
        let (frame, size) = (item.attributes.frame, item.photo.pixelSize)
        let (width, height) = (Double(frame.width), Double(frame.height - item.attributes.captionExtent))
        // Up to half a pixel on each side of the frame is due to rounding.
        let enlargement = max((width - 0.5) / Double(size.width), (height - 0.5) / Double(size.height))
        let side = enlargement * Double(max(size.width, size.height))
        let found = ThumbnailSize.allCases.first { Double($0.rawValue) >= side }
        return ThumbnailKind(found ?? .pixels2560, as: .jpeg)
    }

    private static func jpeg(
        _ kind: ThumbnailKind, of id: PhotoID, in stream: StreamName, by maker: PictureMaker
    ) async throws -> [UInt8]? {
        do {
            guard case .thumbnail(let thumbnail) = try await maker.thumbnail(kind, of: id, in: stream) else {
                return nil
            }
            return thumbnail.bytes
        } catch is PictureError {
            // It has no file on this machine.
            return nil
        } catch StreamServiceError.unknownPhoto {
            // It was deleted in the meantime.
            return nil
        }
    }
}
