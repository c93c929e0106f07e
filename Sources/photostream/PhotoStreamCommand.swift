import ArgumentParser
import Foundation
import PhotoStreamService

/// The command `photostream`: parses the arguments, runs the subcommand, and converts errors to a message and an exit
/// code.
@main
struct PhotoStreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photostream",
        abstract: "Lays out streams of photos from their metadata: exact frames before an image is loaded.",
        discussion: """
            Import metadata into a database file, then ask for any page, rectangle or photo of any layout. Data goes to \
            standard output, as a table or with --json as JSON; diagnostics go to standard error.

            EXAMPLES:
              photostream import --stream holiday photos.jsonl
              photostream import --stream 1894 --map id=flickr_id,caption=title BL.tsv
              photostream streams
              photostream layout --stream holiday --width 1200 --columns 5 --interitem-spacing 8 --line-spacing 8
              photostream page --stream holiday --width 1200 --limit 50 --json
              photostream rect --stream holiday --width 1200 --rect 0,4000,1200,900
              photostream item --stream holiday --width 1200 --photo IMG_0042
              photostream item --stream holiday --width 1200 --at 640,4210
              photostream scrubber --stream holiday --width 1200 --section-by month --header-size 40 --steps 12
              photostream changes --stream holiday --since 140
              photostream updates --stream holiday --since 140 --width 1200 --rect 0,4000,1200,900
              photostream render --stream holiday --width 1200 --section-by month --header-size 40 --output holiday.svg
              photostream serve --port 8080
              photostream tokens create phone --scope read
              photostream shares create --stream holiday --expires 30d
              photostream pictures warm
              photostream stats --stream holiday
              photostream facets --stream holiday --where beach
              photostream cache verify
              photostream export --stream holiday --output holiday.jsonl
              photostream backup copy.sqlite
              photostream primary status --primary postgres://photos@db.lan/photos
              photostream doctor
              photostream compact

            EXIT CODES:
              0   done
              1   failed: a file, an unknown stream or photo, an invalid cursor; cache verify, pictures verify, primary status or doctor found something; upgrade --check
              2   an import rejected records, or photos to delete are unknown; everything else was done
              3   changes or updates since that revision are unavailable: read the stream again
              64  invalid usage: an unknown option, or a value outside its range
            """,
        version: PhotoStreamService.version,
        subcommands: [
            ImportCommand.self, StreamsCommand.self, PhotosCommand.self, AlbumsCommand.self, RootsCommand.self,
            LayoutCommand.self,
            PageCommand.self, RectCommand.self, ItemCommand.self, ScrubberCommand.self, ChangesCommand.self,
            UpdatesCommand.self, RenderCommand.self, ServeCommand.self, TokensCommand.self, SharesCommand.self,
            PicturesCommand.self, StatsCommand.self, FacetsCommand.self, CacheCommand.self,
            ExportCommand.self, PrimaryCommand.self, BackupCommand.self, RestoreCommand.self, UpgradeCommand.self,
            DoctorCommand.self,
            CompactCommand.self,
        ]
    )

    static func main() async {
        EarlySignals.handle(for: CommandLine.arguments.dropFirst())
        // A closed pipe is reported by the failing write, and must not kill an import.
        signal(SIGPIPE, SIG_IGN)
        var subcommand: (any ParsableCommand.Type)?
        do {
            var command = try await asyncParseAsRoot()
            subcommand = type(of: command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try StandardOutput.flush()
        } catch {
            Failure(error, of: subcommand).exit()
        }
    }
}
