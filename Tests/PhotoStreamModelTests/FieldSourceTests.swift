import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamModel

/// The order of sources, for every field: person over metadata record over the picture's file.
@Suite struct FieldSourceTests {
    private static let id = PhotoID(stored: "a")

    /// A write to one field; `nil` means no value, and a record may also lack the field.
    private enum Step: CustomStringConvertible {
        case file(second: Bool?)
        case record(second: Bool?)
        case silentRecord
        case edit(second: Bool?)
        case reset

        var description: String {
            switch self {
            case .file(let value): "file \(value.map { $0 ? "2" : "1" } ?? "-")"
            case .record(let value): "record \(value.map { $0 ? "2" : "1" } ?? "null")"
            case .silentRecord: "record without it"
            case .edit(let value): "edit \(value.map { $0 ? "2" : "1" } ?? "null")"
            case .reset: "reset"
            }
        }

        static func random(_ random: inout SplitMix64) -> Step {
            let value: Bool? = random.element(of: [nil, false, true])
            return switch random.int(in: 0...9) {
            case 0...3: .file(second: value)
            case 4...6: .record(second: value)
            case 7: .silentRecord
            case 8: .edit(second: value)
            default: .reset
            }
        }
    }

    /// The rules for one field of a photo that has a file, without bits.
    private struct Naive: Equatable {
        enum Owner { case none, file, record }
        var value: String?
        var owner = Owner.none
        var isCleared = false
        var isEdited = false

        /// Applies a step; `text` returns the text of a value, or `nil` if the value means none.
        mutating func apply(_ step: Step, text: (Bool) -> String?) {
            switch step {
            case .file(let second):
                guard !isEdited, !isCleared, owner != .record else { return }
                (value, owner) = second.flatMap(text).map { ($0, .file) } ?? (nil, .none)
            case .record(let second):
                guard !isEdited else { return }
                if let text = second.flatMap(text) {
                    (value, owner, isCleared) = (text, .record, false)
                } else {
                    if value != nil { isCleared = true }
                    (value, owner) = (nil, .none)
                }
            case .silentRecord: break
            case .edit(let second):
                (value, isEdited) = (second.flatMap(text), true)
            case .reset:
                guard isEdited else { return }
                (isEdited, isCleared, owner) = (false, false, value == nil ? .none : .file)
            }
        }
    }

    /// A record of the file that gives all fields, except that one may be missing or have its second value.
    private static func fileRecord(_ field: PhotoField, second: Bool?) throws -> PhotoRecord {
        var record = PhotoRecord(id: id)
        for other in PhotoField.allCases where other != field {
            record = try record.adding(PhotoRecord(id: id, setting: other), of: other)
        }
        guard let second else { return record }
        return try record.adding(PhotoRecord(id: id, setting: field, isSecond: second), of: field)
    }

    private static func applying(_ step: Step, _ field: PhotoField, to photo: Photo) throws -> Photo {
        func record(_ second: Bool?) throws -> PhotoRecord {
            try second.map { try PhotoRecord(id: id, setting: field, isSecond: $0) }
                ?? PhotoRecord(id: id, clearing: field)
        }
        return switch step {
        case .file(let second): .applying(try fileRecord(field, second: second), to: photo, by: .file)
        case .record(let second): .applying(try record(second), to: photo, by: .importer)
        case .silentRecord: .applying(PhotoRecord(id: id), to: photo, by: .importer)
        case .edit(let second): .applying(try record(second), to: photo, by: .person)
        case .reset: photo.resettingEdits(of: PhotoFields(field))
        }
    }

    /// The value of a field; `nil` if it equals that of a photo with only an id.
    private static func value(of field: PhotoField, in photo: Photo) -> String? {
        switch field {
        case .size: photo.metricsSource == .assumed ? nil : "\(photo.encodedSize)"
        case .orientation: photo.orientation == .up ? nil : "\(photo.orientation)"
        case .takenAt: photo.takenAt.map { "\($0)" }
        case .coordinate: photo.coordinate.map { "\($0)" }
        case .color: photo.color.map { "\($0)" }
        case .stack: photo.stack.map { "\($0)" }
        case .text(let text): photo[text]
        case .number(let number): photo[number].map { "\($0)" }
        case .list(let list): photo[list].isEmpty ? nil : "\(photo[list])"
        case .flag(let flag): photo[flag] ? "yes" : nil
        }
    }

