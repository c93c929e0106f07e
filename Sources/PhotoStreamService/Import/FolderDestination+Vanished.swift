import Foundation
import PhotoStreamModel
import PhotoStreamStorage

/// Files that were imported once and are gone.
extension FolderDestination {
    /// The number of known files that are looked at in one transaction.
    private static let pageSize = 1_000

    /// Calls `body` with the known files of a folder that are gone, page by page.
    func forEachVanished(in scope: FolderScope, _ body: ([PictureFileRow]) throws -> Void) throws {
        guard let service, let streamID else { return }
        var last: String?
        while true {
            try Task.checkCancellation()
            let page = try service.transaction {
                try $0.pictureFiles(
                    streamID: streamID, rootID: scope.rootID, below: scope.folder, after: last, limit: Self.pageSize)
            }
            let gone = page.filter { !Self.isThere(scope.absolutePath($0.path)) }
            if !gone.isEmpty {
                // The root itself may have gone meanwhile, with everything in it.
                try scope.checkRoot()
                try body(gone)
            }
            guard page.count == Self.pageSize else { return }
            last = page.last?.path
        }
    }

    /// Whether there is a file at a path, or it cannot be said.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) != 0 else { return status.st_mode & S_IFMT == S_IFREG }
        return errno != ENOENT && errno != ENOTDIR
    }

    /// Refuses a root that has no file any more: most likely its disk is not mounted.
    func refuseEmptyRoot(_ scope: FolderScope) throws {
        guard let service, let streamID else { return }
        let known = try service.transaction {
            try $0.pictureFiles(streamID: streamID, rootID: scope.rootID, limit: Self.pageSize)
        }
        if known.contains(where: { $0.photo != nil }) { throw FolderImportError.empty(scope.path) }
    }

    func note(vanished rows: [PictureFileRow], prunes: Bool) throws {
        guard let service, let streamID, !isDryRun else { return }
        // Few at a time: a deleted photo writes more than a row.
        for start in stride(from: 0, to: rows.count, by: 250) {
            service.database.pauseForOtherWriters()
            let some = Array(rows[start..<min(start + 250, rows.count)])
            try service.database.retryingWhileLocked {
                try service.database.noteVanished(some, of: streamID, prunes: prunes)
            }
        }
    }

    /// Counts the files that are still gone, now that those that were moved have been found.
    func sumUpVanished(
        in scope: FolderScope, prunes: Bool, progress: inout FolderProgress, observe: (FolderProgress) throws -> Void
    ) throws {
        try forEachVanished(in: scope) { rows in
            let rows = rows.filter { $0.photo != nil }
            if prunes { try note(vanished: rows, prunes: true) }
            progress.folders.vanished += prunes ? 0 : rows.count
            progress.folders.pruned += prunes ? rows.count : 0
            progress.notices += rows.map { row in
                FileNotice(
                    kind: prunes ? .pruned : .vanished, path: scope.absolutePath(row.path), id: row.photo, reason: "")
            }
            try report(&progress, to: observe)
        }
    }
}
