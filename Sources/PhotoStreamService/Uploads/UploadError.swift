import PhotoStreamModel

/// A reason for refusing a picture, in one sentence without a folder of the machine.
public enum UploadError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Uploads to the stream are disabled.
    case off(stream: String)
    /// The name is not a valid name of a picture's file.
    case invalidName(String, reason: String)
    /// The folder already has an entry with the name.
    case fileExists(String)
    /// The stream already has a photo with the file's id.
    case photoExists(String)
    /// A person deleted the photo with the file's id.
    case photoDeleted(String)
    /// A person deleted a photo with the same picture, at a time in milliseconds since 1970.
    case deletedBefore(atMilliseconds: Int64)
    /// The file cannot be decoded.
    case undecodable(reason: String)
    /// The disk of the folder is full.
    case diskFull
    /// The folder cannot be written, or no worker can decode the picture.
    case unavailable(reason: String)

    /// The sentence.
    public var description: String {
        switch self {
        case .off(let stream):
            "nothing can be uploaded into stream \"\(stream)\"; the server's option --uploads allows it"
        case .invalidName(let name, let reason): "\"\(name)\" cannot be the name of a picture: \(reason)"
        case .fileExists(let name): "there is a file \"\(name)\" already, and files are never replaced"
        case .photoExists(let id): "the stream has a photo \"\(id)\" already; choose another name"
        case .photoDeleted(let id): "photo \"\(id)\" was deleted by a person; choose another name, or restore it"
        case .deletedBefore(let time):
            "a person deleted this picture on \(Self.date(time)); restore=true brings it back"
        case .undecodable(let reason): "the picture cannot be decoded: \(reason)"
        case .diskFull: "the disk of the folder is full"
        case .unavailable(let reason): "no picture can be uploaded at the moment: \(reason)"
        }
    }

    /// Whether a file or photo has the name, so that another name may be free.
    var isAboutTakenName: Bool {
        switch self {
        case .fileExists, .photoExists, .photoDeleted: true
        case .off, .invalidName, .deletedBefore, .undecodable, .diskFull, .unavailable: false
        }
    }

    /// The day of a time in UTC, such as `2026-11-27`.
    private static func date(_ milliseconds: Int64) -> String {
        CivilDate(daysSince1970: Int(milliseconds / 86_400_000)).description
    }
}
