import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamModel

/// The source of a capture time is that of the write that gave the time.
@Suite struct CaptureTimeSourceTests {
    private static let id = PhotoID(stored: "a")

    private static func record(_ second: Bool?, source: FileFieldSource? = nil) throws -> PhotoRecord {
        var record = try second.map { try PhotoRecord(id: id, setting: .takenAt, isSecond: $0) } ?? PhotoRecord(id: id)
        record.takenAtSource = source
        return record
    }

    @Test func `after any sequence of writes, it is the source of the last one that set the time`() throws {
        for seed in UInt64(0)..<400 {
            var random = SplitMix64(seed: seed)
            var photo = Photo.applying(try Self.record(nil), to: nil, by: .importer)
            var expected: CaptureTimeSource?
            var steps: [String] = []
            for _ in 0..<10 {
                let second: Bool? = random.element(of: [nil, false, true])
                let source = random.element(of: FileFieldSource.allCases)
                switch random.int(in: 0...4) {
                case 0:
                    let isEdited = photo.editedFields.contains(.takenAt)
                    photo = .applying(try Self.record(second), to: photo, by: .importer)
                    if second != nil, !isEdited { expected = .record }
                    steps.append("record \(second as Any)")
                case 1:
                    photo = .applying(try Self.record(second), to: photo, by: .person)
                    if second != nil { expected = .person }
                    steps.append("edit \(second as Any)")
                case 2:
                    photo = .applying(PhotoRecord(id: Self.id, clearing: .takenAt), to: photo, by: .person)
                    expected = nil
                    steps.append("clear")
                case 3:
                    photo = photo.resettingEdits(of: [.takenAt])
                    steps.append("reset")
                default:
                    // The file outranks only itself and nothing.
                    let isFree =
                        !photo.editedFields.contains(.takenAt) && !photo.clearedFields.contains(.takenAt)
                        && (photo.takenAt == nil || photo.fileFields.contains(.takenAt))
                    photo = .applying(try Self.record(second, source: source), to: photo, by: .file)
                    if isFree { expected = second == nil ? nil : .file(source) }
                    steps.append("file \(second as Any) \(source)")
                }
                #expect(photo.takenAtSource == expected, "\(seed): \(steps)")
                #expect(photo.takenAt != nil || photo.takenAtSource == nil)
                #expect(PackedPhoto(photo).photo == photo)
            }
        }
    }

    @Test func `the part of a file that a record names counts for files only`() throws {
        for author in [Photo.Author.importer, .person] {
            let photo = Photo.applying(try Self.record(true, source: .fileName), to: nil, by: author)
            #expect(photo.takenAtSource == (author == .person ? .person : .record))
        }
        #expect(Photo.applying(try Self.record(true), to: nil, by: .file).takenAtSource == nil)
    }

    @Test(
        arguments: [
            ([.takenAt], [], nil, .person), ([], [.takenAt], nil, nil), ([], [.size], nil, .record),
            ([.text(.caption)], [], .file(.fileTime), .file(.fileTime)), ([.takenAt], [.takenAt], .person, .person),
            ([], [], .person, .person),
        ] as [(PhotoFields, PhotoFields, CaptureTimeSource?, CaptureTimeSource?)])
    func `an export has it, and one of version 0.2.0 implies it`(
        edited: PhotoFields, ofFile: PhotoFields, exported: CaptureTimeSource?, expected: CaptureTimeSource?
    ) throws {
        var record = try Self.record(true)
        record.exported = ExportedState(
            editedFields: edited, move: nil, fileFields: ofFile, takenAtSource: exported)
        #expect(Photo.applying(record, to: nil, by: .importer).takenAtSource == expected)
    }
}
