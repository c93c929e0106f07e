/// One value for each text of a photo.
public struct PerText<Value> {
    /// The caption, never blank.
    public var caption: Value
    /// The alternative text.
    public var alt: Value
    /// The URL or path of the image.
    public var location: Value
    /// The hash of the image file's bytes, in the source's own notation.
    public var contentHash: Value
    /// A ThumbHash or BlurHash as text.
    public var placeholder: Value
    /// The title.
    public var title: Value
    /// The camera that took it.
    public var camera: Value
    /// The lens that took it.
    public var lens: Value
    /// The codec of a video, such as `avc1`.
    public var codec: Value

    /// Creates equal values.
    @inlinable
    public init(repeating value: Value) {
        (caption, alt, location, contentHash, placeholder) = (value, value, value, value, value)
        (title, camera, lens, codec) = (value, value, value, value)
    }

    /// The value of a text.
    @inlinable
    public subscript(text: PhotoText) -> Value {
        get {
            switch text {
            case .caption: caption
            case .alt: alt
            case .location: location
            case .contentHash: contentHash
            case .placeholder: placeholder
            case .title: title
            case .camera: camera
            case .lens: lens
            case .codec: codec
            }
        }
        set {
            switch text {
            case .caption: caption = newValue
            case .alt: alt = newValue
            case .location: location = newValue
            case .contentHash: contentHash = newValue
            case .placeholder: placeholder = newValue
            case .title: title = newValue
            case .camera: camera = newValue
            case .lens: lens = newValue
            case .codec: codec = newValue
            }
        }
    }
}

/// One value for each number of a photo, in the units of ``PhotoNumber``.
public struct PerNumber<Value> {
    /// The rating: -1 rejected, 0 unrated, 1 to 5.
    public var rating: Value
    /// The ISO speed.
    public var iso: Value
    /// The f-number, in hundredths.
    public var aperture: Value
    /// The exposure time, in microseconds.
    public var exposureTime: Value
    /// The focal length of the lens itself, in hundredths of a millimetre.
    public var focalLength: Value
    /// The length of a video, in milliseconds; a photo with one is a video.
    public var duration: Value

    /// Creates equal values.
    @inlinable
    public init(repeating value: Value) {
        (rating, iso, aperture) = (value, value, value)
        (exposureTime, focalLength, duration) = (value, value, value)
    }

    /// The value of a number.
    @inlinable
    public subscript(number: PhotoNumber) -> Value {
        get {
            switch number {
            case .rating: rating
            case .iso: iso
            case .aperture: aperture
            case .exposureTime: exposureTime
            case .focalLength: focalLength
            case .duration: duration
            }
        }
        set {
            switch number {
            case .rating: rating = newValue
            case .iso: iso = newValue
            case .aperture: aperture = newValue
            case .exposureTime: exposureTime = newValue
            case .focalLength: focalLength = newValue
            case .duration: duration = newValue
            }
        }
    }
}

/// One value for each list of a photo.
public struct PerList<Value> {
    /// The tags, in order.
    public var tags: Value
    /// The names of the people in the picture, in order.
    public var people: Value
    /// The paths of the albums that contain it, in order.
    public var albums: Value

    /// Creates equal values.
    @inlinable
    public init(repeating value: Value) {
        (tags, people, albums) = (value, value, value)
    }

    /// The value of a list.
    @inlinable
    public subscript(list: PhotoList) -> Value {
        get {
            switch list {
            case .tags: tags
            case .people: people
            case .albums: albums
            }
        }
        set {
            switch list {
            case .tags: tags = newValue
            case .people: people = newValue
            case .albums: albums = newValue
            }
        }
    }
}

/// One value for each flag of a photo.
public struct PerFlag<Value> {
    /// Whether it is a favourite.
    public var isFavourite: Value
    /// Whether it is archived.
    public var isArchived: Value

    /// Creates equal values.
    @inlinable
    public init(repeating value: Value) {
        (isFavourite, isArchived) = (value, value)
    }

    /// The value of a flag.
    @inlinable
    public subscript(flag: PhotoFlag) -> Value {
        get {
            switch flag {
            case .favourite: isFavourite
            case .archived: isArchived
            }
        }
        set {
            switch flag {
            case .favourite: isFavourite = newValue
            case .archived: isArchived = newValue
            }
        }
    }
}

extension PerText: Sendable where Value: Sendable {}
extension PerText: Equatable where Value: Equatable {}
extension PerText: Hashable where Value: Hashable {}
extension PerNumber: Sendable where Value: Sendable {}
extension PerNumber: Equatable where Value: Equatable {}
extension PerNumber: Hashable where Value: Hashable {}
extension PerList: Sendable where Value: Sendable {}
extension PerList: Equatable where Value: Equatable {}
extension PerList: Hashable where Value: Hashable {}
extension PerFlag: Sendable where Value: Sendable {}
extension PerFlag: Equatable where Value: Equatable {}
extension PerFlag: Hashable where Value: Hashable {}
