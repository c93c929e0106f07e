/// A photo's metadata in a few dozen bytes, without a string or an object.
///
/// In order: flags (4 bytes) and the two sides (4 bytes each); if present, the time's source and milliseconds (1 and
/// 8) and offset (2), latitude and longitude (8 each), colour and edited fields (4 each), the fields of
/// the file and the cleared ones (4 each, both or neither), and each ``PhotoNumber`` (4); the id; if
/// present, each ``PhotoText``; unless all of it is empty, the number of texts of each ``PhotoList`` and the texts, a bit
/// for each ``PhotoFlag`` (1), and the name of the stack, empty or followed by the rank (2) and the kind (1).
/// Numbers are little-endian. A text is its length and its UTF-8; a length takes one byte, or five from 255 on.
public struct PackedPhoto: Hashable, Sendable {
    @usableFromInline let bytes: ArraySlice<UInt8>

    /// Packs a photo.
    public init(_ photo: Photo) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        Self.append(photo, to: &bytes)
        self.bytes = bytes[...]
    }

    /// Wraps the output of ``append(_:to:)``.
    package init(packed bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// The photo.
    public var photo: Photo { withFields { $0.photo } }

    /// The external id.
    public var id: PhotoID { withFields { unsafe PhotoID(stored: String(decoding: $0.id, as: UTF8.self)) } }

    /// Whether the photo is in a stack; most photos need no look at more than their flags.
    package var isInStack: Bool {
        let flags = unsafe bytes.withUnsafeBytes { bytes in
            var flags = unsafe PackedBytes(bytes)
            return PackedPhotoFlags(rawValue: flags.number(UInt32.self))
        }
        return flags.contains(.listsStackOrFlags) && withFields { $0.stack != nil }
    }

    /// Calls a closure with the fields, read in place.
    ///
    /// - Parameter body: A closure that must not keep the fields or their texts.
    /// - Returns: The result of `body`.
    @inlinable
    package func withFields<Result>(_ body: (PackedPhotoFields) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { unsafe body(PackedPhotoFields($0)) }
    }
}

extension PackedPhoto {
    /// Appends the bytes of a photo.
    package static func append(_ photo: Photo, to bytes: inout [UInt8]) {
        let flags = PackedPhotoFlags(photo)
        bytes.append(littleEndian: flags.rawValue)
        bytes.append(littleEndian: photo.pixelSize.width)
        bytes.append(littleEndian: photo.pixelSize.height)
        if let time = photo.takenAt {
            bytes.append(photo.takenAtSource?.rawValue ?? unknownSource)
            bytes.append(littleEndian: time.milliseconds)
            if let offset = time.utcOffsetMinutes { bytes.append(littleEndian: Int16(offset)) }
        }
        if let place = photo.coordinate {
            bytes.append(littleEndian: place.latitude.bitPattern)
            bytes.append(littleEndian: place.longitude.bitPattern)
        }
        if let color = photo.color { bytes.append(littleEndian: color.rawValue) }
        if flags.contains(.edited) { bytes.append(littleEndian: photo.editedFields.rawValue) }
        if flags.contains(.file) {
            bytes.append(littleEndian: photo.fileFields.rawValue)
            bytes.append(littleEndian: photo.clearedFields.rawValue)
        }
        for number in PhotoNumber.allCases {
            if let value = photo[number] { bytes.append(littleEndian: Int32(clamping: value)) }
        }
        append(photo.id.rawValue, to: &bytes)
        for text in PhotoText.allCases {
            if let value = photo[text] { append(value, to: &bytes) }
        }
        guard flags.contains(.listsStackOrFlags) else { return }
        for list in PhotoList.allCases {
            append(count: photo[list].count, to: &bytes)
            for text in photo[list] { append(text, to: &bytes) }
        }
        bytes.append(PhotoFlag.allCases.reduce(0) { photo[$1] ? $0 | 1 << UInt8($1.rawValue) : $0 })
        append(photo.stack?.stack ?? "", to: &bytes)
        guard let place = photo.stack else { return }
        bytes.append(littleEndian: Int16(clamping: place.rank))
        bytes.append(place.kind.rawValue)
    }

