import Foundation
import PhotoStreamPictureMessages
import PhotoStreamPictures

extension FolderFile {
    /// The names, sizes and times of the sidecars, in a form for comparisons only.
    var sidecarState: String {
        sidecars.map { "\($0.path) \($0.stamp.byteCount) \($0.stamp.modifiedNanoseconds)" }.joined(separator: "\n")
    }
}

extension PathFilter {
    /// Reads patterns, which are relative to the imported folder.
    ///
    /// - Throws: ``FolderImportError/pattern(_:reason:)``.
    init(include: [String], exclude: [String]) throws(FolderImportError) {
        func patterns(_ texts: [String]) throws(FolderImportError) -> [PathPattern] {
            var patterns: [PathPattern] = []
            for text in texts {
                guard !text.hasPrefix("/") else {
                    throw .pattern(text, reason: "it must be relative to the folder")
                }
                guard let pattern = PathPattern(text) else { throw .pattern(text, reason: "it is empty") }
                patterns.append(pattern)
            }
            return patterns
        }
        self.init(included: try patterns(include), excluded: try patterns(exclude))
    }
}

extension FolderScope {
    /// Begins a walk of the folder; `nil` if it has disappeared, as a watched folder beneath its root may.
    ///
    /// - Throws: ``FolderImportError/unreadable(_:reason:)``.
    func walk(_ filter: PathFilter) throws(FolderImportError) -> FolderWalk? {
        try checkRoot()
        do throws(FolderError) {
            return try FolderWalk(root: rootPath, folder: folder, filter: filter)
        } catch {
            guard error.code == ENOENT, !folder.isEmpty else {
                throw FolderImportError.unreadable(path, reason: error.reason)
            }
            return nil
        }
    }

    /// Refuses a root that cannot be opened.
    func checkRoot() throws(FolderImportError) {
        do {
            Foundation.close(try OpenFolder(rootPath).open("."))
        } catch {
            throw FolderImportError.unreadable(rootPath, reason: error.rootReason)
        }
    }
}

extension FolderWalk {
    /// Walks to the end.
    ///
    /// - Returns: The number of files and problems, and those of skipped files.
    /// - Throws: `CancellationError`.
    func count() throws -> (found: Int, skipped: SkippedFiles) {
        var count = 0
        while next() != nil {
            count += 1
            if count % 1_024 == 0 { try Task.checkCancellation() }
        }
        return (count, skipped)
    }
}
