import Foundation

/// The threads of a server, in lanes by kind of work: a short query waits for short ones only.
struct WorkerPools {
    /// The lane for queries about the file's state, which never wait for others.
    let probe: WorkerPool
    /// The lane for short queries.
    let readers: WorkerPool
    /// The lane for queries that need a fold, with one thread fewer than there are processors.
    let folds: WorkerPool
    /// The lane for queries that read much of a stream.
    let scans: WorkerPool
    let writers: WorkerPool
    let importers: WorkerPool
    let uploads: WorkerPool
    let pictures: WorkerPool
    /// The thread that watches the file for clients that follow streams.
    let events: WorkerPool

    init(_ settings: ServerSettings) {
        let limit = settings.requestLimit
        let long = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        // Bounded by the number of connections, and of requests per connection of HTTP/2.
        probe = WorkerPool(name: "probe", threadCount: 1, limit: .max)
        readers = WorkerPool(name: "reader", threadCount: settings.readers, limit: limit, isDivided: true)
        folds = WorkerPool(name: "fold", threadCount: long, limit: limit, isDivided: true)
        scans = WorkerPool(
            name: "scan", threadCount: max(1, long / 2), limit: limit, isLong: true, isDivided: true)
        writers = WorkerPool(name: "writer", threadCount: settings.writers, limit: limit, isDivided: true)
        // Only callers that may write use it, so one of them may have all slots.
        uploads = WorkerPool(name: "upload", threadCount: settings.uploads, limit: settings.uploads)
        pictures = WorkerPool(name: "pictures", threadCount: settings.pictures, limit: limit, isDivided: true)
        events = WorkerPool(name: "events", threadCount: 1, limit: .max)
        // An import reads on one thread while it writes on another.
        importers = WorkerPool(
            name: "importer", threadCount: 2 * settings.imports, limit: settings.imports, refusal: .tooManyImports)
    }

    /// Returns the pool for a kind of work; `nil` for work that does not block.
    func pool(for work: Route.Work) -> WorkerPool? {
        switch work {
        case .none: nil
        case .probing: probe
        case .reading: readers
        case .scanning: scans
        case .writing: writers
        case .importing: importers
        case .uploading: uploads
        case .opening: pictures
        }
    }

    /// The lanes of requests.
    var lanes: [WorkerPool] { [probe, readers, folds, scans, writers, importers, uploads, pictures] }

    /// Ends the threads as soon as no jobs are left.
    func stop() {
        for pool in lanes + [events] { pool.stop() }
    }
}
