import Foundation

/// Which bytes a file holds: equal versions of a file are equal bytes.
public struct FileVersion: Hashable, Sendable {
    /// The device that the file is on.
    public let device: UInt64
    /// Its number there.
    public let number: UInt64
    /// Its length in bytes.
    public let byteCount: Int64
    /// When its bytes were written last, in nanoseconds since 1970, as far as programs do not set it back.
    public let modifiedNanoseconds: Int64
    /// When anything of it was changed last, in nanoseconds since 1970; nobody can set that back.
    public let changedNanoseconds: Int64
    /// Whether it was written some time ago: a file that is written twice in one tick of the file system's clock looks
    /// the same afterwards, so until then equal versions may be different bytes.
    public let isSettled: Bool

    /// How long ago the last write must be.
    private static let settlingNanoseconds: Int64 = 2_000_000_000

    /// Takes what the system says of a file.
    init(_ status: stat) {
        #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int64(status.st_size)
        modifiedNanoseconds = Self.nanoseconds(modified)
        changedNanoseconds = Self.nanoseconds(changed)
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        isSettled = modifiedNanoseconds <= Self.nanoseconds(now) - Self.settlingNanoseconds
    }

    /// Whether nobody has written to the file between two looks at it; that it lost its name or got another is no write.
    func hasSameBytes(as other: FileVersion) -> Bool {
        device == other.device && number == other.number && byteCount == other.byteCount
            && modifiedNanoseconds == other.modifiedNanoseconds
    }

    /// Saturating: a file may claim any time.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (product, isOver) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOverToo) = product.addingReportingOverflow(Int64(time.tv_nsec))
        return isOver || isOverToo ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}
