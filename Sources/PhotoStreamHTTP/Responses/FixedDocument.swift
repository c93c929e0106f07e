/// A document that is the same for every request, with everything that answers need created once.
struct FixedDocument {
    let bytes: [UInt8]
    /// The bytes, compressed by RFC 1952; `nil` if the library ran out of memory.
    let compressedBytes: [UInt8]?
    private let plainTag: EntityTag
    private let compressedTag: EntityTag

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        compressedBytes = Gzip.compressed(bytes)
        plainTag = EntityTag(of: bytes, .identity)
        compressedTag = EntityTag(of: bytes, .gzip)
    }

    /// The tag of the bytes as they are sent.
    func tag(_ coding: ContentCoding) -> EntityTag {
        coding == .gzip ? compressedTag : plainTag
    }
}
