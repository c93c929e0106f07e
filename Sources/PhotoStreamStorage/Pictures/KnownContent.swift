package import PhotoStreamModel

/// The recorded content of a file.
package struct KnownContent: Hashable, Sendable {
    /// The kind of a hash.
    package enum Kind: Int, Sendable {
        /// All bytes: made by a version before 0.3.0, or for a photo that was deleted before its picture was decoded.
        case allBytes = 0
        /// The picture's data, without metadata.
        case picture = 1
    }

    /// The hash, 32 bytes.
    package let hash: [UInt8]
    /// The kind of the hash.
    package let kind: Kind

    /// Creates a content.
    package init(_ hash: [UInt8], of kind: Kind) {
        (self.hash, self.kind) = (hash, kind)
    }

    /// Records the content of a file.
    package init(_ content: FileContent) {
        self.init(content.pictureHash, of: .picture)
    }

    /// Whether a file with a content has the same picture.
    package func isOf(_ content: FileContent) -> Bool { content.has(hash) }

    /// The record of a deletion of a file with this content and a length.
    func tombstoneKey(byteCount: Int64) -> TombstoneKey {
        TombstoneKey(byteCount: kind == .allBytes ? byteCount : 0, hash: hash)
    }
}

/// The content of a ``Tombstone`` as it is stored.
struct TombstoneKey: Hashable {
    /// The length of the file with a hash of all its bytes; 0 with one of its picture's data, which has any length.
    let byteCount: Int64
    let hash: [UInt8]
}

extension FileContent {
    /// The records by which the deletion of a file with this content and a length may be found.
    func tombstoneKeys(byteCount: Int64) -> [TombstoneKey] {
        [TombstoneKey(byteCount: 0, hash: pictureHash), TombstoneKey(byteCount: byteCount, hash: fileHash)]
    }
}
