/// What a packed photo begins with: small values, and which of the others there are.
@usableFromInline
struct PackedPhotoFlags: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt32

    @inlinable
    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    // The lowest bits hold numbers: where the size comes from (2), the orientation (4), the time's precision (3).
    @inlinable static var orientationShift: UInt32 { 2 }
    @inlinable static var precisionShift: UInt32 { 6 }

    @inlinable static var captionSource: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 9) }
    @inlinable static var person: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 10) }
    @inlinable static var time: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 11) }
    @inlinable static var offset: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 12) }
    @inlinable static var coordinate: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 13) }
    @inlinable static var color: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 14) }
    @inlinable static var edited: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 15) }
    @inlinable static var caption: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 16) }
    @inlinable static var alt: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 17) }
    @inlinable static var location: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 18) }
    @inlinable static var contentHash: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 19) }
    @inlinable static var placeholder: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 20) }
    @inlinable static var tags: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 21) }

    init(_ photo: Photo) {
        var bits = UInt32(photo.metricsSource.rawValue)
        bits |= UInt32(photo.orientation.rawValue) << Self.orientationShift
        bits |= UInt32(photo.takenAt?.precision.rawValue ?? 0) << Self.precisionShift
        self.init(rawValue: bits)
        let present: [(PackedPhotoFlags, Bool)] = [
            (.captionSource, photo.captionSource != nil), (.person, photo.captionSource == .person),
            (.time, photo.takenAt != nil), (.offset, photo.takenAt?.utcOffsetMinutes != nil),
            (.coordinate, photo.coordinate != nil), (.color, photo.color != nil),
            (.edited, !photo.editedFields.isEmpty), (.caption, photo.caption != nil), (.alt, photo.alt != nil),
            (.location, photo.location != nil), (.contentHash, photo.contentHash != nil),
            (.placeholder, photo.placeholder != nil), (.tags, !photo.tags.isEmpty),
        ]
        for (flag, isPresent) in present where isPresent { insert(flag) }
    }
}
