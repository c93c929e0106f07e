/// The content of a picture's file, by which the file is recognised regardless of its name.
package struct FileContent: Hashable, Sendable {
    /// The number of bytes of a hash.
    package static let hashByteCount = 32

    /// The hash of the picture's data without its metadata; ``fileHash`` if its metadata cannot be separated.
    package let pictureHash: [UInt8]
    /// The hash of all bytes of the file, by which versions before 0.3.0 knew it; of a large video, of a part of them.
    package let fileHash: [UInt8]

    /// Creates a content.
    package init(pictureHash: [UInt8], fileHash: [UInt8]) {
        (self.pictureHash, self.fileHash) = (pictureHash, fileHash)
    }

    /// Whether a hash of either kind is that of this content.
    package func has(_ hash: [UInt8]) -> Bool { hash == pictureHash || hash == fileHash }
}

/// The numbers of files with a photo by what identifies them.
public struct FileIdentities: Hashable, Sendable {
    /// The files that are known by their content.
    public let byContent: Int
    /// The files whose content is not known yet: they are known by size, time and name.
    public let byName: Int

    /// Creates numbers.
    public init(byContent: Int, byName: Int) {
        (self.byContent, self.byName) = (byContent, byName)
    }
}
