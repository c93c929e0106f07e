import PhotoStreamModel
import PhotoStreamStorage

/// A batch of consecutive files of a folder, read and ready to be stored.
struct FolderBatch: Sendable {
    /// The files to store, in order.
    var entries: [FolderEntry] = []
    /// The absolute path of each entry.
    var paths: [String] = []
    /// Files that are not stored.
    var notices: [FileNotice] = []
    /// The number of files with each kind of metadata that was left out or could not be read.
    var warningCounts: [FileWarning: Int] = [:]
    /// Files that are known and unchanged.
    var unchangedCount = 0
    /// Files that are not pictures.
    var ignoredCount = 0
    /// The number of files that did not become photos.
    var rejectedCount = 0
    /// The number of files.
    var fileCount = 0
}

extension FolderBatch {
    /// Counts an unchanged file.
    mutating func add(_ known: PictureFileRow, of scope: FolderScope) {
        let path = scope.absolutePath(known.path)
        switch known.state {
        case .read:
            unchangedCount += 1
            for kind in known.warnings { warningCounts[kind, default: 0] += 1 }
        case .failed:
            reject(path: path, id: known.photo, reason: known.reason ?? "it could not be read", isKnown: true)
        case .ignored:
            ignoredCount += 1
            notices.append(
                FileNotice(kind: .ignored, path: path, id: nil, reason: known.reason ?? "", isKnown: true))
        case .vanished:
            unchangedCount += 1
            var row = known
            (row.state, row.reason) = (.read, nil)
            entries.append(FolderEntry(row: row))
            paths.append(path)
        }
    }

    /// Counts a file that does not become a photo.
    mutating func reject(path: String, id: PhotoID? = nil, reason: String, isKnown: Bool = false) {
        rejectedCount += 1
        notices.append(FileNotice(kind: .rejected, path: path, id: id, reason: reason, isKnown: isKnown))
    }
}
