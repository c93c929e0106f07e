package import Glibc

/// The size and the time of a file, which distinguish its versions.
package struct FileStamp: Hashable, Sendable {
    /// The length in bytes.
    package var byteCount: Int64
    /// The time of the last write, in nanoseconds since 1970.
    package var modifiedNanoseconds: Int64

    /// The stamp of a file that cannot be opened.
    package static let none = FileStamp(byteCount: 0, modifiedNanoseconds: 0)

    /// Creates a stamp.
    package init(byteCount: Int64, modifiedNanoseconds: Int64) {
        (self.byteCount, self.modifiedNanoseconds) = (byteCount, modifiedNanoseconds)
    }

    /// Reads the stamp from the status of a file.
    package init(_ status: stat) {
        (byteCount, modifiedNanoseconds) = (Int64(status.st_size), Self.nanoseconds(status.st_mtim))
    }

    /// Returns a time in nanoseconds since 1970, saturated, because a file may have any time.
    package static func nanoseconds(_ time: timespec) -> Int64 {
        let (product, isOver) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOverToo) = product.addingReportingOverflow(Int64(time.tv_nsec))
        return isOver || isOverToo ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}
