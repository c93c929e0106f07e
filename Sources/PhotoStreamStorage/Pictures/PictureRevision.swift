import GRDB
import PhotoStreamModel

/// The counter of a stream's pictures: its steps are at least a second apart, and each has a random tag.
struct PictureRevision: Hashable {
    /// The minimum time between two steps, in milliseconds.
    static let interval: Int64 = 1_000

    /// The number of steps taken.
    private(set) var revision: Int64 = 0
    /// The time of the last step, in milliseconds since 1970.
    private(set) var raisedAt: Int64 = .min
    /// Whether something was written since the last step, so that the next one is taken when the interval is over.
    private(set) var isDue = false
    /// The tag of the last step, and that of the next one if it is due.
    private(set) var (tag, nextTag): (Int64, Int64) = (0, 0)

    init() {}

    /// Reads the counter of a stream.
    init(_ reader: PhotoReader, streamID: Int64) throws {
        self =
            try reader.database.first(
                "SELECT revision, raisedAtMilliseconds, isDue, tag, nextTag FROM pictureRevision WHERE id = ?1",
                with: streamID
            ) { row in
                var revision = PictureRevision()
                revision.revision = row.integer(0) & (1 << 53 - 1)
                (revision.raisedAt, revision.isDue) = (row.integer(1), row.integer(2) != 0)
                (revision.tag, revision.nextTag) = (row.integer(3), row.integer(4))
                return revision
            } ?? PictureRevision()
    }

    /// Returns the revision at a time, with its tag.
    func value(at now: Int64) -> Revision {
        isDue && isOver(at: now) ? Revision(revision + 1, tag: nextTag) : Revision(revision, tag: tag)
    }

    /// Records a write at a time.
    ///
    /// The next step gets another tag with each write, so that it never has the same in two copies of a file.
    mutating func noteWrite(at now: Int64) {
        guard isOver(at: now) else {
            (isDue, nextTag) = (true, .random(in: .min ... .max))
            return
        }
        takeStep(at: now)
    }

    /// Takes a step at a time, regardless of the interval since the last one.
    mutating func takeStep(at now: Int64) {
        (revision, raisedAt, isDue) = (value(at: now).rawValue + 1, now, false)
        tag = .random(in: .min ... .max)
    }

    /// Whether the interval since the last step is over, or the clock was set back.
    private func isOver(at now: Int64) -> Bool {
        let (elapsed, isFar) = now.subtractingReportingOverflow(raisedAt)
        return isFar || elapsed < 0 || elapsed >= Self.interval
    }
}
