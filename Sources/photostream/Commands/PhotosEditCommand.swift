import ArgumentParser
import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire
import SystemPackage

struct PhotosEditCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit a photo; edited fields take precedence over later imports.",
        discussion: """
            Values are parsed as in an import. Width and height are those of the image file, before orientation is \
            applied. Of a size or a position, one value may be given; the other stays. An empty value clears a \
            field, as --clear does, and of these two the other value with it.

            EXAMPLES:
              photostream photos edit --stream holiday IMG_0042 --caption "The old harbour" --tags sea,evening
              photostream photos edit --stream holiday IMG_0042 --taken-at 2026-11-21T08:38:53+01:00 --clear alt
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photo's id.", transform: PhotoID.init(_:))
    var id: PhotoID

    @OptionGroup(title: "Fields") var fields: EditOptions
    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let record = try fields.record(for: id)
        return try service.edit(id, in: stream.name) { try EditOptions.changes(record, to: $0) }.report
    }
}

struct PhotosMoveCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move photos next to another photo, whose date in the order they take.",
        discussion: """
            Several photos are placed in the order of the arguments. A move ends when a person changes the photo's capture \
            time, except in manual order, where only moves change a place. With --reset, moved photos return to the places of their \
            capture times; in manual order there are none, so that is refused.

            EXAMPLES:
              photostream photos move --stream holiday IMG_0042 --before IMG_0007
              photostream photos move --stream holiday IMG_0042 IMG_0043 --after IMG_0007
              photostream photos move --stream holiday IMG_0042 --reset
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photos' ids.", transform: PhotoID.init(_:))
    var ids: [PhotoID]

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Move them directly before this photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var before: PhotoID?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Move them directly after this photo.", valueName: "id"),
        transform: PhotoID.init(_:))
    var after: PhotoID?

    @Flag(help: "Take their moves back.")
    var reset = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try destination
        if let id = ids.first(where: { $0 == before || $0 == after }) {
            throw ValidationError("photo \"\(id)\" cannot be moved next to itself")
        }
        var seen: Set<PhotoID> = []
        if let id = ids.first(where: { !seen.insert($0).inserted }) {
            throw ValidationError("photo \"\(id)\" is named twice")
        }
    }

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let moved =
            if let destination = try destination {
                try service.movePhotos(ids, to: destination, in: stream.name)
            } else {
                try service.resetMoves(of: ids, in: stream.name)
            }
        let there = ids.count == 1 ? "photo \"\(ids[0])\" is already there" : "the photos are already there"
        return Report(
            ["stream": stream.name.rawValue, "moved": moved],
            line: moved == 0 ? there : "moved \(moved.counting("photo"))")
    }

    /// The destination; `nil` to take moves back.
    private var destination: MoveDestination? {
        get throws {
            switch (before, after, reset) {
            case (let photo?, nil, false): .before(photo)
            case (nil, let photo?, false): .after(photo)
            case (nil, nil, true): nil
            default: throw ValidationError("use one of --before, --after and --reset")
            }
        }
    }
}

struct PhotosDeleteCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete photos.",
        discussion: """
            Photos named as arguments are deleted together, or none of them if one is unknown.

            Photos from a file are deleted in batches, so that other writers do not wait long; after an interruption the \
            same command finishes the job. Unknown ids are reported and make the exit code 2; an id \
            that is listed twice is unknown the second time.

            For 30 days "photos restore" brings a photo back as it was, and no import does without --restore. With --forever \
            nothing is kept. Files of pictures are never touched.

            EXAMPLES:
              photostream photos delete --stream holiday IMG_0042 IMG_0043
              photostream photos delete --stream holiday --ids-from gone.txt
            """)

    /// The number of ids that are deleted at once.
    private static let batchSize = 32_768
    /// The number of unknown ids that are printed.
    private static let shownCount = 20

    @OptionGroup var stream: StreamOption

    @Argument(help: "The photos' ids.", transform: PhotoID.init(_:))
    var ids: [PhotoID] = []

    @Option(
        help: ArgumentHelp("Read ids from a file, or - for standard input, one per line.", valueName: "file"),
        completion: .file())
    var idsFrom: String?

    @Flag(help: "Keep nothing: neither can the photos be restored, nor do imports leave them out.")
    var forever = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard ids.isEmpty == (idsFrom != nil) else { throw ValidationError("use either ids or --ids-from") }
    }

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        if let idsFrom { return try deleteMany(from: idsFrom, of: service) }
        let ids = Array(Set(ids))
        try service.deletePhotos(ids, from: stream.name, forever: forever)
        return report(deleted: ids.count, unknown: 0)
    }

    private func deleteMany(from path: String, of service: PhotoStreamService) throws -> Report {
        let lines = try Self.lines(of: path)
        // An unknown stream is an error even if the file is empty.
        _ = try service.deleteKnownPhotos([], from: stream.name)
        var (deleted, unknown) = (0, 0)
        for start in stride(from: 0, to: lines.count, by: Self.batchSize) {
            let texts = lines[start...].prefix(Self.batchSize).map { String(decoding: $0, as: UTF8.self) }
            // A text that is not a valid id cannot be the id of a photo.
            let ids = texts.compactMap { try? PhotoID($0) }
            let strangers = try service.deleteKnownPhotos(ids, from: stream.name, forever: forever)
            let missing = texts.filter { (try? PhotoID($0)) == nil } + strangers.map(\.rawValue)
            for id in missing.prefix(max(0, Self.shownCount - unknown)) {
                let error = StreamServiceError.unknownPhoto(id, stream: stream.name.rawValue)
                StandardError.write(sentence: error.description)
            }
            unknown += missing.count
            deleted += texts.count - missing.count
            StandardError.show(ProgressLine(texts: ["deleted \(deleted.counting("photo"))"]))
        }
        if unknown > Self.shownCount {
            StandardError.write(line: "… and \((unknown - Self.shownCount).counting("more unknown photo"))")
        }
        var report = report(deleted: deleted, unknown: unknown)
        if unknown > 0 { report.code = ExitCode(2) }
        return report
    }

    /// Returns the lines of a file, or of standard input for `-`, that are not empty.
    private static func lines(of path: String) throws -> [Data] {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError("\(name) cannot be opened: \(Errno(rawValue: errno))")
        }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            return (try file.readToEnd() ?? Data()).split { $0 == 0x0A || $0 == 0x0D }
        } catch {
            throw CommandError("\(name) cannot be read: \(error.localizedDescription)")
        }
    }

    private func report(deleted: Int, unknown: Int) -> Report {
        Report(
            ["stream": stream.name.rawValue, "deleted": deleted, "unknown": unknown],
            line: "deleted \(deleted.counting("photo"))")
    }
}
