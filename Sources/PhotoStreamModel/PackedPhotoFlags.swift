/// The header of a packed photo: small values, and a bit for each optional field that follows.
@usableFromInline
struct PackedPhotoFlags: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt32

    @inlinable
    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    // The lowest bits hold numbers: the metrics source (2 bits), the orientation less 1 (3) and the precision of the time
    // (3).
    @inlinable static var orientationShift: UInt32 { 2 }
    @inlinable static var precisionShift: UInt32 { 5 }

    @inlinable static var file: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 8) }
    @inlinable static var captionSource: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 9) }
    @inlinable static var person: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 10) }
    @inlinable static var time: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 11) }
    @inlinable static var offset: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 12) }
    @inlinable static var coordinate: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 13) }
    @inlinable static var color: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 14) }
    @inlinable static var edited: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 15) }
    @inlinable static var listsStackOrFlags: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 16) }

    // From here on, one bit for each text and each number; a test limits their sum to 15.
    @inlinable
    static func text(_ text: PhotoText) -> PackedPhotoFlags {
        PackedPhotoFlags(rawValue: 1 << UInt32(17 + text.rawValue))
    }

    @inlinable
    static func number(_ number: PhotoNumber) -> PackedPhotoFlags {
        PackedPhotoFlags(rawValue: 1 << UInt32(31 - number.rawValue))
    }

    init(_ photo: Photo) {
        var bits = UInt32(photo.metricsSource.rawValue)
        bits |= UInt32(photo.orientation.rawValue - 1) << Self.orientationShift
        bits |= UInt32(photo.takenAt?.precision.rawValue ?? 0) << Self.precisionShift
        self.init(rawValue: bits)
        let present: [(PackedPhotoFlags, Bool)] = [
            (.file, photo.hasFile), (.captionSource, photo.captionSource != nil),
            (.person, photo.captionSource == .person),
            (.time, photo.takenAt != nil), (.offset, photo.takenAt?.utcOffsetMinutes != nil),
            (.coordinate, photo.coordinate != nil), (.color, photo.color != nil),
            (.edited, !photo.editedFields.isEmpty),
            (
                .listsStackOrFlags,
                photo.stack != nil || PhotoFlag.allCases.contains { photo[$0] }
                    || !PhotoList.allCases.allSatisfy { photo[$0].isEmpty }
            ),
        ]
        for (flag, isPresent) in present where isPresent { insert(flag) }
        for text in PhotoText.allCases where photo[text] != nil { insert(.text(text)) }
        for number in PhotoNumber.allCases where photo[number] != nil { insert(.number(number)) }
    }
}
