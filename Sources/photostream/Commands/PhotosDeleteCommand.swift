import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream photos delete`.
struct PhotosDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete photos.",
        discussion: """
            Photos that are named are deleted together, or none of them where one is unknown.

            Photos from a file are deleted in batches, so that nobody waits for the file long: killed at any moment, the \
            same command finishes the job. Ids that the stream does not have are reported and make the exit code 2; one \
            that comes twice is unknown the second time.

            EXAMPLES:
              photostream photos delete --stream holiday IMG_0042 IMG_0043
              photostream photos delete --stream holiday --ids-from gone.txt
            """)

    /// How many ids are read at once.
    private static let batchSize = 32_768
    /// How many unknown ids are named.
    private static let shownCount = 20

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photos' ids.", transform: PhotoID.init(_:))
    var ids: [PhotoID] = []

    @Option(
        help: ArgumentHelp("Read ids from a file, or - for standard input: one a line.", valueName: "file"),
        completion: .file())
    var idsFrom: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard ids.isEmpty == (idsFrom != nil) else { throw ValidationError("give either ids or --ids-from") }
    }

    func run() async throws {
        if let idsFrom { return try deleteMany(from: idsFrom) }
        let ids = Array(Set(ids))
        let service = try common.open()
        try service.deletePhotos(ids, from: stream.name)
        try service.close()
        try print(deleted: ids.count, unknown: 0)
    }

    private func deleteMany(from path: String) throws {
        var lines = try LineReader(path: path)
        let service = try common.open()
        // An unknown stream is an error, also where the file names nobody.
        _ = try service.deleteKnownPhotos([], from: stream.name)
        var progress = ProgressLine()
        defer { progress.clear() }
        var (deleted, unknown) = (0, 0)
        while case let texts = try lines.next(Self.batchSize), !texts.isEmpty {
            // What cannot be an id cannot be a photo's either.
            let ids = texts.compactMap { try? PhotoID($0) }
            let strangers = try service.deleteKnownPhotos(ids, from: stream.name)
            let missing = texts.filter { (try? PhotoID($0)) == nil } + strangers.map(\.rawValue)
            for id in missing.prefix(max(0, Self.shownCount - unknown)) {
                progress.clear()
                let error = StreamServiceError.unknownPhoto(id, stream: stream.name.rawValue)
                StandardError.write(sentence: error.description)
            }
            unknown += missing.count
            deleted += texts.count - missing.count
            let count = deleted
            progress.update { ProgressLine.Parts(share: nil, texts: ["deleted \(count.counting("photo"))"]) }
        }
        try service.close()
        progress.clear()
        if unknown > Self.shownCount {
            StandardError.write(line: "… and \((unknown - Self.shownCount).counting("more unknown photo"))")
        }
        try print(deleted: deleted, unknown: unknown)
        guard unknown == 0 else {
            try StandardOutput.flush()
            throw ExitCode(2)
        }
    }

    private func print(deleted: Int, unknown: Int) throws {
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("stream", value: stream.name.rawValue)
                    writer.member("deleted", value: deleted)
                    writer.member("unknown", value: unknown)
                }
            })
        }
        try StandardOutput.write(line: "deleted \(deleted.counting("photo"))")
    }
}
