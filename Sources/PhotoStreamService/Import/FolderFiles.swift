import Foundation
import PhotoStreamModel
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
                guard let pattern = PathPattern(text) else {
                    throw .pattern(
                        text,
                        reason: text.isEmpty
                            ? "it is empty" : "a bracket is not complete, or nothing follows a backslash")
                }
                patterns.append(pattern)
            }
            return patterns
        }
        self.init(included: try patterns(include), excluded: try patterns(exclude))
    }
}

extension FolderScope {
    /// Begins a walk of the folder.
    ///
    /// - Parameters:
    ///   - filter: The selection of files.
    ///   - direction: The direction of the walk.
    /// - Returns: The walk; `nil` if the folder has disappeared, as a watched folder beneath its root may.
    /// - Throws: ``FolderImportError/unreadable(_:reason:)``.
    func walk(_ filter: PathFilter, direction: FolderWalk.Direction) throws(FolderImportError) -> FolderWalk? {
        try checkRoot()
        do throws(FolderError) {
            return try FolderWalk(
                root: rootPath, folder: folder, base: base, filter: filter, direction: direction)
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

extension FolderWalk.Direction {
    /// The direction for a stream: photos of one second, which keep the order of their import, get that of their numbers
    /// as the stream shows them.
    init(_ order: StreamOrder) {
        switch order {
        case .newest: self = .backwards
        case .oldest, .manual: self = .forwards
        }
    }
}

extension FolderWalk {
    /// Walks to the end.
    ///
    /// - Returns: The number of files and problems, and those that were left out.
    /// - Throws: `CancellationError`.
    func count() throws -> (found: Int, leftOut: LeftOut) {
        var count = 0
        while next() != nil {
            count += 1
            if count % 1_024 == 0 { try Task.checkCancellation() }
        }
        return (count, leftOut)
    }
}
