import Foundation

/// The threads of a server, in lanes by kind of work: a short query waits for short ones only.
struct WorkerPools {
    /// The lane for short queries, and for the look-ups that decide about requests.
    let short: WorkerPool
    /// The lane for queries that need a fold or read much of a stream, with one thread fewer than there are processors, but
    /// at least one for either kind.
    let long: WorkerPool
    /// The lane for writes, imports and uploads.
    let write: WorkerPool
    /// The lane that opens and reads pictures.
    let picture: WorkerPool

    init(_ settings: ServerSettings) {
        let limit = settings.requestLimit
        short = WorkerPool(name: "short", threadCount: settings.readers, limit: limit)
        long = WorkerPool(
            name: "long", threadCount: max(2, ProcessInfo.processInfo.activeProcessorCount - 1), limit: limit)
        // An import reads on one thread while it writes on another.
        write = WorkerPool(
            name: "write", threadCount: settings.writers + 2 * settings.imports + settings.uploads,
            turnCount: settings.writers, limit: limit)
        picture = WorkerPool(name: "picture", threadCount: settings.pictures, limit: limit)
    }

    /// Returns the lane for a kind of work; `nil` for work that does not block.
    func pool(for work: Route.Work) -> WorkerPool? {
        switch work {
        case .none, .probing: nil
        case .reading: short
        case .scanning: long
        case .writing, .importing, .uploading: write
        case .opening: picture
        }
    }

    /// All lanes.
    var lanes: [WorkerPool] { [short, long, write, picture] }

    /// Ends the threads as soon as no jobs are left.
    func stop() {
        for pool in lanes { pool.stop() }
    }
}
