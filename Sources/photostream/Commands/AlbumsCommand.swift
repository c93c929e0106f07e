import ArgumentParser
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream albums`: manages the albums of a stream.
struct AlbumsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "albums",
        abstract: "List the albums of a stream, put photos into them and take photos out, rename or remove them.",
        discussion: """
            An album exists while a photo is in it. Italy/2025 is in Italy, which shows its photos, too. --where album:Italy lays \
            an album out.

            EXAMPLES:
              photostream albums --stream holiday
              photostream albums add --stream holiday Italy/2025 IMG_0042 IMG_0043
              photostream albums rename --stream holiday Italy Europe/Italy
              photostream streams create italy --source holiday --where album:Italy
            """,
        subcommands: [
            AlbumsListCommand.self, AlbumsAddCommand.self, AlbumsTakeCommand.self, AlbumsRenameCommand.self,
            AlbumsDeleteCommand.self,
        ],
        defaultSubcommand: AlbumsListCommand.self)
}

struct AlbumsListCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the albums, with the number of photos in each and in those in it.")

    @OptionGroup var stream: StreamOption
    @OptionGroup var view: ViewOption
    @OptionGroup var common: CommonOptions

    func report(of service: PhotoStreamService) throws -> Report {
        let condition = try view.condition()
        let answer = try service.read { try $0.albums(of: stream.name, where: condition) }
        var report = Report { $0.value(answer) }
        let rows = answer.albums.map { [$0.text, $0.count.grouped, "\($0.condition)"] }
        if !rows.isEmpty { report.add(table: ["album", .number("photos"), .wide("condition")], rows: rows) }
        if answer.isIncomplete { report.add(line: "there are more than \(answer.albums.count.grouped) albums") }
        return report
    }
}

/// The album and the photos of a command.
struct AlbumOptions: ParsableArguments {
    @Argument(help: "The path of the album, such as Italy/2025.")
    var album: String

    @Argument(help: "The photos' ids.", transform: PhotoID.init(_:))
    var ids: [PhotoID]

    func validate() throws {
        try AlbumOptions.check(album)
    }

    /// Refuses a text that is not the path of an album.
    static func check(_ album: String) throws {
        do throws(ModelError) {
            try PhotoList.albums.check([album])
        } catch {
            throw ValidationError(error.description)
        }
    }
}

struct AlbumsAddCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Put photos into an album, which need not exist: all of them, or none.")

    @OptionGroup var stream: StreamOption
    @OptionGroup var options: AlbumOptions
    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let count = try service.changeAlbum(options.album, adding: options.ids, in: stream.name)
        return .change(of: options.album, count, line: "put \(count.counting("photo")) into \"\(options.album)\"")
    }
}

struct AlbumsTakeCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Take photos out of an album and those in it: all of them, or none.")

    @OptionGroup var stream: StreamOption
    @OptionGroup var options: AlbumOptions
    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func report(of service: PhotoStreamService) throws -> Report {
        let count = try service.changeAlbum(options.album, removing: options.ids, in: stream.name)
        return .change(of: options.album, count, line: "took \(count.counting("photo")) out of \"\(options.album)\"")
    }
}

struct AlbumsRenameCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give an album and those in it another path.",
        discussion: """
            The path of another album unites both. The rules of kept views follow, except for album:Ital*, the beginning of a name; photos in the trash keep the old path. Photos are \
            changed in batches; after an interruption the same command finishes the job.
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The path of the album.")
    var album: String

    @Argument(help: "Its new path.")
    var newAlbum: String

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func validate() throws {
        for path in [album, newAlbum] { try AlbumOptions.check(path) }
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let count = try service.moveAlbum(album, to: newAlbum, in: stream.name)
        return .change(
            of: newAlbum, count,
            line: "renamed \"\(album)\" to \"\(newAlbum)\" in \(count.counting("photo"))")
    }
}

struct AlbumsDeleteCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Remove an album and those in it. No photo is deleted.",
        discussion: """
            An album that the rule of a kept view names is not removed. Photos in the trash keep the album.
            """)

    @OptionGroup var stream: StreamOption

    @Argument(help: "The path of the album.")
    var album: String

    @OptionGroup var common: CommonOptions

    var use: FileUse { .change }

    func validate() throws {
        try AlbumOptions.check(album)
    }

    func report(of service: PhotoStreamService) throws -> Report {
        let count = try service.moveAlbum(album, to: nil, in: stream.name)
        return .change(of: album, count, line: "took \(count.counting("photo")) out of \"\(album)\"")
    }
}

extension Report {
    /// The report of a change of an album.
    fileprivate static func change(of album: String, _ changedCount: Int, line: String) -> Report {
        Report(["album": album, "changed": changedCount], line: line)
    }
}
