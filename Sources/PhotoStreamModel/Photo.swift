/// A photo's metadata as it is stored.
public struct Photo: Hashable, Sendable {
    /// Who wrote a caption.
    public enum CaptionSource: UInt8, Sendable {
        /// It came with an import.
        case imported = 0
        /// A person wrote it here.
        case person = 1

        /// The word for it in JSON.
        public var name: String {
            switch self {
            case .imported: "import"
            case .person: "person"
            }
        }
    }

    /// The external id.
    public var id: PhotoID
    /// The displayed size: orientation is already applied.
    public var pixelSize: PixelSize
    /// Where the size comes from.
    public var metricsSource: MetricsSource
    /// The raw orientation of the file.
    public var orientation: Orientation
    /// When it was taken.
    public var takenAt: CaptureTime?
    /// The caption, never blank.
    public var caption: String?
    /// Who wrote the caption; `nil` without one.
    public var captionSource: CaptionSource?
    /// The alternative text.
    public var alt: String?
    /// The tags, in order.
    public var tags: [String]
    /// The URL or path of the image.
    public var location: String?
    /// Where it was taken.
    public var coordinate: Coordinate?
    /// The hash of the image file's bytes.
    public var contentHash: String?
    /// A ThumbHash or BlurHash as text.
    public var placeholder: String?
    /// The colour that stands for it.
    public var color: RGBColor?
    /// The fields that a person edited; they outrank every import.
    public var editedFields: PhotoField

    /// A photo of which only the id is known: 3 by 2, assumed.
    public init(id: PhotoID) {
        self.id = id
        pixelSize = .assumed
        metricsSource = .assumed
        orientation = .up
        tags = []
        editedFields = []
    }

    /// What a layout reads of it.
    ///
    /// - Parameter date: The date of its place in the stream.
    /// - Returns: The metrics.
    public func itemMetrics(at date: OrderDate) -> ItemMetrics {
        ItemMetrics(
            pixelSize: pixelSize, hasCaption: caption.map { !$0.isBlank } ?? false, orderDate: date,
            position: coordinate.map(WorldPosition.init))
    }

    /// The size as the image file itself has it, before orientation is applied: what an export writes.
    public var ownSize: PixelSize { pixelSize.applying(orientation) }
}
