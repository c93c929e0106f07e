import Foundation
import PhotoStreamModel
package import PhotoStreamPictureMessages
package import PhotoStreamPictures
import PhotoStreamStorage

/// The part of the decode workers that an import of folders needs.
package protocol HeaderSource: Sendable {
    /// Returns the header of a picture and of its sidecars.
    func header(of file: PictureFileName, sidecars: [String]) async -> Result<PictureHeader, PictureFailure>
    /// Returns the SHA-256 of a file's bytes.
    func hash(of file: PictureFileName) async -> Result<[UInt8], PictureFailure>
}

extension PictureWorkers: HeaderSource {}

/// Walks folders and reads the headers of new and changed files, many at a time; skips unchanged ones without opening
/// them.
actor FolderReader {
    /// The number of files in a batch.
    private static let batchSize = 512
    /// The time after which a batch ends, so that slow disks also show progress.
    private static let batchDuration = Duration.milliseconds(500)
    /// The maximum number of files that are read at once.
    private static let maximumInFlight = 64

    private let service: PhotoStreamService?
    private let streamID: Int64?
    private let source: any HeaderSource
    private let retriesFailures: Bool
    private let restoresDeleted: Bool
    /// Files of watched folders that are being written, by their paths from the root; `nil` for an import without a
    /// watch.
    private let unfinished: Set<String>?
    private let zone = TimeZone.current
    private var scopes: ArraySlice<FolderScope>
    private var walk: (scope: FolderScope, files: FolderWalk)?
    private let filter: PathFilter
    /// Vanished files for which a new name was found.
    private var taken: Set<String> = []
    /// Whether any file of the stream has vanished, so that a new one may be that file.
    private var mayHaveMoved = false

    init(
        _ scopes: [FolderScope], filter: PathFilter, retriesFailures: Bool, restoresDeleted: Bool,
        unfinished: Set<String>?, source: any HeaderSource, service: PhotoStreamService?, streamID: Int64?
    ) {
        (self.scopes, self.filter, self.retriesFailures) = (scopes[...], filter, retriesFailures)
        (self.restoresDeleted, self.unfinished) = (restoresDeleted, unfinished)
        (self.source, self.service, self.streamID) = (source, service, streamID)
    }

    /// A file with its record.
    private struct Candidate: Sendable {
        let scope: FolderScope
        let file: FolderFile
        let known: PictureFileRow?
        let id: PhotoID

        /// Returns the earliest time of the file, in nanoseconds since 1970, including its time under a former name: an
        /// edit of its metadata does not make a picture younger.
        func earliestNanoseconds(_ header: PictureHeader, movedFrom: PictureFileRow?) -> Int64 {
            let size = header.size.applying(header.orientation)
            return [known, movedFrom].compactMap(\.self).filter { $0.photoSize == size }
                .map(\.earliestNanoseconds).reduce(file.stamp.modifiedNanoseconds, min)
        }
    }

    /// The result of reading a file.
    private struct Reading: Sendable {
        let header: Result<PictureHeader, PictureFailure>
        let contentHash: [UInt8]?
        let movedFrom: PictureFileRow?
    }

    /// Reads the next files.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: ``FolderImportError``, `CancellationError`.
    func nextBatch() async throws -> FolderBatch? {
        var batch = FolderBatch()
        var results: [(Candidate, Reading)] = []
        let end = ContinuousClock.now.advanced(by: Self.batchDuration)
        let isOver = try await withThrowingTaskGroup(of: (Int, Reading).self) { group in
            var (waiting, readings): ([Candidate], [Reading?]) = ([], [])
            var inFlight = 0
            func collect() async throws {
                guard let (index, reading) = try await group.next() else { return }
                readings[index] = reading
                inFlight -= 1
            }
            var isOver = false
            while batch.fileCount < Self.batchSize, ContinuousClock.now < end {
                try Task.checkCancellation()
                let found = try nextCandidates(into: &batch)
                guard let found else {
                    isOver = true
                    break
                }
                for candidate in found {
                    while inFlight >= Self.maximumInFlight { try await collect() }
                    let index = waiting.count
                    waiting.append(candidate)
                    readings.append(nil)
                    let old = try vanished(like: candidate)
                    inFlight += 1
                    group.addTask { [source] in (index, try await Self.read(candidate, movedFrom: old, from: source)) }
                }
            }
            while inFlight > 0 { try await collect() }
            for (candidate, reading) in zip(waiting, readings) {
                if let reading { results.append((candidate, reading)) }
            }
            return isOver
        }
        for (candidate, reading) in results { try add(candidate, with: reading, to: &batch) }
        return isOver && batch.fileCount == 0 && batch.notices.isEmpty ? nil : batch
    }

    // MARK: - Known files

    /// Takes the next files of the walk, and counts those that need not be read.
    ///
    /// - Returns: The files to read; `nil` at the end.
    private func nextCandidates(into batch: inout FolderBatch) throws -> [Candidate]? {
        var files: [FolderFile] = []
        guard let scope = try nextFiles(&files, into: &batch) else { return nil }
        var known = [PictureFileRow?](repeating: nil, count: files.count)
        if let service, let streamID {
            (known, mayHaveMoved) = try service.transaction { reader in
                (
                    try reader.pictureFiles(streamID: streamID, rootID: scope.rootID, paths: files.lazy.map(\.path)),
                    try !reader.pictureFiles(streamID: streamID, in: .vanished, limit: 1).isEmpty
                )
            }
        }
        batch.fileCount += files.count
        return zip(files, known).compactMap { file, known -> Candidate? in
            if let known, known.isLike(file), !mustReadAgain(known) {
                batch.add(known, of: scope)
                return nil
            }
            do throws(ModelError) {
                return Candidate(scope: scope, file: file, known: known, id: try PhotoID(file.path))
            } catch {
                batch.reject(path: scope.absolutePath(file.path), reason: error.description)
                return nil
            }
        }
    }

    /// Whether an unchanged file must be read anyway.
    private func mustReadAgain(_ known: PictureFileRow) -> Bool {
        switch known.state {
        case .failed: retriesFailures
        // A person deleted its photo, even if its disk was unmounted since.
        case .read, .vanished: restoresDeleted && known.photo == nil
        case .ignored: false
        }
    }

    /// Whether a file can be read now; in a watched folder, it may still be being written.
    private func isStable(_ file: FolderFile) -> Bool {
        guard let unfinished else { return true }
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Self.isStable(
            modifiedNanoseconds: file.stamp.modifiedNanoseconds, isUnfinished: unfinished.contains(file.path),
            now: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }

    /// Whether a file of a watched folder can be imported at a time; one that was changed in the future can.
    static func isStable(modifiedNanoseconds: Int64, isUnfinished: Bool, now: Int64) -> Bool {
        let seconds = isUnfinished ? FolderWatch.settlingSeconds : FolderWatch.completedSeconds
        let (age, isOverflow) = now.subtractingReportingOverflow(modifiedNanoseconds)
        return isOverflow || age < 0 || Double(age) >= seconds * 1e9
    }

    /// Takes some files of one folder from the walk.
    private func nextFiles(_ files: inout [FolderFile], into batch: inout FolderBatch) throws -> FolderScope? {
        while true {
            if walk == nil {
                guard let scope = scopes.popFirst() else { return nil }
                guard let files = try scope.walk(filter) else { continue }
                walk = (scope, files)
            }
            guard let (scope, walked) = walk else { return nil }
            while files.count < Self.maximumInFlight {
                guard let item = walked.next() else {
                    walk = nil
                    break
                }
                switch item {
                case .file(let file): if isStable(file) { files.append(file) }
                case .problem(let problem):
                    batch.reject(path: scope.absolutePath(problem.path), reason: problem.reason)
                }
            }
            if !files.isEmpty || walk != nil { return scope }
        }
    }

    // MARK: - Moved files

    /// Vanished files and deleted photos that may be a new file.
    private struct Vanished: Sendable {
        /// Those with the same size, time and name, and with unknown content.
        var byName: [PictureFileRow] = []
        /// Finds vanished files of the same length by their content.
        var byContent: @Sendable ([UInt8]) throws -> [PictureFileRow]
        /// Whether the content of any file or photo with the same length is known, so that reading the file is
        /// worthwhile.
        var isContentKnown: Bool
    }

    private func vanished(like candidate: Candidate) throws -> Vanished? {
        guard candidate.known?.photo == nil, let service, let streamID else { return nil }
        let (file, byteCount) = (candidate.file, candidate.file.stamp.byteCount)
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        return try service.transaction { reader in
            let byName =
                mayHaveMoved && candidate.known == nil
                ? try reader.vanishedPictureFiles(
                    streamID: streamID, byteCount: byteCount, modifiedNanoseconds: file.stamp.modifiedNanoseconds,
                    lastName: name
                ).filter { $0.contentHash == nil } : []
            let isContentKnown =
                try candidate.known?.contentHash != nil || reader.hasTombstone(streamID: streamID, byteCount: byteCount)
                || mayHaveMoved && reader.hasVanishedPictureFile(streamID: streamID, byteCount: byteCount)
            guard isContentKnown || !byName.isEmpty else { return nil }
            return Vanished(
                byName: byName,
                byContent: { hash in
                    try service.transaction {
                        try $0.vanishedPictureFiles(streamID: streamID, byteCount: byteCount, contentHash: hash)
                    }
                }, isContentKnown: isContentKnown)
        }
    }

    private static func read(
        _ candidate: Candidate, movedFrom vanished: Vanished?, from source: any HeaderSource
    ) async throws -> Reading {
        let name = PictureFileName(root: candidate.scope.rootPath, path: candidate.file.path)
        let header = await source.header(of: name, sidecars: candidate.file.sidecars.map(\.path))
        guard let vanished, case .success = header else {
            return Reading(header: header, contentHash: nil, movedFrom: nil)
        }
        var contentHash: [UInt8]?
        var movedFrom: PictureFileRow?
        if vanished.isContentKnown, case .success(let hash) = await source.hash(of: name) {
            contentHash = hash
            if candidate.known == nil { movedFrom = try vanished.byContent(hash).preferred(for: candidate.file) }
        }
        return Reading(
            header: header, contentHash: contentHash, movedFrom: movedFrom ?? vanished.byName.first)
    }

    // MARK: - Results

    private func add(_ candidate: Candidate, with reading: Reading, to batch: inout FolderBatch) throws {
        let path = candidate.scope.absolutePath(candidate.file.path)
        var row = PictureFileRow(
            rootID: candidate.scope.rootID, path: candidate.file.path, photo: candidate.known?.photo,
            byteCount: candidate.file.stamp.byteCount,
            modifiedNanoseconds: candidate.file.stamp.modifiedNanoseconds,
            contentHash: reading.contentHash, sidecars: candidate.file.sidecarState, state: .read)
        var entry: FolderEntry
        switch reading.header {
        case .success(let header):
            row.earliestNanoseconds = candidate.earliestNanoseconds(header, movedFrom: reading.movedFrom)
            let made = FileRecord(
                id: candidate.id, path: candidate.file.path, header: header,
                modifiedNanoseconds: row.earliestNanoseconds, zone: zone)
            row.photo = candidate.id
            row.fieldSources = made.sources
            row.preview = header.preview.map { preview in
                PictureFileRow.Preview(
                    orientation: header.orientation, placeholder: preview.placeholder, color: preview.color)
            }
            entry = FolderEntry(row: row, record: made.record)
            if let old = reading.movedFrom, taken.insert("\(old.rootID)/\(old.path)").inserted {
                entry.movedFrom = old
            }
            batch.notices += made.warnings.map {
                FileNotice(kind: .warning, path: path, id: candidate.id, reason: $0)
            }
        case .failure(let failure):
            switch failure.kind {
            case .noWorker:
                // A cancelled request also has no worker.
                try Task.checkCancellation()
                throw FolderImportError.noWorker
            case .notAPicture:
                (row.state, row.reason) = (.ignored, failure.reason)
                // It is no longer a picture; a photo without a file counts as vanished.
                batch.ignoredCount += 1
                batch.notices.append(FileNotice(kind: .ignored, path: path, id: nil, reason: failure.reason))
            case .damaged, .unsupported, .tooLarge, .timedOut, .crashed:
                (row.state, row.reason) = (.failed, failure.reason)
                batch.reject(path: path, id: candidate.known?.photo, reason: failure.reason)
            case .missing, .denied, .changed, .exhausted:
                // Another try may succeed even if the file is unchanged.
                return batch.reject(path: path, id: candidate.known?.photo, reason: failure.reason)
            }
            entry = FolderEntry(row: row)
        }
        batch.entries.append(entry)
        batch.paths.append(path)
    }
}

extension PictureFileRow {
    /// Whether a file and its sidecars are unchanged.
    fileprivate func isLike(_ file: FolderFile) -> Bool {
        FileStamp(byteCount: byteCount, modifiedNanoseconds: modifiedNanoseconds) == file.stamp
            && sidecars == file.sidecarState
    }
}

extension [PictureFileRow] {
    /// The most likely file that a new one was, among those with its content: one with the same name and time, if any.
    fileprivate func preferred(for file: FolderFile) -> PictureFileRow? {
        let name = file.path.split(separator: "/").last
        return first { row in
            row.modifiedNanoseconds == file.stamp.modifiedNanoseconds && row.path.split(separator: "/").last == name
        } ?? first
    }
}
