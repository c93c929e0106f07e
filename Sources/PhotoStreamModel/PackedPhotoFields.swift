/// What a ``PackedPhoto`` holds, read where it stands; texts are lent as UTF-8.
@usableFromInline
package struct PackedPhotoFields {
    /// A text as it stands there.
    @usableFromInline package typealias Text = UnsafeBufferPointer<UInt8>

    /// The displayed size.
    @usableFromInline package let pixelSize: PixelSize
    /// Where the size comes from.
    @usableFromInline package let metricsSource: MetricsSource
    /// The raw orientation of the file.
    @usableFromInline package let orientation: Orientation
    /// When it was taken.
    @usableFromInline package let takenAt: CaptureTime?
    /// Where it was taken.
    @usableFromInline package let coordinate: Coordinate?
    /// The colour that stands for it.
    @usableFromInline package let color: RGBColor?
    /// The fields that a person edited.
    @usableFromInline package let editedFields: PhotoField
    /// The external id.
    @usableFromInline package let id: Text
    /// The caption.
    @usableFromInline package let caption: Text?
    /// Who wrote the caption.
    @usableFromInline package let captionSource: Photo.CaptionSource?
    /// The alternative text.
    @usableFromInline package let alt: Text?
    /// The URL or path of the image.
    @usableFromInline package let location: Text?
    /// The hash of the image file's bytes.
    @usableFromInline package let contentHash: Text?
    /// A ThumbHash or BlurHash as text.
    @usableFromInline package let placeholder: Text?
    /// The tags.
    @usableFromInline package let tags: PackedTexts

    /// Reads what ``PackedPhoto/append(_:to:)`` has written.
    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer) {
        var rest = PackedBytes(bytes)
        let flags = PackedPhotoFlags(rawValue: rest.number(UInt32.self))
        let bits = flags.rawValue
        metricsSource = MetricsSource(rawValue: UInt8(bits & 3)) ?? .measured
        orientation = Orientation(rawValue: UInt8(bits >> PackedPhotoFlags.orientationShift & 15)) ?? .up
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
        editedFields = PhotoField(rawValue: flags.contains(.edited) ? rest.number(UInt32.self) : 0)
        id = rest.text()
        caption = flags.contains(.caption) ? rest.text() : nil
        alt = flags.contains(.alt) ? rest.text() : nil
        location = flags.contains(.location) ? rest.text() : nil
        contentHash = flags.contains(.contentHash) ? rest.text() : nil
        placeholder = flags.contains(.placeholder) ? rest.text() : nil
        tags = PackedTexts(count: flags.contains(.tags) ? rest.count() : 0, rest)
    }

    /// The photo.
    var photo: Photo {
        func text(_ bytes: Text?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
        var photo = Photo(id: PhotoID(stored: String(decoding: id, as: UTF8.self)))
        (photo.pixelSize, photo.metricsSource, photo.orientation) = (pixelSize, metricsSource, orientation)
        (photo.takenAt, photo.coordinate, photo.color) = (takenAt, coordinate, color)
        photo.editedFields = editedFields
        (photo.caption, photo.captionSource, photo.alt) = (text(caption), captionSource, text(alt))
        (photo.location, photo.contentHash, photo.placeholder) = (text(location), text(contentHash), text(placeholder))
        photo.tags = tags.map { String(decoding: $0, as: UTF8.self) }
        return photo
    }
}

/// Texts that stand one behind the other.
@usableFromInline
package struct PackedTexts: Sequence, IteratorProtocol {
    @usableFromInline var left: Int
    @usableFromInline var rest: PackedBytes

    @inlinable
    init(count: Int, _ rest: PackedBytes) {
        (left, self.rest) = (count, rest)
    }

    /// Whether there is none.
    @inlinable package var isEmpty: Bool { left == 0 }

    @inlinable
    package mutating func next() -> UnsafeBufferPointer<UInt8>? {
        guard left > 0 else { return nil }
        left -= 1
        return rest.text()
    }
}

/// Bytes that are read from the first on.
///
/// They were written by ``PackedPhoto/append(_:to:)`` in this process, never read from a file. Nothing after their end is
/// read: each step checks that what it reads is there.
@usableFromInline
struct PackedBytes {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var offset = 0

    @inlinable
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    @inlinable
    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number {
        // Unlike the buffer, a span checks its bounds in release builds, too.
        let number = Number(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
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
        precondition(length <= bytes.count - offset, "a text ends after the photo")
        let text = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
        offset += length
        return text.assumingMemoryBound(to: UInt8.self)
    }
}

// All three are lent for the time of a closure.
@available(*, unavailable) extension PackedPhotoFields: Sendable {}
@available(*, unavailable) extension PackedTexts: Sendable {}
@available(*, unavailable) extension PackedBytes: Sendable {}
