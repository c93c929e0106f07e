import ArgumentParser
import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream restore`: replaces the database file by a backup.
struct RestoreCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of the database file.",
        discussion: """
            The backup is copied and checked first, and stays as it is. One that is damaged, lacks something, or has \
            triggers of others is refused. A database that is there already is replaced only \
            with --replace and while no program has it open, and is kept under a name that is printed. Interrupted at \
            any moment, the database is complete or as it was.

            Thumbnails are not part of a backup; those that are there stay valid, and others are made again. Folders of \
            pictures that were added on another machine must be added again: see photostream roots.

            EXAMPLES:
              photostream restore photos-2026-11-22.sqlite
              photostream restore --replace --database /srv/photos.sqlite /mnt/backup/photos.sqlite
            """)

    @Argument(help: "The path of the backup.", completion: .file(extensions: ["sqlite", "db"]))
    var backup: String

    @Flag(help: "Replace the database if there is one, and keep it under another name.")
    var replace = false

    @OptionGroup var common: FileOptions

    var json: Bool { common.json }

    func report() throws -> Report {
        if !replace {
            for path in DatabaseFiles(common.database).paths where FileManager.default.fileExists(atPath: path) {
                throw CommandError("\"\(path)\" already exists; --replace puts the backup in its place, and keeps it")
            }
        }
        // An interrupt deletes the copy; if the process is killed, a later run deletes it.
        let copy = try OutputFile(path: common.database)
        defer { copy.discard() }
        let result = try PhotoStreamService.restore(
            common.database, from: backup, through: copy.temporaryPath, replaces: replace)
        var report = Report([
            "file": common.database, "bytes": result.byteCount, "kept": result.keptPath, "others": result.strangers,
        ])
        var lines = ["restored \(common.database): \(result.byteCount.grouped) bytes"]
        if !result.strangers.isEmpty {
            lines.append("it has what PhotoStream has not made: \(result.strangers.joined(separator: ", "))")
        }
        if let kept = result.keptPath { lines.append("the database that was there is now \(kept)") }
        report.add(lines: lines)
        return report
    }
}
