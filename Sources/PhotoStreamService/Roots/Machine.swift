import Crypto
import Foundation

/// The machine that a program runs on, by a name that tells nobody else anything.
enum Machine {
    /// What stands for this machine in a file: an HMAC of the system's own name for it, which is to be kept private.
    ///
    /// Where the system has no such name, as in many containers, it is that of all machines without one.
    static let name: String = {
        let own = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
        let key = SymmetricKey(data: Array("PhotoStream roots".utf8))
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(own.trimmingCharacters(in: .whitespacesAndNewlines).utf8), using: key)
        return code.prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }()
}
