import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage

/// The known files of the imported folders whose content may not be that of their rows any more, as found before the
/// first file is read.
///
/// With it, an import finds the photo of a file whose name belongs to another picture now, in whatever order it meets the
/// two.
struct KnownContents: Sendable {
    /// A file with another length or time than its row, and the content that it has now.
    private struct Present: Sendable {
        let stamp: FileStamp
        let content: FileContent
    }

    /// The files that were read, by the row ids of their former versions.
    private var present: [Int64: Present] = [:]
    /// The files that had vanished and are there again, unchanged, by their row ids.
    private var returned: Set<Int64> = []
    /// Whether the picture of any known file is not that of its row.
    private(set) var hasDisplaced = false

    /// Notes that a file that had vanished is there again.
    mutating func noteReturn(of row: PictureFileRow) {
        if row.state == .vanished, let id = row.rowID { returned.insert(id) }
    }

    /// Notes the content of a changed file.
    mutating func note(_ content: FileContent, of row: PictureFileRow, stamp: FileStamp) {
        guard let id = row.rowID else { return }
        present[id] = Present(stamp: stamp, content: content)
        hasDisplaced = hasDisplaced || row.content?.isOf(content) == false
    }

    /// Returns the content of a changed file that was read as a version; `nil` if it was not.
    func content(of row: PictureFileRow, stamp: FileStamp) -> FileContent? {
        guard let id = row.rowID, let found = present[id], found.stamp == stamp else { return nil }
        return found.content
    }

    /// Whether the file of a row is known to be gone, or to be another picture than one with a content.
    func isGone(_ row: PictureFileRow, insteadOf content: FileContent) -> Bool {
        guard let id = row.rowID else { return false }
        if let found = present[id] { return found.content.pictureHash != content.pictureHash }
        return row.state == .vanished && !returned.contains(id)
    }
}

extension FolderDestination {
    /// The number of files that are read at once.
    private static let maximumInFlight = 64

    /// Reads the contents of changed files whose former content is known.
    ///
    /// - Parameters:
    ///   - changed: The rows of the files, with their roots and their versions now.
    ///   - source: Reads the files.
    ///   - known: Receives the contents; a file that cannot be read has none.
    /// - Throws: `CancellationError`.
    func readContents(
        of changed: [(row: PictureFileRow, root: String, stamp: FileStamp)], from source: any HeaderSource,
        into known: inout KnownContents
    ) async throws {
        var found: [Int: FileContent] = [:]
        try await withThrowingTaskGroup(of: (Int, FileContent?).self) { group in
            for (number, file) in changed.enumerated() {
                if number >= Self.maximumInFlight, let (index, content) = try await group.next() {
                    found[index] = content
                }
                try Task.checkCancellation()
                let name = PictureFileName(root: file.root, path: file.row.path)
                group.addTask { (number, try? await source.content(of: name).get()) }
            }
            for try await (index, content) in group { found[index] = content }
        }
        for (index, content) in found {
            known.note(content, of: changed[index].row, stamp: changed[index].stamp)
        }
    }
}
