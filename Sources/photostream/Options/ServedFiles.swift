import ArgumentParser
import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamService

/// The files of `photostream serve`: their permissions, and the maximum number of open files.
struct ServedFiles: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            """
            Let other machines connect although other users of this one can read the database, on a disk without \
            permissions such as exFAT.
            """))
    var allowReadableFile = false

    /// The minimum number of open files with which a server can run.
    private static let minimumDescriptorCount = 64

    /// Checks that the process may open enough files.
    ///
    /// - Throws: ``CommandError``.
    static func checkDescriptors() throws {
        let limit = OpenFileLimits.ofProcess.all
        guard limit < minimumDescriptorCount else { return }
        throw CommandError(
            """
            a server needs \(minimumDescriptorCount) open files at least, and this process may have \(limit); \
            raise the limit with `ulimit -n`, or with LimitNOFILE in the unit of systemd
            """)
    }

    /// Takes the permissions of other users from the database and its thumbnails.
    ///
    /// - Parameters:
    ///   - service: The database.
    ///   - isLocal: Whether only this machine can connect.
    ///   - logger: Receives the changes.
    /// - Throws: ``CommandError`` if others can still read them.
    func check(_ service: PhotoStreamService, isLocal: Bool, logger: Logger) throws {
        let (changed, open) = service.closeFilesToOthers()
        if !changed.isEmpty {
            logger.warning(
                "other users of this machine could read files of the database, and no longer can",
                metadata: ["files": "\(changed.joined(separator: ", "))"])
        }
        guard let file = open.first else { return }
        guard isLocal || allowReadableFile else {
            throw CommandError(
                """
                other users of this machine can read \(file), which has photos and secrets, and its permissions cannot be \
                changed; move it to a disk with permissions, or allow it with --allow-readable-file
                """)
        }
        logger.warning(
            "other users of this machine can read files of the database",
            metadata: ["files": "\(open.joined(separator: ", "))"])
    }
}