    // Of several files, an import of their folder decides about a stack: a record of one file leaves it as it is.
    @Test(arguments: PhotoField.allCases.filter { $0 != .stack })
    func `any sequence of writes agrees with the ranks of their authors`(field: PhotoField) throws {
        let texts = try [false, true].map { second in
            Self.value(
                of: field,
                in: .applying(try PhotoRecord(id: Self.id, setting: field, isSecond: second), to: nil, by: .importer))
        }
        // Only a Boolean has a value that means none.
        #expect(texts.map { $0 == nil } == [false, field.isFlag])
        for seed in UInt64(0)..<60 {
            var random = SplitMix64(seed: seed)
            var photo = Photo.applying(try Self.fileRecord(field, second: nil), to: nil, by: .file)
            var naive = Naive()
            var steps: [Step] = []
            for _ in 0..<12 {
                let step = Step.random(&random)
                steps.append(step)
                let before = photo
                photo = try Self.applying(step, field, to: photo)
                naive.apply(step) { texts[$0 ? 1 : 0] }
                #expect(Self.value(of: field, in: photo) == naive.value, "\(steps)")
                #expect(photo.editedFields.contains(field) == naive.isEdited, "\(steps)")
                #expect(photo.clearedFields.contains(field) == naive.isCleared, "\(steps)")
                if !naive.isEdited {
                    #expect(photo.fileFields.contains(field) == (naive.owner == .file), "\(steps)")
                }
                for other in PhotoField.allCases where other != field {
                    #expect(Self.value(of: other, in: photo) == Self.value(of: other, in: before), "\(steps)")
                    #expect(photo.fileFields.contains(other), "\(other) in \(steps)")
                }
                // Any step that is written a second time changes nothing.
                #expect(try Self.applying(step, field, to: photo) == photo, "\(steps)")
            }
        }
    }

    @Test(arguments: PhotoField.allCases)
    func `a photo without a file has no sources`(field: PhotoField) throws {
        for seed in UInt64(0)..<40 {
            var random = SplitMix64(seed: seed)
            var photo = Photo(id: Self.id)
            for _ in 0..<12 {
                let step = Step.random(&random)
                if case .file = step { continue }
                photo = try Self.applying(step, field, to: photo)
                #expect(photo.fileFields.isEmpty && photo.clearedFields.isEmpty)
            }
        }
    }

    @Test(arguments: PhotoField.allCases)
    func `an exported state is restored in a new and in an existing photo`(field: PhotoField) throws {
        for seed in UInt64(0)..<40 {
            var random = SplitMix64(seed: seed)
            var photo = Photo.applying(try Self.fileRecord(field, second: nil), to: nil, by: .file)
            for _ in 0..<random.int(in: 0...8) { photo = try Self.applying(.random(&random), field, to: photo) }
            let record = try Self.export(photo)
            let new = Photo.applying(record, to: nil, by: .importer)
            #expect(new == photo, "\(seed)")
            #expect(Photo.applying(record, to: new, by: .importer) == photo, "\(seed)")
        }
    }

    /// The record that results from reading a photo's export: it names the fields that have a value.
    private static func export(_ photo: Photo) throws -> PhotoRecord {
        var record = PhotoRecord(id: photo.id)
        if photo.metricsSource != .assumed {
            record.size = .set(PhotoRecord.EncodedSize(photo.encodedSize, source: photo.metricsSource))
        }
        if photo.orientation != .up { record.orientation = .set(photo.orientation) }
        if let time = photo.takenAt { record.takenAt = .set(time) }
        if let place = photo.coordinate { record.coordinate = .set(place) }
        if let color = photo.color { record.color = .set(color) }
        if let place = photo.stack { record.stack = .set(place) }
        for text in PhotoText.allCases { if let value = photo[text] { record[text] = .set(value) } }
        for number in PhotoNumber.allCases { if let value = photo[number] { record[number] = .set(value) } }
        for list in PhotoList.allCases where !photo[list].isEmpty { record[list] = .set(photo[list]) }
        for flag in PhotoFlag.allCases where photo[flag] { record[flag] = .set(true) }
        record.exported = ExportedState(
            editedFields: photo.editedFields, move: nil, fileFields: photo.fileFields,
            clearedFields: photo.clearedFields, takenAtSource: photo.takenAtSource)
        return record
    }
}

extension PhotoRecord {
    /// Returns the record with a field of another one.
    fileprivate func adding(_ other: PhotoRecord, of field: PhotoField) throws -> PhotoRecord {
        var record = self
        switch field {
        case .size: record.size = other.size
        case .orientation: record.orientation = other.orientation
        case .takenAt: record.takenAt = other.takenAt
        case .coordinate: record.coordinate = other.coordinate
        case .color: record.color = other.color
        case .stack: record.stack = other.stack
        case .text(let text): record[text] = other[text]
        case .number(let number): record[number] = other[number]
        case .list(let list): record[list] = other[list]
        case .flag(let flag): record[flag] = other[flag]
        }
        return record
    }
}
