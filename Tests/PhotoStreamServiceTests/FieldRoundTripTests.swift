import Foundation
import PhotoStreamImport
import PhotoStreamModel
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

/// Every field, written as an answer or an export and read back by an import.
@Suite struct FieldRoundTripTests {
    private let id = PhotoID(stored: "a")

    private func read(_ text: String, as name: String) async throws -> PhotoRecord? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fields-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        let reader = try RecordReader(paths: [file.path], options: ImportOptions())
        let batch = try await reader.nextBatch(limit: 10)
        #expect(batch?.warnings == [] && batch?.rejects == [])
        return batch?.records.first
    }

    @Test(arguments: PhotoField.allCases, [false, true])
    func `a photo's JSON is imported unchanged`(field: PhotoField, isSecond: Bool) async throws {
        let photo = Photo.applying(
            try PhotoRecord(id: id, setting: field, isSecond: isSecond), to: nil, by: .importer)
        let json = String(decoding: JSONWriter.bytes { $0.value(photo) }, as: UTF8.self)
        let record = try #require(try await read(json, as: "p.jsonl"))
        #expect(Photo.applying(record, to: nil, by: .importer) == photo)
    }

    @Test(arguments: PhotoField.allCases)
    func `an export keeps the sources of fields`(field: PhotoField) async throws {
        let given = try PhotoRecord(id: id, setting: field)
        let ofFile = Photo.applying(given, to: nil, by: .file)
        let edit = try PhotoRecord(id: id, setting: field, isSecond: true)
        let photos: [Photo] = [
            ofFile, .applying(PhotoRecord(id: id, clearing: field), to: ofFile, by: .importer),
            .applying(edit, to: ofFile, by: .person),
            .applying(PhotoRecord(id: id, clearing: field), to: ofFile, by: .person),
            .applying(edit, to: ofFile, by: .importer),
        ]
        #expect(photos[0].fileFields == PhotoFields(field) && photos[1].clearedFields == PhotoFields(field))
        for photo in photos {
            let json = String(decoding: JSONWriter.bytes { $0.value(photo) }, as: UTF8.self)
            #expect(json.contains("fileFields") == !photo.fileFields.isEmpty)
            #expect(json.contains("clearedFields") == !photo.clearedFields.isEmpty)
            let export = #"{"photostreamExport":1,"order":"newest"}"# + "\n" + json
            let record = try #require(try await read(export, as: "p.jsonl"))
            #expect(Photo.applying(record, to: nil, by: .importer) == photo)
            // Outside an export, the members mean nothing.
            let other = try #require(try await read(json, as: "p.jsonl"))
            #expect(Photo.applying(other, to: nil, by: .importer).fileFields.isEmpty)
        }
    }

    @Test(arguments: PhotoField.allCases, [false, true])
    func `cells with the same names are read like JSON, and empty ones clear`(
        field: PhotoField, isSecond: Bool
    ) async throws {
        let set = try PhotoRecord(id: id, setting: field, isSecond: isSecond)
        let photo = Photo.applying(set, to: nil, by: .importer)
        let json = try JSONSerialization.jsonObject(with: Data(JSONWriter.bytes { $0.value(photo) })) as? [String: Any]
        let members = field.row.members.map(\.description)
        let cells = try members.map { member in
            // The rank of a cover is left out, and so is the second value of a Boolean.
            if member == "stackRank" || field.isFlag && isSecond, json?[member] == nil { return "" }
            let value = try #require(json?[member])
            let text = try (value as? [String]).map { try JSONSerialization.data(withJSONObject: $0).text }
            return "\"" + (text ?? "\(value)").replacingOccurrences(of: "\"", with: "\"\"") + "\""
        }
        let header = (["id"] + members).joined(separator: ",") + "\n"
        let record = try #require(try await read(header + (["a"] + cells).joined(separator: ","), as: "p.csv"))
        #expect(Photo.applying(record, to: nil, by: .importer) == photo)
        let empty = ["a"] + members.map { _ in "" }
        #expect(
            try await read(header + empty.joined(separator: ","), as: "p.csv") == PhotoRecord(id: id, clearing: field))
    }

    @Test func `an item shows each requested field under the name of its member`() {
        let names = ItemField.allCases.map(\.rawValue)
        #expect(Set(names).count == names.count && names.count <= 64)
        for field in PhotoField.allCases where field != .size {
            for member in field.row.members { #expect(ItemField(rawValue: member.description) != nil, "\(member)") }
        }
        for field in PhotoField.allCases {
            #expect(ImportField.fields(of: field).map(\.rawValue) == field.row.members.map(\.description))
        }
        #expect(ImportField.allCases.count == Set(ImportField.allCases.map(\.rawValue)).count)
    }
}

extension Data {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
