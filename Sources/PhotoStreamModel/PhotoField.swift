/// The fields of a photo that a record can set, as a set.
///
/// Raw values are stored (which fields a person edited), so a bit never changes its meaning.
public struct PhotoField: OptionSet, Hashable, Sendable {
    /// One bit per field.
    public let rawValue: UInt32

    /// Wraps a set of bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Width and height.
    public static let size = PhotoField(rawValue: 1 << 0)
    /// The raw orientation.
    public static let orientation = PhotoField(rawValue: 1 << 1)
    /// When it was taken.
    public static let takenAt = PhotoField(rawValue: 1 << 2)
    /// The caption.
    public static let caption = PhotoField(rawValue: 1 << 3)
    /// The alternative text.
    public static let alt = PhotoField(rawValue: 1 << 4)
    /// The tags.
    public static let tags = PhotoField(rawValue: 1 << 5)
    /// Where the image file is.
    public static let location = PhotoField(rawValue: 1 << 6)
    /// Latitude and longitude.
    public static let coordinate = PhotoField(rawValue: 1 << 7)
    /// The hash of the image file's bytes.
    public static let contentHash = PhotoField(rawValue: 1 << 8)
    /// The placeholder picture.
    public static let placeholder = PhotoField(rawValue: 1 << 9)
    /// The colour that stands for the photo.
    public static let color = PhotoField(rawValue: 1 << 10)
}
