import Foundation
import PhotoStreamStorage

extension Doctor {
    var fileSystem: Finding {
        guard let name = machine.networkFileSystem else {
            return Finding(about: .fileSystem, is: .good, "the file is on a disk of this machine")
        }
        return Finding(
            about: .fileSystem, is: .problem,
            "the file is on \(name), where SQLite's locks and shared memory are not safe",
            advice: "move it to a disk of this machine, and copy backups to \(name)")
    }

    var disk: Finding {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let size = (attributes?[.size] as? Int64) ?? 0
        let text = "free bytes on its disk: \(machine.freeByteCount)"
        // A backup, a compaction or an upgrade writes a second copy of the file, and the write-ahead log grows as well.
        if machine.freeByteCount < Self.neededByteCount {
            return Finding(about: .disk, is: .problem, text, advice: "free some space: writes will soon fail")
        }
        guard machine.freeByteCount >= 2 * size else {
            return Finding(
                about: .disk, is: .warning, "\(text), fewer than two times the size of the file",
                advice: "free some space before `photostream compact`, `backup` or `upgrade`")
        }
        return Finding(about: .disk, is: .good, text)
    }

    /// The free bytes below which ordinary writes are in danger.
    private static let neededByteCount: Int64 = 100 << 20

    func clock(_ service: PhotoStreamService) throws -> Finding {
        let written = try service.fileSizes().lastWriteMilliseconds
        let now = Date(timeIntervalSince1970: Double(machine.now) / 1_000).formatted(.iso8601)
        // Clocks of file systems differ a little.
        guard machine.now >= written - 60_000 else {
            let last = Date(timeIntervalSince1970: Double(written) / 1_000).formatted(.iso8601)
            return Finding(
                about: .clock, is: .problem, "the clock says \(now), but the file was written at \(last)",
                advice: "set the clock: tokens expire and photos are deleted for good by it")
        }
        return Finding(about: .clock, is: .good, "the clock says \(now)")
    }

    var openFiles: Finding {
        let text = "a process may have \(machine.openFileLimit) files open"
        guard machine.openFileLimit >= Self.usualOpenFileLimit else {
            return Finding(
                about: .openFiles, is: .warning, "\(text), so that a server has fewer connections",
                advice: "raise it with `ulimit -n`, or with LimitNOFILE in the unit of systemd")
        }
        return Finding(about: .openFiles, is: .good, text)
    }

    /// The limit of systems without a setting.
    private static let usualOpenFileLimit = 1_024

    func watches(_ service: PhotoStreamService) throws -> Finding {
        let folders = try service.transaction { try $0.pictureFolderCount() }
        guard let limit = machine.watchLimit else {
            return Finding(
                about: .watches, is: .good,
                "the system has no limit of watched folders; folders of pictures: \(folders)")
        }
        let text = "folders of pictures: \(folders); a user may watch \(limit)"
        guard folders < limit else {
            return Finding(
                about: .watches, is: .warning,
                "\(text), so that --watch looks at all of them every few minutes instead",
                advice: "raise fs.inotify.max_user_watches with sysctl")
        }
        return Finding(about: .watches, is: .good, text)
    }
}
