/// The stored metadata of a photo.
///
///     var edit = PhotoRecord(id: photo.id)
///     edit.caption = .clear
///     let edited = Photo.applying(edit, to: photo, by: .person)
///     let isProtected = edited.editedFields.contains(.text(.caption))  // imports leave the caption alone
@dynamicMemberLookup
public struct Photo: Hashable, Sendable {
    /// The origin of a caption.
    public enum CaptionSource: UInt8, Sendable {
        /// An import.
        case imported = 0
        /// A person, by an edit.
        case person = 1

        /// The JSON value.
        public var name: String {
            switch self {
            case .imported: "import"
            case .person: "person"
            }
        }
    }

    /// The external id.
    public var id: PhotoID
    /// The displayed size, with orientation applied.
    public var pixelSize: PixelSize
    /// The origin of the size.
    public var metricsSource: MetricsSource
    /// The raw orientation of the file.
    public var orientation: Orientation
    /// The capture time.
    public var takenAt: CaptureTime?
    /// The source of the capture time; `nil` without one, or if it is unknown.
    public var takenAtSource: CaptureTimeSource?
    /// The caption's origin; `nil` without a caption.
    public var captionSource: CaptionSource?
    /// The coordinate at which it was taken.
    public var coordinate: Coordinate?
    /// The colour shown until the image is loaded.
    public var color: RGBColor?
    /// The place in a stack.
    public var stack: StackPlace?
    /// The texts.
    @usableFromInline var texts = PerText<String?>(repeating: nil)
    /// The numbers, in units of their last decimal place.
    @usableFromInline var numbers = PerNumber<Int?>(repeating: nil)
    /// The lists.
    @usableFromInline var lists = PerList<[String]>(repeating: [])
    /// The flags.
    @usableFromInline var flags = PerFlag<Bool>(repeating: false)
    /// The fields that a person edited; they outrank every import.
    public var editedFields: PhotoFields
    /// The fields whose value came from the picture's file or its sidecar, below any edit of a person.
    public var fileFields: PhotoFields
    /// The fields that a metadata record cleared after the file had given them; the file does not set them again.
    public var clearedFields: PhotoFields

    /// Creates a photo with only an id.
    ///
    /// Its size is assumed: 3 by 2.
    public init(id: PhotoID) {
        self.id = id
        pixelSize = .assumed
        metricsSource = .assumed
        orientation = .up
        (editedFields, fileFields, clearedFields) = (PhotoFields(), PhotoFields(), PhotoFields())
    }

    /// A text.
    @inlinable
    public subscript(text: PhotoText) -> String? {
        get { texts[text] }
        set { texts[text] = newValue }
    }

    /// A number, in units of its last decimal place.
    @inlinable
    public subscript(number: PhotoNumber) -> Int? {
        get { numbers[number] }
        set { numbers[number] = newValue }
    }

    /// A list of texts, in order.
    @inlinable
    public subscript(list: PhotoList) -> [String] {
        get { lists[list] }
        set { lists[list] = newValue }
    }

    /// Whether a flag is set.
    @inlinable
    public subscript(flag: PhotoFlag) -> Bool {
        get { flags[flag] }
        set { flags[flag] = newValue }
    }

    /// A text, by its name: `photo.title`.
    @inlinable
    public subscript(dynamicMember text: WritableKeyPath<PerText<String?>, String?>) -> String? {
        get { texts[keyPath: text] }
        set { texts[keyPath: text] = newValue }
    }

    /// A number, by its name: `photo.rating`.
    @inlinable
    public subscript(dynamicMember number: WritableKeyPath<PerNumber<Int?>, Int?>) -> Int? {
        get { numbers[keyPath: number] }
        set { numbers[keyPath: number] = newValue }
    }

    /// A list, by its name: `photo.tags`.
    @inlinable
    public subscript(dynamicMember list: WritableKeyPath<PerList<[String]>, [String]>) -> [String] {
        get { lists[keyPath: list] }
        set { lists[keyPath: list] = newValue }
    }

