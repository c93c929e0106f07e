import Foundation

/// Writing to an open file, whole and with the reason where it fails.
enum FileDescriptor {
    /// Why a call failed.
    struct Problem: Error {
        /// The value of `errno`.
        let code: Int32

        /// The system's words for it.
        var reason: String { String(cString: strerror(code)) }
    }

    /// Writes all bytes.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Problem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let (count, code) = rest.withUnsafeBytes { buffer in
                (Foundation.write(descriptor, buffer.baseAddress, buffer.count), errno)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if code != EINTR {
                throw Problem(code: code)
            }
        }
    }
}
