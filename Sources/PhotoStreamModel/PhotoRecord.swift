/// A record's change to one field.
public enum FieldChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The record lacks the field: the stored value stays.
    case keep
    /// The record has `null` or an empty cell: the stored value is removed.
    case clear
    /// The record has a value.
    case set(Value)
}

/// One photo as a source describes it: a record of an import, or a person's edit.
///
///     var record = PhotoRecord(id: try PhotoID("harbour.jpg"))
///     record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 4000, height: 3000)))
///     record.caption = .set("The harbour")
///     let photo = Photo.applying(record, to: nil, by: .importer)
///
/// ``Photo/applying(_:to:by:)`` applies it to a stored photo, or creates a photo from it.
public struct PhotoRecord: Hashable, Sendable {
    /// A size as a source states it: the file's own width and height, before orientation is applied.
    public struct EncodedSize: Hashable, Sendable {
        /// The file's own width and height in pixels.
        public var pixelSize: PixelSize
        /// `measured`, or `ratio` if decimals were scaled to whole numbers.
        public var source: MetricsSource

        /// Creates a size.
        public init(_ pixelSize: PixelSize, source: MetricsSource = .measured) {
            self.pixelSize = pixelSize
            self.source = source
        }
    }

    /// The id of the photo.
    public var id: PhotoID
    /// The file's own size; ``FieldChange/clear`` resets it to the assumed size.
    public var size: FieldChange<EncodedSize> = .keep
    /// The raw orientation; ``FieldChange/clear`` resets it to 1.
    public var orientation: FieldChange<Orientation> = .keep
    /// The capture time.
    public var takenAt: FieldChange<CaptureTime> = .keep
    /// The tags, in order.
    public var tags: FieldChange<[String]> = .keep
    /// The place where it was taken.
    public var coordinate: FieldChange<Coordinate> = .keep
    /// The colour shown until the image is loaded.
    public var color: FieldChange<RGBColor> = .keep
    /// The state of the photo in the export that contains the record; `nil` in any other record.
    package var exported: ExportedState?
    /// The texts.
    @usableFromInline var texts = PerText<FieldChange<String>>(repeating: .keep)
    /// The numbers.
    @usableFromInline var numbers = PerNumber<FieldChange<Int>>(repeating: .keep)

    /// Creates a record that changes nothing.
    public init(id: PhotoID) {
        self.id = id
    }
}

extension PhotoRecord {
    /// The change to a text; a blank caption clears it.
    @inlinable
    public subscript(text: PhotoText) -> FieldChange<String> {
        get { texts[text] }
        set { texts[text] = newValue }
    }

    /// The change to a number.
    @inlinable
    public subscript(number: PhotoNumber) -> FieldChange<Int> {
        get { numbers[number] }
        set { numbers[number] = newValue }
    }

    /// The record as the whole photo: it clears the fields that it does not name.
    package var replacingAll: PhotoRecord {
        func whole<Value>(_ change: FieldChange<Value>) -> FieldChange<Value> { change == .keep ? .clear : change }
        var record = self
        for field in PhotoField.allCases {
            switch field {
            case .size: record.size = whole(size)
            case .orientation: record.orientation = whole(orientation)
            case .takenAt: record.takenAt = whole(takenAt)
            case .tags: record.tags = whole(tags)
            case .coordinate: record.coordinate = whole(coordinate)
            case .color: record.color = whole(color)
            case .text(let text): record[text] = whole(self[text])
            case .number(let number): record[number] = whole(self[number])
            }
        }
        return record
    }

    /// Checks the length of each text that the record sets, that none holds U+0000, and the range of each number.
    ///
    /// - Throws: ``ModelError`` that names the field.
    public func check() throws(ModelError) {
        for text in PhotoText.allCases {
            if case .set(let value) = self[text] { try text.check(value) }
        }
        for number in PhotoNumber.allCases {
            if case .set(let value) = self[number] { try number.check(value) }
        }
        if case .set(let tags) = tags { try PhotoTag.check(tags) }
    }
}
