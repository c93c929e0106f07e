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

    /// The content of a record.
    package struct Content: Hashable, Sendable {
        /// See ``PhotoRecord/id``.
        package var id: PhotoID
        /// See ``PhotoRecord/size``.
        package var size: FieldChange<EncodedSize> = .keep
        /// See ``PhotoRecord/orientation``.
        package var orientation: FieldChange<Orientation> = .keep
        /// See ``PhotoRecord/takenAt``.
        package var takenAt: FieldChange<CaptureTime> = .keep
        /// See ``PhotoRecord/tags``.
        package var tags: FieldChange<[String]> = .keep
        /// See ``PhotoRecord/coordinate``.
        package var coordinate: FieldChange<Coordinate> = .keep
        /// See ``PhotoRecord/color``.
        package var color: FieldChange<RGBColor> = .keep
        /// See ``PhotoRecord/exported``.
        package var exported: ExportedState?
        /// The texts.
        package var texts = PerText<FieldChange<String>>(repeating: .keep)
        /// The numbers.
        package var numbers = PerNumber<FieldChange<Int>>(repeating: .keep)

        /// Creates the content of a record that changes nothing.
        package init(id: PhotoID) {
            self.id = id
        }
    }

    /// Content that never changes, so that copies of a record share it.
    private final class Storage: Sendable {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
    }

    /// A reference, since an import hands each record on several times.
    ///
    /// Moving all fields each time would cost more than reading them once. In return, each change of a field copies the
    /// content.
    private var storage: Storage

    /// All that the record says.
    var content: Content {
        get { storage.content }
        set { storage = Storage(newValue) }
    }

    /// Creates a record of its content.
    package init(_ content: Content) {
        storage = Storage(content)
    }

    /// Creates a record that changes nothing.
    public init(id: PhotoID) {
        self.init(Content(id: id))
    }

    /// Compares the content.
    public static func == (left: PhotoRecord, right: PhotoRecord) -> Bool {
        left.storage === right.storage || left.content == right.content
    }

    /// Hashes the content.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(content)
    }
}

extension PhotoRecord {
    /// The id of the photo.
    public var id: PhotoID {
        get { content.id }
        set { content.id = newValue }
    }
    /// The file's own size; ``FieldChange/clear`` resets it to the assumed size.
    public var size: FieldChange<EncodedSize> {
        get { content.size }
        set { content.size = newValue }
    }
    /// The raw orientation; ``FieldChange/clear`` resets it to 1.
    public var orientation: FieldChange<Orientation> {
        get { content.orientation }
        set { content.orientation = newValue }
    }
    /// The capture time.
    public var takenAt: FieldChange<CaptureTime> {
        get { content.takenAt }
        set { content.takenAt = newValue }
    }
    /// The tags, in order.
    public var tags: FieldChange<[String]> {
        get { content.tags }
        set { content.tags = newValue }
    }
    /// The place where it was taken.
    public var coordinate: FieldChange<Coordinate> {
        get { content.coordinate }
        set { content.coordinate = newValue }
    }
    /// The colour shown until the image is loaded.
    public var color: FieldChange<RGBColor> {
        get { content.color }
        set { content.color = newValue }
    }
    /// The state of the photo in the export that contains the record; `nil` in any other record.
    package var exported: ExportedState? {
        get { content.exported }
        set { content.exported = newValue }
    }
    /// The change to a text; a blank caption clears it.
    public subscript(text: PhotoText) -> FieldChange<String> {
        get { content.texts[text] }
        set { content.texts[text] = newValue }
    }
    /// The change to a number.
    public subscript(number: PhotoNumber) -> FieldChange<Int> {
        get { content.numbers[number] }
        set { content.numbers[number] = newValue }
    }

    /// The record as the whole photo: it clears the fields that it does not name.
    package var replacingAll: PhotoRecord {
        func whole<Value>(_ change: FieldChange<Value>) -> FieldChange<Value> { change == .keep ? .clear : change }
        var content = content
        for field in PhotoField.allCases {
            switch field {
            case .size: content.size = whole(size)
            case .orientation: content.orientation = whole(orientation)
            case .takenAt: content.takenAt = whole(takenAt)
            case .tags: content.tags = whole(tags)
            case .coordinate: content.coordinate = whole(coordinate)
            case .color: content.color = whole(color)
            case .text(let text): content.texts[text] = whole(self[text])
            case .number(let number): content.numbers[number] = whole(self[number])
            }
        }
        return PhotoRecord(content)
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
