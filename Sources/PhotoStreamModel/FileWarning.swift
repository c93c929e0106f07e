/// A kind of metadata in a picture's file that was left out or could not be read.
public enum FileWarning: UInt8, CaseIterable, Sendable {
    /// Metadata in the file is damaged.
    case damaged = 0
    /// A sidecar is damaged, too long or cannot be opened.
    case sidecar = 1
    /// A text is too long.
    case leftOut = 2
    /// exiftool is not installed, so that some metadata may not be known.
    case withoutExifTool = 3
    /// exiftool could not be started, or was stopped because it took too long or too much memory.
    case exifToolFailed = 4

    /// The meaning, as a clause.
    package var summary: String {
        switch self {
        case .damaged: "a part of the metadata is damaged"
        case .sidecar: "a sidecar cannot be read"
        case .leftOut: "a text was left out"
        case .withoutExifTool: "some metadata may be missing, because exiftool is not installed"
        case .exifToolFailed: "some metadata may be missing, because exiftool failed"
        }
    }

    /// The JSON value.
    public var name: String {
        switch self {
        case .damaged: "damaged"
        case .sidecar: "sidecar"
        case .leftOut: "leftOut"
        case .withoutExifTool: "withoutExifTool"
        case .exifToolFailed: "exifToolFailed"
        }
    }
}
