/// A record's change to one field.
public enum FieldChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The record lacks the field: the stored value stays.
    case keep
    /// The record has `null` or an empty cell: the stored value is removed.
    case clear
    /// The record has a value.
    case set(Value)
}

/// One photo as a source describes it: a record of an import, or a person's edit.
///
///     var record = PhotoRecord(id: try PhotoID("harbour.jpg"))
///     record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 4000, height: 3000)))
///     record.caption = .set("The harbour")
///     let photo = Photo.applying(record, to: nil, by: .importer)
///
/// ``Photo/applying(_:to:by:)`` applies it to a stored photo, or creates a photo from it.
public struct PhotoRecord: Hashable, Sendable {
    /// A size as a source states it: the file's own width and height, before orientation is applied.
    public struct EncodedSize: Hashable, Sendable {
        /// The file's own width and height in pixels.
        public var pixelSize: PixelSize
        /// `measured`, or `ratio` if decimals were scaled to whole numbers.
        public var source: MetricsSource

        /// Creates a size.
        public init(_ pixelSize: PixelSize, source: MetricsSource = .measured) {
            self.pixelSize = pixelSize
            self.source = source
        }
    }

    /// The id of the photo.
    public var id: PhotoID
    /// The file's own size; ``FieldChange/clear`` resets it to the assumed size.
    public var size: FieldChange<EncodedSize> = .keep
    /// The raw orientation; ``FieldChange/clear`` resets it to 1.
    public var orientation: FieldChange<Orientation> = .keep
    /// The capture time.
    public var takenAt: FieldChange<CaptureTime> = .keep
    /// The caption; a blank one clears it.
    public var caption: FieldChange<String> = .keep
    /// The alternative text.
    public var alt: FieldChange<String> = .keep
    /// The tags, in order.
    public var tags: FieldChange<[String]> = .keep
    /// The URL or path of the image.
    public var location: FieldChange<String> = .keep
    /// The place where it was taken.
    public var coordinate: FieldChange<Coordinate> = .keep
    /// The hash of the image file's bytes, in the source's own notation.
    public var contentHash: FieldChange<String> = .keep
    /// A ThumbHash or BlurHash as text.
    public var placeholder: FieldChange<String> = .keep
    /// The colour shown until the image is loaded.
    public var color: FieldChange<RGBColor> = .keep
    /// The state of the photo in the export that contains the record; `nil` in any other record.
    package var exported: ExportedState?

    /// Creates a record that changes nothing.
    public init(id: PhotoID) {
        self.id = id
    }
}

/// A set of the photo fields that a record can set.
///
/// The file stores raw values (the fields that a person edited), so a bit never changes its meaning.
public struct PhotoField: OptionSet, Hashable, Sendable {
    /// The bits, one per field.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Width and height.
    public static let size = PhotoField(rawValue: 1 << 0)
    /// The raw orientation.
    public static let orientation = PhotoField(rawValue: 1 << 1)
    /// The capture time.
    public static let takenAt = PhotoField(rawValue: 1 << 2)
    /// The caption.
    public static let caption = PhotoField(rawValue: 1 << 3)
    /// The alternative text.
    public static let alt = PhotoField(rawValue: 1 << 4)
    /// The tags.
    public static let tags = PhotoField(rawValue: 1 << 5)
    /// The URL or path of the image.
    public static let location = PhotoField(rawValue: 1 << 6)
    /// Latitude and longitude.
    public static let coordinate = PhotoField(rawValue: 1 << 7)
    /// The hash of the image file's bytes.
    public static let contentHash = PhotoField(rawValue: 1 << 8)
    /// The placeholder picture.
    public static let placeholder = PhotoField(rawValue: 1 << 9)
    /// The colour shown until the image is loaded.
    public static let color = PhotoField(rawValue: 1 << 10)
}