    /// The byte of a time whose source is unknown; no source has this value.
    private static let unknownSource = UInt8.max

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { characters in
            append(count: characters.count, to: &bytes)
            unsafe bytes.append(contentsOf: characters)
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

/// The fields of a ``PackedPhoto``, read in place.
///
/// Texts are borrowed as UTF-8.
@usableFromInline
@safe package struct PackedPhotoFields {
    /// A borrowed text.
    @usableFromInline package typealias Text = UnsafeBufferPointer<UInt8>

    /// The displayed size.
    @usableFromInline package let pixelSize: PixelSize
    /// The origin of the size.
    @usableFromInline package let metricsSource: MetricsSource
    /// The raw orientation of the file.
    @usableFromInline package let orientation: Orientation
    /// The capture time.
    @usableFromInline package let takenAt: CaptureTime?
    /// The source of the capture time.
    @usableFromInline package let takenAtSource: CaptureTimeSource?
    /// The coordinate at which it was taken.
    @usableFromInline package let coordinate: Coordinate?
    /// The colour shown until the image is loaded.
    @usableFromInline package let color: RGBColor?
    /// The fields that a person edited.
    @usableFromInline package let editedFields: PhotoFields
    /// The fields whose value came from the picture's file.
    @usableFromInline package let fileFields: PhotoFields
    /// The fields that a record cleared after the file had given them.
    @usableFromInline package let clearedFields: PhotoFields
    /// The external id.
    @usableFromInline package let id: Text
    /// The caption's origin.
    @usableFromInline package let captionSource: Photo.CaptionSource?
    @usableFromInline let texts: PerText<Text?>
    @usableFromInline let numbers: PerNumber<Int?>
    @usableFromInline let lists: PerList<PackedTexts>
    /// The place in a stack.
    @usableFromInline package let stack: PackedStackPlace?
    @usableFromInline let flags: PerFlag<Bool>

    /// Reads the output of ``PackedPhoto/append(_:to:)``.
    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe PackedBytes(bytes)
        let flags = PackedPhotoFlags(rawValue: rest.number(UInt32.self))
        let bits = flags.rawValue
        metricsSource = MetricsSource(rawValue: UInt8(bits & 3)) ?? .measured
        orientation = Orientation(rawValue: UInt8(bits >> PackedPhotoFlags.orientationShift & 7) + 1) ?? .up
        captionSource = flags.contains(.captionSource) ? (flags.contains(.person) ? .person : .imported) : nil
        let width = rest.number(Int32.self)
        pixelSize = PixelSize(uncheckedWidth: width, height: rest.number(Int32.self))
        if flags.contains(.time) {
            takenAtSource = CaptureTimeSource(rawValue: rest.number(UInt8.self))
            let milliseconds = rest.number(Int64.self)
            takenAt = CaptureTime(
                uncheckedMilliseconds: milliseconds,
                utcOffsetMinutes: flags.contains(.offset) ? Int(rest.number(Int16.self)) : nil,
                precision: CaptureTime.Precision(rawValue: UInt8(bits >> PackedPhotoFlags.precisionShift & 7))
                    ?? .millisecond)
        } else {
            (takenAt, takenAtSource) = (nil, nil)
        }
        if flags.contains(.coordinate) {
            let latitude = Double(bitPattern: rest.number(UInt64.self))
            coordinate = Coordinate(
                uncheckedLatitude: latitude, longitude: Double(bitPattern: rest.number(UInt64.self)))
        } else {
            coordinate = nil
        }
        color = flags.contains(.color) ? RGBColor(rawValue: rest.number(UInt32.self)) : nil
        editedFields = PhotoFields(rawValue: flags.contains(.edited) ? rest.number(UInt32.self) : 0)
        fileFields = PhotoFields(rawValue: flags.contains(.file) ? rest.number(UInt32.self) : 0)
        clearedFields = PhotoFields(rawValue: flags.contains(.file) ? rest.number(UInt32.self) : 0)
        var numbers = PerNumber<Int?>(repeating: nil)
        for number in PhotoNumber.allCases where flags.contains(.number(number)) {
            numbers[number] = Int(rest.number(Int32.self))
        }
        self.numbers = numbers
        unsafe id = rest.text()
        var texts = unsafe PerText<Text?>(repeating: nil)
        for text in PhotoText.allCases where flags.contains(.text(text)) { unsafe texts[text] = unsafe rest.text() }
        unsafe self.texts = texts
        var lists = PerList(repeating: PackedTexts(count: 0, rest))
        var stack: PackedStackPlace?
        var isSet = PerFlag<Bool>(repeating: false)
        if flags.contains(.listsStackOrFlags) {
            for list in PhotoList.allCases {
                lists[list] = PackedTexts(count: rest.count(), rest)
                for _ in 0..<lists[list].left { unsafe _ = rest.text() }
            }
            let flagBits = rest.number(UInt8.self)
            for flag in PhotoFlag.allCases { isSet[flag] = flagBits & 1 << UInt8(flag.rawValue) != 0 }
            let name = unsafe rest.text()
            if !name.isEmpty {
                let rank = Int(rest.number(Int16.self))
                stack = unsafe PackedStackPlace(
                    stack: name, rank: rank, kind: StackKind(rawValue: rest.number(UInt8.self)) ?? .manual)
            }
        }
        self.lists = lists
        self.stack = stack
        self.flags = isSet
    }

    /// A text.
    @inlinable package subscript(text: PhotoText) -> Text? { unsafe texts[text] }

    /// A number, in units of its last decimal place.
    @inlinable package subscript(number: PhotoNumber) -> Int? { numbers[number] }

    /// The texts of a list.
    @inlinable package subscript(list: PhotoList) -> PackedTexts { lists[list] }

    /// Whether a flag is set.
    @inlinable package subscript(flag: PhotoFlag) -> Bool { flags[flag] }

    /// The photo.
    var photo: Photo {
        func text(_ bytes: Text?) -> String? { unsafe bytes.map { unsafe String(decoding: $0, as: UTF8.self) } }
        var photo = unsafe Photo(id: PhotoID(stored: String(decoding: id, as: UTF8.self)))
        (photo.pixelSize, photo.metricsSource, photo.orientation) = (pixelSize, metricsSource, orientation)
        (photo.takenAt, photo.coordinate, photo.color) = (takenAt, coordinate, color)
        (photo.editedFields, photo.fileFields, photo.clearedFields) = (editedFields, fileFields, clearedFields)
        photo.captionSource = captionSource
        photo.numbers = numbers
        for item in PhotoText.allCases { photo[item] = unsafe text(texts[item]) }
        photo.takenAtSource = takenAtSource
        for flag in PhotoFlag.allCases { photo[flag] = flags[flag] }
        photo.stack = stack.map { place in
            unsafe StackPlace(
                stored: String(decoding: place.stack, as: UTF8.self), rank: place.rank, kind: place.kind)
        }
        for list in PhotoList.allCases {
            photo[list] = unsafe lists[list].map { unsafe String(decoding: $0, as: UTF8.self) }
        }
        return photo
    }
}

// It borrows memory for the duration of a closure.
@available(*, unavailable) extension PackedPhotoFields: Sendable {}
