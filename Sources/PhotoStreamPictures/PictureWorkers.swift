import Foundation
package import Logging
package import PhotoStreamModel
package import PhotoStreamPictureMessages
import Synchronization

/// The order in which decodes are started.
package enum Urgency: Hashable, Sendable {
    /// The oldest request first, after all others.
    case background
    /// A client waits: the newest request first, before all others.
    case foreground
}

/// The decode workers of a process, one for each core.
package final class PictureWorkers: Sendable {
    /// The settings of workers.
    package struct Settings: Hashable, Sendable {
        /// The path of the worker's program.
        package var executablePath: String
        /// The number of workers.
        package var count = ProcessInfo.processInfo.activeProcessorCount
        /// The address space of a worker, in bytes: 1 to 4 GiB, and together no more than the machine has.
        package var addressSpaceBytes = min(
            4 << 30,
            max(
                1 << 30,
                Int64(clamping: ProcessInfo.processInfo.physicalMemory)
                    / Int64(max(1, ProcessInfo.processInfo.activeProcessorCount))))
        /// The processor time for each request, in seconds.
        package var cpuSeconds = 60
        /// The time for each request, in seconds.
        package var deadlineSeconds = 120
        /// The number of decodes after which a worker is replaced.
        package var recycleAfter = 500

        /// Creates settings.
        package init(executablePath: String) { self.executablePath = executablePath }
    }

    let settings: Settings
    let logger: Logger
    let queue = WorkerQueue()
    /// Whether the program has failed to start.
    let hasFailedToStart = Atomic(false)

    /// Creates workers; none is started before ``run()``.
    package init(_ settings: Settings, logger: Logger) {
        (self.settings, self.logger) = (settings, logger)
    }

    /// Reads the header of a picture and of its sidecars.
    package func header(
        of file: PictureFileName, sidecars: [String]
    ) async -> Result<PictureHeader, PictureFailure> {
        switch await queue.answer(to: .header(file, sidecars: sidecars), urgency: .background) {
        case .header(let header): .success(header)
        case let other: .failure(Self.failure(other))
        }
    }

    /// Decodes a picture.
    package func decode(
        _ request: DecodeRequest, urgency: Urgency
    ) async -> Result<DecodedPicture, PictureFailure> {
        switch await queue.answer(to: .decode(request), urgency: urgency) {
        case .decoded(let picture): .success(picture)
        case let other: .failure(Self.failure(other))
        }
    }

    /// Reads the content of a file.
    package func content(of file: PictureFileName) async -> Result<FileContent, PictureFailure> {
        switch await queue.answer(to: .hash(file), urgency: .background) {
        case .content(let content): .success(content)
        case let other: .failure(Self.failure(other))
        }
    }

    private static func failure(_ answer: PictureAnswer) -> PictureFailure {
        guard case .failed(let failure) = answer else {
            return PictureFailure(.crashed, reason: "the worker sent an answer of another kind")
        }
        return failure
    }
}
