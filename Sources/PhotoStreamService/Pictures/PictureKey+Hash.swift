import Crypto
package import PhotoStreamModel

extension PictureKey {
    /// Creates the key of a picture.
    ///
    /// - Parameters:
    ///   - contentHash: The SHA-256 of the file's bytes.
    ///   - orientation: The orientation in which it is displayed.
    ///   - encoderVersion: The version of the encoder; each version has its own keys.
    package init(contentHash: [UInt8], orientation: Orientation, encoderVersion: UInt8) {
        let digest = Array(SHA256.hash(data: contentHash + [orientation.rawValue, encoderVersion]))
        guard let key = PictureKey(bytes: Array(digest.prefix(Self.byteCount))) else {
            preconditionFailure("a SHA-256 has at least 16 bytes")
        }
        self = key
    }
}
