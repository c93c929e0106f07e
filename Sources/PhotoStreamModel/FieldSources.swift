/// The part of a picture's file that gave a field its value, from the weakest to the strongest.
public enum FileFieldSource: String, CaseIterable, Sendable {
    /// The modification time of the file.
    case fileTime
    /// The name of the file.
    case fileName
    /// Metadata in the file.
    case embedded
    /// A sidecar of the file.
    case sidecar
}

extension Photo {
    /// Whether a picture's file has provided any field, even one that was cleared since, so that sources are kept.
    @usableFromInline var hasFile: Bool { !(fileFields.isEmpty && clearedFields.isEmpty) }

    /// The fields that have a value of their own.
    var valuedFields: PhotoFields {
        var fields = PhotoFields()
        for field in PhotoField.allCases where hasValue(of: field) { fields.insert(field) }
        return fields
    }

    /// Whether a field has a value of its own, other than in a photo with only an id.
    package func hasValue(of field: PhotoField) -> Bool {
        switch field {
        case .size: metricsSource != .assumed
        case .orientation: orientation != .up
        case .takenAt: takenAt != nil
        case .coordinate: coordinate != nil
        case .color: color != nil
        case .stack: stack != nil
        case .text(let text): self[text] != nil
        case .number(let number): self[number] != nil
        case .list(let list): !self[list].isEmpty
        case .flag(let flag): self[flag]
        }
    }
}

/// The rules by which a record may change the fields of a stored photo: person over metadata record over file.
struct FieldSources {
    private let author: Photo.Author
    private let exported: ExportedState?
    /// The fields that had a value before the record; empty if no rule needs them.
    private let valued: PhotoFields
    /// The fields that a picture's file had provided.
    private let fileFields: PhotoFields
    /// The fields that a metadata record had cleared after the file had given them.
    private let clearedFields: PhotoFields
    /// The fields that the record may not change.
    private let locked: PhotoFields
    /// The fields that a person edited in the stream that was exported.
    let restored: PhotoFields
    /// The fields that the record has set or cleared.
    private(set) var named = PhotoFields()
    /// The orientation, if a picture's file provided it; it is the file's even if it equals that of a photo without
    /// one.
    private var given = PhotoFields()

    /// Collects the rules for a record.
    ///
    /// - Parameters:
    ///   - stored: The photo before it, which has only an id if it is new.
    ///   - record: The record.
    ///   - author: Its author.
    init(of stored: borrowing Photo, record: PhotoRecord, author: Photo.Author) {
        self.author = author
        exported = author == .importer ? record.exported : nil
        restored = exported?.editedFields ?? PhotoFields()
        locked = author == .person ? PhotoFields() : stored.editedFields.subtracting(restored)
        (fileFields, clearedFields) = (stored.fileFields, stored.clearedFields)
        valued = author == .file || stored.hasFile ? stored.valuedFields : PhotoFields()
    }

    /// Whether the photo before the record had a file.
    private var hasFile: Bool { !(fileFields.isEmpty && clearedFields.isEmpty) }

    /// Returns the source of a capture time that the record sets.
    ///
    /// - Parameter given: The part of the picture's file that gave it to the record.
    /// - Returns: The source; `nil` if it is unknown.
    func timeSource(given: FileFieldSource?) -> CaptureTimeSource? {
        switch author {
        case .person: return .person
        case .file: return given.map { .file($0) }
        case .importer:
            guard let exported else { return .record }
            if let source = exported.takenAtSource { return source }
            // An export of version 0.2.0 does not contain the source.
            if restored.contains(.takenAt) { return .person }
            return exported.fileFields.contains(.takenAt) ? nil : .record
        }
    }

    /// Returns the change that a record may make to a field, and records it.
    mutating func effect<Value>(of change: FieldChange<Value>, on field: PhotoField) -> FieldChange<Value> {
        // Most fields of most records: the record does not contain it, and nothing else decides.
        if case .keep = change, author != .file, exported == nil { return .keep }
        guard !locked.contains(field) else { return .keep }
        // The import of a folder decides about its files together.
        if field == .stack, author == .file, change == .keep { return .keep }
        var effect = change
        if author == .file {
            guard !clearedFields.contains(field) else { return .keep }
            if fileFields.contains(field) {
                if change == .keep { effect = .clear }
            } else if change == .clear || valued.contains(field) {
                effect = .keep
            }
        } else if change == .keep, restored.contains(field) || exported?.clearedFields.contains(field) == true {
            effect = .clear
        }
        guard effect != .keep else { return .keep }
        named.insert(field)
        if field == .orientation, effect != .clear { given.insert(field) }
        return effect
    }

    /// Writes down the sources of the fields, after all changes.
    func note(in photo: inout Photo) {
        guard author != .person, author == .file || hasFile || exported != nil else { return }
        for field in PhotoField.allCases where named.contains(field) {
            let hasValue = photo.hasValue(of: field)
            let hadFileValue = photo.fileFields.remove(field) != nil
            if author == .file {
                if hasValue || given.contains(field) { photo.fileFields.insert(field) }
            } else if hasValue {
                photo.clearedFields.remove(field)
            } else if hadFileValue || hasFile && valued.contains(field) {
                photo.clearedFields.insert(field)
            }
        }
        guard let exported else { return }
        for field in PhotoField.allCases where !locked.contains(field) {
            // An export also leaves out fields without a value.
            let isAsExported = named.contains(field) || !photo.hasValue(of: field)
            if isAsExported, exported.fileFields.contains(field) { photo.fileFields.insert(field) }
            if isAsExported, exported.clearedFields.contains(field) { photo.clearedFields.insert(field) }
        }
    }
}
