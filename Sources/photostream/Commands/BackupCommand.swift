import ArgumentParser
import Foundation
import PhotoStreamService
import PhotoStreamWire

/// `photostream backup`: copies the database file.
struct BackupCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the whole database file while it is in use.",
        discussion: """
            The copy is a snapshot and contains everything: photos with edits, moves and order, the change log with its \
            revisions, stored layouts, and the key that signs cursors, so cursors keep working with it. A file of version \
            0.1.0 is copied without migration. An existing file is never overwritten; to restore, put the copy in the \
            database's place while no process has it open, and remove its -wal and -shm files.

            Other programs do not wait. Their writes stay in the write-ahead log until the copy is complete, about \
            a second for 100 MB. The copy is as large as the file.

            EXAMPLES:
              photostream backup photos-2026-11-22.sqlite
              photostream backup --database /srv/photos.sqlite /mnt/backup/photos.sqlite
            """)

    @Argument(help: "The path of the copy, which must not exist.", completion: .file())
    var file: String

    @OptionGroup var common: FileOptions

    var json: Bool { common.json }

    func report() throws -> Report {
        // SQLite would take companion files of that name for part of the copy.
        for ending in DatabaseFiles.endings where FileManager.default.fileExists(atPath: file + ending) {
            throw CommandError("\"\(file + ending)\" already exists; a backup overwrites nothing")
        }
        // One of the database's own files that does not exist now.
        try DatabaseFiles(common.database).check(output: file)
        let output = try OutputFile(path: file)
        try PhotoStreamService.backUp(common.database, to: output.temporaryPath, named: file)
        let attributes = try FileManager.default.attributesOfItem(atPath: output.temporaryPath)
        try output.commit(replaces: false)
        let byteCount = attributes[.size] as? Int ?? 0
        return Report(["file": file, "bytes": byteCount], line: "wrote \(file): \(byteCount.grouped) bytes")
    }
}
