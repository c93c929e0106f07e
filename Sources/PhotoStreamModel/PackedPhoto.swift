/// A photo's metadata in a few dozen bytes, without a string or an object.
///
/// In order: flags (4 bytes) and the two sides (4 bytes each); if present, the time's milliseconds and offset (8 and
/// 2), latitude and longitude (8 each), colour and edited fields (4 each), the fields of
/// the file and the cleared ones (4 each, both or neither), and each ``PhotoNumber`` (4); the id; if
/// present, each ``PhotoText``; the number of tags and the tags. Numbers are little-endian. A text is its length and its
/// UTF-8; a length takes one byte, or five from 255 on.
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
        guard flags.contains(.tags) else { return }
        append(count: photo.tags.count, to: &bytes)
        for tag in photo.tags { append(tag, to: &bytes) }
    }

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
    /// The tags.
    @usableFromInline package let tags: PackedTexts

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
            let milliseconds = rest.number(Int64.self)
            takenAt = CaptureTime(
                uncheckedMilliseconds: milliseconds,
                utcOffsetMinutes: flags.contains(.offset) ? Int(rest.number(Int16.self)) : nil,
                precision: CaptureTime.Precision(rawValue: UInt8(bits >> PackedPhotoFlags.precisionShift & 7))
                    ?? .millisecond)
        } else {
            takenAt = nil
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
        tags = PackedTexts(count: flags.contains(.tags) ? rest.count() : 0, rest)
    }

    /// A text.
    @inlinable package subscript(text: PhotoText) -> Text? { unsafe texts[text] }

    /// A number.
    @inlinable package subscript(number: PhotoNumber) -> Int? { numbers[number] }

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
        photo.tags = unsafe tags.map { unsafe String(decoding: $0, as: UTF8.self) }
        return photo
    }
}

/// A sequence of packed texts.
@usableFromInline
package struct PackedTexts: @unsafe Sequence, @unsafe IteratorProtocol {
    @usableFromInline var left: Int
    @usableFromInline var rest: PackedBytes

    @inlinable
    init(count: Int, _ rest: PackedBytes) {
        (left, self.rest) = (count, rest)
    }

    /// Whether no text is left.
    @inlinable package var isEmpty: Bool { left == 0 }

    @inlinable
    package mutating func next() -> UnsafeBufferPointer<UInt8>? {
        guard left > 0 else { return nil }
        left -= 1
        return unsafe rest.text()
    }
}

/// A reader of packed bytes.
///
/// ``PackedPhoto/append(_:to:)`` wrote the bytes in this process; they never come from a file. Each read checks its
/// bounds.
@usableFromInline
@safe struct PackedBytes {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var offset = 0

    @inlinable
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    @inlinable
    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number {
        // Unlike the buffer, a span also checks its bounds in release builds.
        let number = unsafe Number(
            littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
        offset += MemoryLayout<Number>.size
        return number
    }

    @inlinable
    mutating func count() -> Int {
        let short = number(UInt8.self)
        return short < 255 ? Int(short) : Int(number(UInt32.self))
    }

    @inlinable
    mutating func text() -> UnsafeBufferPointer<UInt8> {
        let length = count()
        unsafe precondition(length <= bytes.count - offset, "a text ends after the end of the photo")
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
        offset += length
        return unsafe text.assumingMemoryBound(to: UInt8.self)
    }
}

// All three borrow memory for the duration of a closure.
@available(*, unavailable) extension PackedPhotoFields: Sendable {}
@available(*, unavailable) extension PackedTexts: Sendable {}
@available(*, unavailable) extension PackedBytes: Sendable {}

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
    @inlinable static var tags: PackedPhotoFlags { PackedPhotoFlags(rawValue: 1 << 16) }

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
            (.edited, !photo.editedFields.isEmpty), (.tags, !photo.tags.isEmpty),
        ]
        for (flag, isPresent) in present where isPresent { insert(flag) }
        for text in PhotoText.allCases where photo[text] != nil { insert(.text(text)) }
        for number in PhotoNumber.allCases where photo[number] != nil { insert(.number(number)) }
    }
}
