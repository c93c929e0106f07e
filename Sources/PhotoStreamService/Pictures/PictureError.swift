/// Why there is no picture of a photo, in one sentence that names no path: it may go to anybody.
public enum PictureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The photo has no location.
    case withoutLocation(photo: String)
    /// The location is an address that nobody is sent to.
    case refusedAddress(photo: String)
    /// No root serves the stream, or beneath none of them there is a file that may be read.
    case unreachable(photo: String)
    /// What is there is no regular file, or not of a type that is known.
    case notAPicture(photo: String)
    /// The system has no room for another open file; it may have later.
    case tooManyFiles
    /// The file cannot be read.
    case unreadable(photo: String)

    /// One sentence that names the photo.
    public var description: String {
        switch self {
        case .withoutLocation(let photo): "photo \"\(photo)\" has no location, so there is no picture of it"
        case .refusedAddress(let photo):
            "the location of photo \"\(photo)\" is an address that nobody is sent to: only http and https without a "
                + "user's name or password are"
        case .unreachable(let photo): "there is no file for photo \"\(photo)\" beneath the folders that are served"
        case .notAPicture(let photo): "what the location of photo \"\(photo)\" names is no picture of a known type"
        case .tooManyFiles: "too many files are open; ask again later"
        case .unreadable(let photo): "the picture of photo \"\(photo)\" cannot be read"
        }
    }
}
