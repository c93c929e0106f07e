import Foundation
import PhotoStreamPictureMessages
import PhotoStreamStorage

/// The note in the file that a process is decoding a picture alone, because a worker has crashed on it.
///
/// If the process does not survive that, the note remains, and the next process counts it as a crash. If another
/// process is still decoding the picture, it is skipped.
package enum LoneTry {
    /// The time after which a process that cannot be found is considered to have ended.
    ///
    /// No decode takes that long.
    private static let limit: Int64 = 600_000

    /// Returns the note of a process on this machine, other than this one only in tests.
    ///
    /// - Parameters:
    ///   - process: The id of the process.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The note.
    package static func note(of process: Int32 = getpid(), now: Int64) -> String {
        "\(place) \(process) \(start(of: process) ?? "-") \(now)"
    }

    /// Whether the process that wrote a note may still be decoding.
    package static func isRunning(_ note: String?, now: Int64) -> Bool {
        let parts = note?.split(separator: " ").map(String.init) ?? []
        guard parts.count == 4, let process = Int32(parts[1]), let time = Int64(parts[3]) else { return false }
        guard parts[0] == place else { return time <= now && now - time < limit }
        return start(of: process) == parts[2]
    }

    /// Whether this process wrote a note.
    static func isOwn(_ note: String?) -> Bool {
        guard let note, let start = start(of: getpid()) else { return false }
        return note.hasPrefix("\(place) \(getpid()) \(start) ")
    }

    /// The scope in which process ids are unique: a boot of the machine, and a container if there is one.
    private static let place: String = {
        let boot =
            (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? HostIdentity.name
        let container = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
        return boot.trimmingCharacters(in: .whitespacesAndNewlines) + "/" + container
    }()

    /// The start time of a process, which distinguishes it from a later one with the same id; `nil` if it has ended.
    private static func start(of process: Int32) -> String? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
            #if os(Linux)
            return nil
            #else
            return kill(process, 0) == 0 || errno == EPERM ? "running" : nil
            #endif
        }
        // The name, which may contain anything, is followed by the state, 18 numbers and the time.
        let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return String(fields[19])
    }
}

extension PictureMaker {
    /// Records in the file that a picture is being tried alone.
    ///
    /// - Returns: `false`, without a note, if another process is trying it.
    func noteTry(of job: PictureJob) async throws -> Bool {
        try await writes.run { [service] in
            let now = service.now()
            let row = PictureRow(trying: job, note: LoneTry.note(now: now))
            return try translatingStorageErrors {
                try service.database.writeLocally { writer in
                    if let other = try writer.reader.picture(photoRowID: job.rowID), other.state == .alone,
                        other.isOf(job.stamp), LoneTry.isRunning(other.reason, now: now),
                        !LoneTry.isOwn(other.reason)
                    {
                        return false
                    }
                    try writer.savePictures([(photo: job.photo, row: row)], now: now)
                    return true
                }
            }
        }
    }

    /// Removes the note, so that a cancelled try does not count as a crash.
    func withdrawTry(of job: PictureJob) async {
        var row = PictureRow(trying: job, note: "the program that decodes it ended")
        (row.state, row.failureKind) = (.failed, PictureFailure.Kind.crashed.rawValue)
        let withdrawn = row
        // After an error, the note remains and counts as a crash: one of three.
        try? await writes.run { [service] in
            try service.database.writeLocally { writer in
                if job.deathCount == 0 {
                    try writer.deletePictureTry(streamID: job.photo.streamID, photoRowID: job.rowID, now: service.now())
                } else {
                    try writer.savePictures([(photo: job.photo, row: withdrawn)], now: service.now())
                }
            }
        }
    }
}
