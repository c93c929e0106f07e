import Crypto
package import PhotoStreamModel

extension PictureKey {
    /// Creates the key of a picture.
    ///
    /// - Parameters:
    ///   - fileHash: The hash of the file's bytes, on which alone the bytes of a thumbnail depend.
    ///   - orientation: The orientation in which it is displayed.
    ///   - encoderVersion: The version of the encoder; each version has its own keys.
    package init(fileHash: [UInt8], orientation: Orientation, encoderVersion: UInt8) {
        let digest = Array(SHA256.hash(data: fileHash + [orientation.rawValue, encoderVersion]))
        guard let key = PictureKey(bytes: Array(digest.prefix(Self.byteCount))) else {
            preconditionFailure("a SHA-256 has at least 16 bytes")
        }
        self = key
    }
}
