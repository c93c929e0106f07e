import PhotoStreamModel
import PhotoStreamService

/// The thumbnails of an import, which are made after the photos are in the file.
extension ImportCommand {
    /// Opens the maker of thumbnails; `nil` if none are requested or their store cannot be opened, which is reported
    /// but does not fail the import.
    func openMaker(_ open: () throws -> PictureMaker) -> PictureMaker? {
        guard !makesNoPictures else { return nil }
        do {
            return try open()
        } catch {
            StandardError.write(sentence: "no thumbnails are made: \(error)")
            return nil
        }
    }

    /// Makes thumbnails after an import of records alone, if the stream has a root.
    func makeThumbnailsOfRecords(in service: PhotoStreamService) async throws {
        let roots = try service.roots().filter { $0.stream == nil || $0.stream == stream.name }
        guard !makesNoPictures, roots.contains(where: { $0.state == .open }) else { return }
        guard (try? FolderWorkers.program()) != nil else {
            // Sizes, layouts and originals do not need it.
            return StandardError.write(sentence: PictureWorkersMissing().description)
        }
        let maker = openMaker { try PictureMaker(service, settings: pictureBudget.settings) }
        try await maker?.whileRunning { [self] in
            // The records did not touch earlier results, or the pictures are decoded again because of them.
            try await makeThumbnails(by: maker, checksFiles: false)
        }
    }

    /// Makes the thumbnails of the stream's photos that are missing, with a progress line.
    ///
    /// - Parameters:
    ///   - maker: Runs in the meantime.
    ///   - checksFiles: Whether pictures that were decoded before are compared with their files.
    /// - Throws: `CancellationError`; ``StreamServiceError``.
    func makeThumbnails(by maker: PictureMaker?, checksFiles: Bool) async throws {
        guard let maker else { return }
        var settings = WarmUpSettings()
        (settings.stream, settings.checksFiles) = (stream.name, checksFiles)
        do {
            let made = try await maker.warmUp(settings) { StandardError.show($0.line) }
            ImportObserver.sumUp(made, capacity: try maker.capacity)
        } catch is PictureWorkersMissing {
            // The workers have logged the reason, once.
            StandardError.clearProgress()
        } catch is CancellationError {
            StandardError.write(
                line: "thumbnails are missing; the next import, photostream serve or photostream pictures warm makes "
                    + "them")
            throw CancellationError()
        }
    }

    /// Makes thumbnails, including those of photos that are added later, while `body` runs.
    ///
    /// - Parameters:
    ///   - maker: Makes them; `nil` to run `body` only.
    ///   - body: Ends when the task is cancelled.
    /// - Throws: `CancellationError`; ``StreamServiceError``.
    func whileMakingThumbnails(
        by maker: PictureMaker?, _ body: @escaping @Sendable () async -> Void
    ) async throws {
        guard let maker else { return await body() }
        try await maker.whileRunning { [self] in
            try await withThrowingTaskGroup { group in
                group.addTask { await body() }
                group.addTask { [self] in
                    try await makeThumbnails(by: maker, checksFiles: true)
                    await maker.warmUpContinually()
                }
                try await group.waitForAll()
            }
        }
    }
}
