import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

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
    private let reasons: RereadReasons
    /// Files of watched folders that are being written, by their paths from the root; `nil` for an import without a
    /// watch.
    private let unfinished: Set<String>?
    private let zone = TimeZone.current
    private var scopes: ArraySlice<FolderScope>
    private var walk: (scope: FolderScope, files: FolderWalk)?
    private let filter: PathFilter
    private let direction: FolderWalk.Direction
    private let moved: MovedFiles
    /// The row ids of files for which a new name was found.
    private var taken: Set<Int64> = []
    /// Files that may be the former file of a photo, if no other with the same time is: stored after all others.
    private var unlikely: [(Candidate, Reading)] = []
    /// Files with another picture than before, stored last: they keep their photo if it has not moved.
    private var replaced: [(Candidate, Reading)] = []

    init(
        _ scopes: [FolderScope], filter: PathFilter, direction: FolderWalk.Direction, reasons: RereadReasons,
        unfinished: Set<String>?, source: any HeaderSource, service: PhotoStreamService?, streamID: Int64?,
        known: KnownContents
    ) throws {
        (self.scopes, self.filter, self.direction) = (scopes[...], filter, direction)
        (self.reasons, self.unfinished) = (reasons, unfinished)
        (self.source, self.service, self.streamID) = (source, service, streamID)
        moved = try MovedFiles(of: service, streamID: streamID, known: known)
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
            return [movedFrom ?? known].compactMap(\.self).filter { $0.photoSize == size }
                .map(\.earliestNanoseconds).reduce(file.stamp.modifiedNanoseconds, min)
        }
    }

    /// The result of reading a file.
    private struct Reading: Sendable {
        let header: Result<PictureHeader, PictureFailure>
        let content: FileContent?
        /// The files that it may have been, the most likely first.
        let former: [PictureFileRow]
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
                    let search = try moved.search(for: candidate.file, knownAs: candidate.known)
                    inFlight += 1
                    group.addTask { [source, moved] in
                        (index, try await Self.read(candidate, search: search, of: moved, from: source))
                    }
                }
            }
            while inFlight > 0 { try await collect() }
            for (candidate, reading) in zip(waiting, readings) {
                if let reading { results.append((candidate, reading)) }
            }
            return isOver
        }
        for (candidate, reading) in results {
            if isUnlikely(candidate, with: reading) {
                unlikely.append((candidate, reading))
            } else if isReplaced(candidate, with: reading) {
                replaced.append((candidate, reading))
            } else {
                try add(candidate, with: reading, to: &batch)
            }
        }
        guard isOver, batch.fileCount == 0, batch.notices.isEmpty else { return batch }
        // The rest comes at the end, in this order.
        if unlikely.isEmpty { swap(&unlikely, &replaced) }
        for (candidate, reading) in unlikely.prefix(Self.batchSize) { try add(candidate, with: reading, to: &batch) }
        unlikely.removeFirst(min(unlikely.count, Self.batchSize))
        return batch.entries.isEmpty && batch.notices.isEmpty ? nil : batch
    }

    /// Whether another file may be the former one of the photo that this one would get.
    private func isUnlikely(_ candidate: Candidate, with reading: Reading) -> Bool {
        let free = reading.former.filter { $0.rowID.map(taken.contains) == false }
        return !free.isEmpty && !free.contains { $0.modifiedNanoseconds == candidate.file.stamp.modifiedNanoseconds }
    }

    /// Whether a known file has another picture than before, which is not that of another file.
    private func isReplaced(_ candidate: Candidate, with reading: Reading) -> Bool {
        guard let content = reading.content, let former = candidate.known?.content, candidate.known?.photo != nil else {
            return false
        }
        return !former.isOf(content) && !reading.former.contains { $0.rowID.map(taken.contains) == false }
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
            known = try service.transaction { reader in
                try reader.pictureFiles(streamID: streamID, rootID: scope.rootID, paths: files.lazy.map(\.path))
            }
        }
        batch.fileCount += files.count
        return zip(files, known).compactMap { file, known -> Candidate? in
            if let known, known.isLike(file), !reasons.apply(to: known) {
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
                guard let files = try scope.walk(filter, direction: direction) else { continue }
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

    private static func read(
        _ candidate: Candidate, search: MovedFiles.Search, of moved: MovedFiles, from source: any HeaderSource
    ) async throws -> Reading {
        let name = PictureFileName(root: candidate.scope.rootPath, path: candidate.file.path)
        let header = await source.header(of: name, sidecars: candidate.file.sidecars.map(\.path))
        var content = search.content
        guard case .success = header else { return Reading(header: header, content: content, former: []) }
        if search.readsContent { content = try? await source.content(of: name).get() }
        let former = try content.map { content in
            try moved.former(with: content, of: candidate.file, knownAs: candidate.known)
        }
        return Reading(header: header, content: content, former: (former ?? []) + search.byName)
    }

    // MARK: - Results

    private func add(_ candidate: Candidate, with reading: Reading, to batch: inout FolderBatch) throws {
        let path = candidate.scope.absolutePath(candidate.file.path)
        var row = PictureFileRow(
            rootID: candidate.scope.rootID, path: candidate.file.path, photo: candidate.known?.photo,
            byteCount: candidate.file.stamp.byteCount,
            modifiedNanoseconds: candidate.file.stamp.modifiedNanoseconds,
            content: reading.content.map(KnownContent.init), sidecars: candidate.file.sidecarState, state: .read)
        // A file that cannot be read is not tried again by this version, either.
        row.reader = FileRecord.readerVersion
        var entry: FolderEntry
        switch reading.header {
        case .success(let header):
            let old = reading.former.first { $0.rowID.map { taken.insert($0).inserted } ?? false }
            row.earliestNanoseconds = candidate.earliestNanoseconds(header, movedFrom: old)
            let made = FileRecord(
                id: candidate.id, path: candidate.file.path, header: header,
                modifiedNanoseconds: row.earliestNanoseconds, zone: zone)
            row.photo = candidate.id
            row.take(made)
            row.preview = header.preview.map { preview in
                PictureFileRow.Preview(
                    orientation: header.orientation, placeholder: preview.placeholder, color: preview.color)
            }
            entry = FolderEntry(row: row, record: made.record, content: reading.content, movedFrom: old)
            for kind in row.warnings { batch.warningCounts[kind, default: 0] += 1 }
            batch.notices += made.warnings.map {
                FileNotice(kind: .warning, path: path, id: candidate.id, reason: $0.reason)
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
        isOf(file.stamp) && sidecars == file.sidecarState
    }

    /// Whether it is the row of a version of the file.
    func isOf(_ stamp: FileStamp) -> Bool {
        FileStamp(byteCount: byteCount, modifiedNanoseconds: modifiedNanoseconds) == stamp
    }
}
