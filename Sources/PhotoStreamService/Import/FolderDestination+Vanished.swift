import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage

/// Imported files that no longer exist.
extension FolderDestination {
    /// The number of known files that are checked in one transaction.
    private static let pageSize = 1_000

    /// Calls `body` with the known files of a folder that are gone, page by page.
    ///
    /// - Parameters:
    ///   - scope: The folder.
    ///   - look: Receives each page of known files first, each with its state.
    ///   - body: Receives the files that are gone.
    /// - Throws: ``FolderImportError``, `StorageError`, and errors of `body`.
    func forEachVanished(
        in scope: FolderScope, look: ([LookedUpFile]) -> Void = { _ in },
        _ body: ([PictureFileRow]) throws -> Void
    ) throws {
        guard let service, let streamID else { return }
        var last: String?
        while true {
            try Task.checkCancellation()
            let page = try service.transaction {
                try $0.pictureFiles(
                    streamID: streamID, rootID: scope.rootID, below: scope.folder, after: last, limit: Self.pageSize)
            }
            let files = page.map { LookedUpFile($0, path: scope.absolutePath($0.path)) }
            look(files)
            let gone = files.filter(\.isGone).map(\.row)
            if !gone.isEmpty {
                // The root itself may have disappeared in the meantime, with everything in it.
                try scope.checkRoot()
                try body(gone)
            }
            guard page.count == Self.pageSize else { return }
            last = page.last?.path
        }
    }

    /// Refuses a root that no longer has any files: most likely its disk is not mounted.
    func refuseEmptyRoot(_ scope: FolderScope) throws {
        guard let service, let streamID else { return }
        let known = try service.transaction {
            try $0.pictureFiles(streamID: streamID, rootID: scope.rootID, limit: Self.pageSize)
        }
        if known.contains(where: { $0.photo != nil }) { throw FolderImportError.empty(scope.path) }
    }

    func note(vanished rows: [PictureFileRow], prunes: Bool) throws {
        guard let service, let streamID, !isDryRun else { return }
        // Only a few at a time: deleting a photo writes more than one row.
        for start in stride(from: 0, to: rows.count, by: 250) {
            service.database.pauseForOtherWriters()
            let some = Array(rows[start..<min(start + 250, rows.count)])
            try service.database.retryingWhileLocked {
                try service.database.noteVanished(
                    some, of: streamID, at: service.now(), prunes: prunes)
            }
        }
    }

    /// Returns the roots of the stream, other than those of some folders, whose folders are not there.
    ///
    /// A disk that is not mounted leaves an empty folder, which is not missing.
    func missingRoots(besides scopes: [FolderScope]) throws -> [RootRow] {
        guard let service, let streamID else { return [] }
        let roots = try service.transaction { try $0.roots(servingStreamID: streamID, on: HostIdentity.name) }
        return roots.filter { root in
            !scopes.contains { $0.rootID == root.id } && !Self.exists(root.resolvedPath)
        }
    }

    /// Notes that all files of a missing root have vanished: the folder that is imported may be that root under another
    /// name, and its files are found again by their contents.
    func noteVanished(_ root: RootRow) throws {
        guard let service, let streamID, !isDryRun else { return }
        var last: String?
        while true {
            try Task.checkCancellation()
            let page = try service.transaction {
                try $0.pictureFiles(streamID: streamID, rootID: root.id, after: last, limit: Self.pageSize)
            }
            try note(vanished: page.filter { $0.state != .vanished }, prunes: false)
            guard page.count == Self.pageSize else { return }
            last = page.last?.path
        }
    }

    /// Describes a missing root, after its files were looked for elsewhere.
    func notice(of root: RootRow) throws -> FileNotice {
        let hasFiles = try service?.transaction { reader in
            try streamID.map { try !reader.pictureFiles(streamID: $0, rootID: root.id, limit: 1).isEmpty } ?? false
        }
        let reason =
            hasFiles == true
            ? "there is no such folder; its photos are kept until it is there again"
            : "there is no such folder, and none of its photos is missing; photostream roots remove forgets it"
        return FileNotice(kind: .held, path: root.path, id: nil, reason: reason)
    }