    /// Whether a flag is set, by its name: `photo.isFavourite`.
    @inlinable
    public subscript(dynamicMember flag: WritableKeyPath<PerFlag<Bool>, Bool>) -> Bool {
        get { flags[keyPath: flag] }
        set { flags[keyPath: flag] = newValue }
    }

    /// Returns the properties that a layout uses, with the date of the photo's place in the stream.
    public func itemMetrics(at date: OrderDate) -> ItemMetrics {
        ItemMetrics(
            pixelSize: pixelSize, hasCaption: texts.caption.map { !$0.isBlank } ?? false, orderDate: date,
            position: coordinate.map(WorldPosition.init))
    }

    /// The size of the image file itself, before orientation is applied.
    ///
    /// Exports write this size.
    public var encodedSize: PixelSize { pixelSize.applying(orientation) }
}

extension Photo {
    /// The author of a record.
    public enum Author: Hashable, Sendable {
        /// An import. Fields that a person edited stay as they are.
        case importer
        /// The picture's file with its sidecar. A field that the record lacks has no value in either.
        case file
        /// A person. The fields that the record names are marked as edited.
        case person
    }

    /// Returns the result of applying a record to a stored photo.
    ///
    /// A field that the record lacks keeps its value. Width and height are the file's own, so a new orientation also
    /// swaps the stored sides. Without any size the photo is 3 by 2 in the file's own orientation, marked as assumed.
    ///
    /// In an exported record, the fields that a person edited remain a person's: they replace even edited ones, and one
    /// that the record lacks was cleared.
    ///
    /// A picture's file ranks below both other authors: it sets only fields that have no value or one of its own, and
    /// none that a record cleared. If the file no longer provides a value of its own, the value is cleared.
    ///
    /// - Parameters:
    ///   - record: The fields to set or clear; its id becomes the photo's.
    ///   - stored: The stored photo, or `nil` for a new one.
    ///   - author: The author of the record.
    /// - Returns: The updated photo.
    public static func applying(_ record: PhotoRecord, to stored: Photo?, by author: Author) -> Photo {
        var photo = stored ?? Photo(id: record.id)
        var sources = FieldSources(of: photo, record: record, author: author)

        func apply<Value>(_ change: FieldChange<Value>, to field: PhotoField, assign: (Value?) -> Void) {
            switch sources.effect(of: change, on: field) {
            case .keep: break
            case .clear: assign(nil)
            case .set(let value): assign(value)
            }
        }

        var encodedSize = photo.encodedSize
        apply(record.size, to: .size) { size in
            encodedSize = size?.pixelSize ?? .assumed
            photo.metricsSource = size?.source ?? .assumed
        }
        apply(record.orientation, to: .orientation) { photo.orientation = $0 ?? .up }
        photo.pixelSize = encodedSize.applying(photo.orientation)
        let timeSource = sources.timeSource(given: record.takenAtSource)
        apply(record.takenAt, to: .takenAt) {
            photo.takenAt = $0
            photo.takenAtSource = $0 == nil ? nil : timeSource
        }
        apply(record.coordinate, to: .coordinate) { photo.coordinate = $0 }
        apply(record.color, to: .color) { photo.color = $0 }
        apply(record.stack, to: .stack) { photo.stack = $0 }
        for text in PhotoText.allCases { apply(record[text], to: .text(text)) { photo[text] = $0 } }
        for number in PhotoNumber.allCases { apply(record[number], to: .number(number)) { photo[number] = $0 } }
        for list in PhotoList.allCases { apply(record[list], to: .list(list)) { photo[list] = $0 ?? [] } }
        for flag in PhotoFlag.allCases { apply(record[flag], to: .flag(flag)) { photo[flag] = $0 ?? false } }
        if sources.named.contains(.text(.caption)) {
            if photo.caption?.isBlank == true { photo.caption = nil }
            let isPersons = author == .person || sources.restored.contains(.text(.caption))
            photo.captionSource = photo.caption == nil ? nil : isPersons ? .person : .imported
        }
        photo.editedFields.formUnion(author == .person ? sources.named : sources.restored)
        sources.note(in: &photo)
        return photo
    }
}

extension String {
    /// Whether it contains only white space, judged by Unicode scalar, as SQL's `trim` does.
    package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
