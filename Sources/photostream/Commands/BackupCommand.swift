import ArgumentParser
import Foundation
import PhotoStreamService
import PhotoStreamWire

/// `photostream backup`: a copy of the database file.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write a copy of the whole database file, while others read and write it.",
        discussion: """
            The copy is of one moment and keeps everything: photos with edits, moves and order, the change log with its \
            revisions, stored layouts, and the key that signs cursors, so cursors go on working with it. A file of version \
            0.1.0 is copied as it is. A file that is there is never overwritten; to restore, put the copy in the \
            database's place while no process has that open, and remove its -wal and -shm files.

            Others wait for nothing. What they write meanwhile stays in the write-ahead log until the copy is done, about \
            a second for 100 MB. The copy takes as much room as the file.

            EXAMPLES:
              photostream backup photos-2026-11-22.sqlite
              photostream backup --database /srv/photos.sqlite /mnt/backup/photos.sqlite
            """)

    @Argument(help: "The copy, a file that does not exist.", completion: .file())
    var file: String

    @OptionGroup var common: CommonOptions

    func run() async throws {
        // What lies beside a database of that name would be taken for a part of the copy.
        for ending in ["", "-wal", "-journal", "-shm"] where FileManager.default.fileExists(atPath: file + ending) {
            throw CommandError("\"\(file + ending)\" exists already; a backup overwrites nothing")
        }
        let output = try OutputFile(path: file)
        try PhotoStreamService.backUp(common.database, to: output.temporaryPath)
        let files = FileManager.default
        let attributes = try files.attributesOfItem(atPath: output.temporaryPath)
        // It holds the key that signs cursors: for the same people's eyes as the database.
        if let mode = try files.attributesOfItem(atPath: common.database)[.posixPermissions] {
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: output.temporaryPath)
        }
        try output.commit(replaces: false)
        let byteCount = attributes[.size] as? Int ?? 0
        guard !common.json else {
            return try StandardOutput.write(json: { writer in
                writer.object { writer in
                    writer.member("file", value: file)
                    writer.member("bytes", value: byteCount)
                }
            })
        }
        try StandardOutput.write(line: "wrote \(file): \(byteCount.grouped) bytes")
    }
}