    /// Whether there is anything at a path, or it is unknown.
    private static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR
    }

    /// Counts the files that are still gone after moved ones have been found, and removes their photos if the options
    /// require it.
    func sumUpVanished(
        in scope: FolderScope, options: FolderImport.Options, progress: inout FolderProgress,
        observe: (FolderProgress) throws -> Void
    ) throws {
        var survey = FolderSurvey(scope, confirmed: options.prunedFolders)
        try forEachVanished(in: scope, look: { survey.add($0) }, { _ in })
        let mounted = try service?.transaction { try $0.mountedFolders(rootID: scope.rootID) } ?? []
        let hold =
            options.prunesVanished
            ? survey.hold(mounted: mounted, allowsMost: options.prunesMostOfRoot) : FolderSurvey.Hold()
        progress.notices += hold.reasons.sorted { $0.key < $1.key }.map { folder, reason in
            FileNotice(
                kind: .held, path: folder.isEmpty ? scope.rootPath : scope.absolutePath(folder), id: nil, reason: reason
            )
        }
        try forEachVanished(in: scope) { rows in
            let rows = rows.filter { $0.photo != nil }
            let isTaken = { (row: PictureFileRow) in options.prunes(row) && !hold.contains(row.path) }
            let (taken, left) = (rows.filter(isTaken), rows.filter { !isTaken($0) })
            try note(vanished: taken, prunes: true)
            progress.folders.vanished += left.count
            progress.folders.held += left.count { hold.contains($0.path) }
            progress.folders.pruned += taken.count
            for (some, kind) in [(left, FileNotice.Kind.vanished), (taken, .pruned)] {
                progress.notices += some.map { row in
                    FileNotice(kind: kind, path: scope.absolutePath(row.path), id: row.photo, reason: "")
                }
            }
            try report(&progress, to: observe)
        }
        if !progress.notices.isEmpty { try report(&progress, to: observe) }
        try note(survey.mountedFolders, forgetting: survey.confirmed, in: scope, known: mounted)
    }

    /// Records which folders are mount points.
    private func note(
        _ folders: Set<String>, forgetting confirmed: [String], in scope: FolderScope, known: Set<String>
    ) throws {
        guard let service, !isDryRun else { return }
        let gone = known.filter { folder in
            !folders.contains(folder) && confirmed.contains { FolderSurvey.contains(folder, beneath: $0) }
        }
        let new = folders.subtracting(known)
        guard !new.isEmpty || !gone.isEmpty else { return }
        try service.database.retryingWhileLocked {
            try service.database.writeLocally { writer in
                try writer.noteMountedFolders(new, forgetting: gone, rootID: scope.rootID)
            }
        }
    }
}

/// A known file that was looked for.
struct LookedUpFile {
    let row: PictureFileRow
    /// Whether there is no file at its path; `false` if it is unknown.
    let isGone: Bool
    /// The version of the file at its path; `nil` if there is none, or it is unknown.
    let stamp: FileStamp?

    /// Looks for a file at its absolute path.
    fileprivate init(_ row: PictureFileRow, path: String) {
        self.row = row
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            (isGone, stamp) = (errno == ENOENT || errno == ENOTDIR, nil)
            return
        }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        (isGone, stamp) = (!isFile, isFile ? FileStamp(status) : nil)
    }
}

extension FolderImport.Options {
    /// Whether the photo of a file that is gone is removed unless its folder is held.
    fileprivate func prunes(_ row: PictureFileRow) -> Bool {
        guard prunesVanished, let time = prunesVanishedBefore else { return prunesVanished }
        return row.vanishedAtMilliseconds.map { $0 <= time } ?? false
    }
}
