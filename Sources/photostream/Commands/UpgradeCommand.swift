import ArgumentParser
import Foundation
import PhotoStreamService
import PhotoStreamWire

/// `photostream upgrade`: brings the database file up to date.
struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Bring the database file up to date, or say what that would do.",
        discussion: """
            Every command that may write brings a file of an older version up to date before it does anything else. This one \
            does nothing more, so that it can be done when it suits. It is one transaction: interrupted, the file stays as \
            it was. An older version cannot open the file afterwards.

            With --check, nothing is changed, and the exit code is 1 if the file is of an older version.

            EXAMPLES:
              photostream upgrade --check
              photostream backup before.sqlite && photostream upgrade
            """)

    @Flag(help: "Say what an upgrade would do, and do nothing.")
    var check = false

    @OptionGroup var common: FileOptions

    func run() async throws {
        let upgrade = try PhotoStreamService.outstandingUpgrade(of: common.database)
        if !check, !upgrade.migrations.isEmpty { try common.open().close() }
        try common.json ? printJSON(upgrade) : printSentence(upgrade)
        try StandardOutput.flush()
        if check, !upgrade.migrations.isEmpty { throw ExitCode.failure }
    }

    private func printSentence(_ upgrade: Upgrade) throws {
        let version = PhotoStreamService.version
        guard !upgrade.migrations.isEmpty else {
            return try StandardOutput.write(line: "\(common.database) is of version \(version): nothing to do")
        }
        let what = "\(upgrade.migrations.count.counting("migration")), \(upgrade.photoCount.counting("photo"))"
        try StandardOutput.write(
            line: check
                ? "\(common.database) is of an older version; bringing it up to date takes about \(upgrade.seconds) s: \(what)"
                : "\(common.database) is of version \(version) now: \(what)")
    }

    private func printJSON(_ upgrade: Upgrade) throws {
        try StandardOutput.write(json: { writer in
            writer.object { writer in
                writer.member("file", value: common.database)
                writer.member("version", value: PhotoStreamService.version)
                writer.key("migrations")
                writer.array(upgrade.migrations) { $0.value($1) }
                writer.member("photos", value: upgrade.photoCount)
                writer.member("seconds", value: upgrade.seconds)
                writer.member("done", value: !check && !upgrade.migrations.isEmpty)
            }
        })
    }
}
