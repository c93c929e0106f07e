/// The threads of a server: who waits for a write keeps no reader waiting, who imports keeps nobody
/// waiting, and a slow disk with pictures on it neither.
struct WorkerPools {
    let readers: WorkerPool
    let writers: WorkerPool
    let importers: WorkerPool
    let pictures: WorkerPool

    /// Starts the threads.
    init(_ settings: ServerSettings) {
        readers = WorkerPool(name: "reader", threadCount: settings.readers, limit: settings.requestLimit)
        writers = WorkerPool(name: "writer", threadCount: settings.writers, limit: settings.requestLimit)
        pictures = WorkerPool(name: "pictures", threadCount: settings.pictures, limit: settings.requestLimit)
        // An import reads on one thread while it writes on another.
        importers = WorkerPool(
            name: "importer", threadCount: 2 * settings.imports, limit: settings.imports, refusal: .tooManyImports)
    }

    /// The pool for a kind of work; `nil` where there is nothing to wait for.
    func pool(for work: Route.Work) -> WorkerPool? {
        switch work {
        case .none: nil
        case .lookup, .reading: readers
        case .writing: writers
        case .importing: importers
        case .opening: pictures
        }
    }

    /// Ends the threads once nothing is left to run.
    func stop() {
        for pool in [readers, writers, importers, pictures] { pool.stop() }
    }
}
