/// What a record says about one field.
public enum FieldChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The record lacks the field: what is stored stays.
    case keep
    /// The record has `null` or an empty cell: what is stored goes.
    case clear
    /// The record has a value.
    case set(Value)
}

/// One photo as a source describes it: an import's record, or a person's edit.
///
/// It is applied to a stored photo, or to none, by ``Photo/applying(_:to:by:)``.
public struct PhotoRecord: Hashable, Sendable {
    /// A size as a source gives it: the file's own width and height, before orientation is applied.
    public struct OwnSize: Hashable, Sendable {
        /// The file's own sides in pixels.
        public var pixelSize: PixelSize
        /// `measured`, or `ratio` where decimals were made whole.
        public var source: MetricsSource

        /// Creates a size.
        public init(_ pixelSize: PixelSize, source: MetricsSource = .measured) {
            self.pixelSize = pixelSize
            self.source = source
        }
    }

    /// The photo that is meant.
    public var id: PhotoID
    /// The file's own size; ``FieldChange/clear`` leaves an assumed one.
    public var size: FieldChange<OwnSize> = .keep
    /// The raw orientation; cleared it is 1.
    public var orientation: FieldChange<Orientation> = .keep
    /// When it was taken.
    public var takenAt: FieldChange<CaptureTime> = .keep
    /// The caption; a blank one is none.
    public var caption: FieldChange<String> = .keep
    /// The alternative text.
    public var alt: FieldChange<String> = .keep
    /// The tags, in order.
    public var tags: FieldChange<[String]> = .keep
    /// The URL or path of the image.
    public var location: FieldChange<String> = .keep
    /// Where it was taken.
    public var coordinate: FieldChange<Coordinate> = .keep
    /// The hash of the image file's bytes, in the source's own notation.
    public var contentHash: FieldChange<String> = .keep
    /// A ThumbHash or BlurHash as text.
    public var placeholder: FieldChange<String> = .keep
    /// The colour that stands for it.
    public var color: FieldChange<RGBColor> = .keep

    /// Creates a record that says nothing but which photo is meant.
    public init(id: PhotoID) {
        self.id = id
    }
}
