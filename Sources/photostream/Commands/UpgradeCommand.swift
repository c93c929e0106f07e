import ArgumentParser
import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream upgrade`: brings the database file up to date.
struct UpgradeCommand: ReportingCommand {
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

    var json: Bool { common.json }

    func report() throws -> Report {
        let upgrade = try PhotoStreamService.outstandingUpgrade(of: common.database)
        let (version, isOld) = (PhotoStreamService.version, !upgrade.migrations.isEmpty)
        if !check, isOld { try common.open().close() }
        let what = "\(upgrade.migrations.count.counting("migration")), \(upgrade.photoCount.counting("photo"))"
        let sentence =
            switch (isOld, check) {
            case (false, _): "is of version \(version): nothing to do"
            case (true, true):
                "is of an older version; bringing it up to date takes about \(upgrade.seconds) s: \(what)"
            case (true, false): "is of version \(version) now: \(what)"
            }
        var report = Report(
            [
                "file": common.database, "version": version, "migrations": upgrade.migrations,
                "photos": upgrade.photoCount, "seconds": upgrade.seconds, "done": !check && isOld,
            ], line: "\(common.database) \(sentence)")
        if check, isOld { report.code = .failure }
        return report
    }
}
