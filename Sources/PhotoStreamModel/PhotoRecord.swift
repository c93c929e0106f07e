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
@dynamicMemberLookup
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
    public struct Content: Hashable, Sendable {
        /// The id of the photo.
        public var id: PhotoID
        /// The file's own size; ``FieldChange/clear`` resets it to the assumed size.
        public var size: FieldChange<EncodedSize> = .keep
        /// The raw orientation; ``FieldChange/clear`` resets it to 1.
        public var orientation: FieldChange<Orientation> = .keep
        /// The capture time.
        public var takenAt: FieldChange<CaptureTime> = .keep
        /// The part of the picture's file that gave the capture time; it counts in a record of ``Photo/Author/file``
        /// only.
        public var takenAtSource: FileFieldSource?
        /// The coordinate at which it was taken.
        public var coordinate: FieldChange<Coordinate> = .keep
        /// The colour shown until the image is loaded.
        public var color: FieldChange<RGBColor> = .keep
        /// The place in a stack.
        public var stack: FieldChange<StackPlace> = .keep
        /// The state of the photo in the export that contains the record; `nil` in any other record.
        package var exported: ExportedState?
        /// The texts.
        @usableFromInline package var texts = PerText<FieldChange<String>>(repeating: .keep)
        /// The numbers, in units of their last decimal place.
        @usableFromInline package var numbers = PerNumber<FieldChange<Int>>(repeating: .keep)
        /// The lists.
        @usableFromInline package var lists = PerList<FieldChange<[String]>>(repeating: .keep)
        /// The flags; `false` has the effect of ``FieldChange/clear``.
        @usableFromInline package var flags = PerFlag<FieldChange<Bool>>(repeating: .keep)

        /// Creates the content of a record that changes nothing.
        package init(id: PhotoID) {
            self.id = id
        }
    }

    /// Content that never changes, so that copies of a record share it.
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let content: Content

        @usableFromInline
        init(_ content: Content) {
            self.content = content
        }
    }

    /// A reference, because an import passes each record on several times.
    ///
    /// Moving all fields each time would cost more than reading them once. In return, each change of a field copies the
    /// content.
    @usableFromInline var storage: Storage

    /// The whole content.
    @inlinable
    var content: Content {
        get { storage.content }
        set { storage = Storage(newValue) }
    }

    /// Creates a record from its content.
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
    /// A member of the content, such as `record.size`.
    @inlinable
    public subscript<Value>(dynamicMember member: WritableKeyPath<Content, Value>) -> Value {
        get { content[keyPath: member] }
        set { content[keyPath: member] = newValue }
    }
    /// The change to a text, by its name: `record.title`.
    @inlinable
    public subscript<Value>(dynamicMember text: WritableKeyPath<PerText<FieldChange<String>>, Value>) -> Value {
        get { content.texts[keyPath: text] }
        set { content.texts[keyPath: text] = newValue }
    }
    /// The change to a number, by its name: `record.rating`.
    @inlinable
    public subscript<Value>(dynamicMember number: WritableKeyPath<PerNumber<FieldChange<Int>>, Value>) -> Value {
        get { content.numbers[keyPath: number] }
        set { content.numbers[keyPath: number] = newValue }
    }
    /// The change to a list, by its name: `record.tags`.
    @inlinable
    public subscript<Value>(dynamicMember list: WritableKeyPath<PerList<FieldChange<[String]>>, Value>) -> Value {
        get { content.lists[keyPath: list] }
        set { content.lists[keyPath: list] = newValue }
    }
    /// The change to a flag, by its name: `record.isFavourite`.
    @inlinable
    public subscript<Value>(dynamicMember flag: WritableKeyPath<PerFlag<FieldChange<Bool>>, Value>) -> Value {
        get { content.flags[keyPath: flag] }
        set { content.flags[keyPath: flag] = newValue }
    }
    /// The change to a text; a blank caption clears it.
    public subscript(text: PhotoText) -> FieldChange<String> {
        get { content.texts[text] }
        set { content.texts[text] = newValue }
    }
    /// The change to a number, in units of its last decimal place.
    public subscript(number: PhotoNumber) -> FieldChange<Int> {
        get { content.numbers[number] }
        set { content.numbers[number] = newValue }
    }
    /// The change to a list.
    public subscript(list: PhotoList) -> FieldChange<[String]> {
        get { content.lists[list] }
        set { content.lists[list] = newValue }
    }
    /// The change to a flag; `false` has the effect of ``FieldChange/clear``.
    public subscript(flag: PhotoFlag) -> FieldChange<Bool> {
        get { content.flags[flag] }
        set { content.flags[flag] = newValue }
    }

    /// The record as the whole photo: it clears the fields that it does not name.
    package var replacingAll: PhotoRecord {
        func whole<Value>(_ change: FieldChange<Value>) -> FieldChange<Value> { change == .keep ? .clear : change }
        var content = content
        for field in PhotoField.allCases {
            switch field {
            case .size: content.size = whole(content.size)
            case .orientation: content.orientation = whole(content.orientation)
            case .takenAt: content.takenAt = whole(content.takenAt)
            case .coordinate: content.coordinate = whole(content.coordinate)
            case .color: content.color = whole(content.color)
            case .stack: content.stack = whole(content.stack)
            case .text(let text): content.texts[text] = whole(self[text])
            case .number(let number): content.numbers[number] = whole(self[number])
            case .list(let list): content.lists[list] = whole(self[list])
            case .flag(let flag): content.flags[flag] = whole(self[flag])
            }
        }
        return PhotoRecord(content)
    }

    /// Checks the length of each text that the record sets, that none contains U+0000, and the range of each number.
    ///
    /// - Throws: ``ModelError`` that names the field.
    public func check() throws(ModelError) {
        for text in PhotoText.allCases {
            if case .set(let value) = self[text] { try text.check(value) }
        }
        for number in PhotoNumber.allCases {
            if case .set(let value) = self[number] { try number.check(value) }
        }
        for list in PhotoList.allCases {
            if case .set(let texts) = self[list] { try list.check(texts) }
        }
    }
}
