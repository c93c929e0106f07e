/// A photo's metadata as a few dozen bytes, without a text or an object of its own.
///
/// From its start: flags (4 bytes), the sides (4 bytes each); what the flags say that there is of milliseconds and offset
/// of the time (8 and 2), latitude and longitude (8 each), colour and edited fields (4 each); then the id and what there
/// is of caption, alternative text, location, hash and placeholder, and the tags behind their count. Numbers have their
/// lowest byte first; a text stands behind its length in UTF-8, which takes one byte, or five from 255 on.
public struct PackedPhoto: Hashable, Sendable {
    @usableFromInline let bytes: ArraySlice<UInt8>

    /// Packs a photo.
    public init(_ photo: Photo) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        Self.append(photo, to: &bytes)
        self.bytes = bytes[...]
    }

    /// Takes what ``append(_:to:)`` has written.
    package init(packed bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// The photo.
    public var photo: Photo { withFields { $0.photo } }

    /// The external id.
    public var id: PhotoID { withFields { PhotoID(stored: String(decoding: $0.id, as: UTF8.self)) } }

    /// Lends what is packed to a closure, where it stands.
    ///
    /// - Parameter body: Reads it; nothing of it may be kept.
    /// - Returns: What `body` returns.
    @inlinable
    package func withFields<Result>(_ body: (PackedPhotoFields) -> Result) -> Result {
        bytes.withUnsafeBytes { body(PackedPhotoFields($0)) }
    }

    /// Two photos are the same where their bytes are, in whatever memory.
    public static func == (left: PackedPhoto, right: PackedPhoto) -> Bool { left.bytes == right.bytes }
}

extension PackedPhoto {
    /// Writes a photo's bytes behind others.
    package static func append(_ photo: Photo, to bytes: inout [UInt8]) {
        let flags = PackedPhotoFlags(photo)
        bytes.append(littleEndian: flags.rawValue)
        bytes.append(littleEndian: photo.pixelSize.width)
        bytes.append(littleEndian: photo.pixelSize.height)
        if let time = photo.takenAt {
            bytes.append(littleEndian: time.milliseconds)
            if let offset = time.utcOffsetMinutes { bytes.append(littleEndian: Int16(offset)) }
        }
        if let place = photo.coordinate {
            bytes.append(littleEndian: place.latitude.bitPattern)
            bytes.append(littleEndian: place.longitude.bitPattern)
        }
        if let color = photo.color { bytes.append(littleEndian: color.rawValue) }
        if flags.contains(.edited) { bytes.append(littleEndian: photo.editedFields.rawValue) }
        append(photo.id.rawValue, to: &bytes)
        for text in [photo.caption, photo.alt, photo.location, photo.contentHash, photo.placeholder] {
            if let text { append(text, to: &bytes) }
        }
        guard flags.contains(.tags) else { return }
        append(count: photo.tags.count, to: &bytes)
        for tag in photo.tags { append(tag, to: &bytes) }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { characters in
            append(count: characters.count, to: &bytes)
            bytes.append(contentsOf: characters)
        }
    }

    private static func append(count: Int, to bytes: inout [UInt8]) {
        if count < 255 {
            bytes.append(UInt8(count))
        } else {
            bytes.append(255)
            bytes.append(littleEndian: UInt32(count))
        }
    }
}
