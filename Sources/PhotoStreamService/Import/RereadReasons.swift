import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage

/// The reasons for which an import reads an unchanged file again.
struct RereadReasons: Sendable {
    /// Whether files that could not be read are tried again.
    let retriesFailures: Bool
    /// Whether photos that a person deleted come back.
    let restoresDeleted: Bool
    /// Whether exiftool is installed now.
    let hasExifTool = ProgramSearch.path(of: "exiftool") != nil

    /// Whether an unchanged file must be read again.
    func apply(to known: PictureFileRow) -> Bool {
        // The reader knows more than before, or a program is there since.
        if known.state != .vanished,
            known.reader < FileRecord.readerVersion || known.lacksExifTool && hasExifTool || known.isRemedied
        {
            return true
        }
        return switch known.state {
        case .read where known.warnings.contains(.exifToolFailed) && retriesFailures: true
        case .failed: retriesFailures
        // A person deleted its photo, even if its disk was unmounted since.
        case .read, .vanished: restoresDeleted && known.photo == nil
        case .ignored: false
        }
    }
}

extension PictureFileRow {
    /// Whether metadata may be missing because exiftool was not installed.
    fileprivate var lacksExifTool: Bool { warnings.contains(.withoutExifTool) }

    /// Whether it could not be read for the lack of a program that is installed now.
    fileprivate var isRemedied: Bool {
        state == .failed && PictureFailure(.unsupported, reason: reason ?? "").isRemedied
    }
}
