import Foundation
import GRDB
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Metadata that cannot be read: counted, shown, and read again.
@Suite struct FileWarningTests {
    private let folder: TextFolder

    init() throws { folder = try TextFolder() }

    private func state(_ id: String) throws -> PhotoFileState {
        try folder.service.read { try $0.fileState(of: PhotoID(stored: id), in: TextFolder.stream) }
    }

    private func change(_ sql: String) throws {
        try DatabaseQueue(path: folder.temporary.path).write { try $0.execute(sql: sql) }
    }

    @Test func `warnings are counted by kind, in each import and in the file`() async throws {
        try folder.write("a.jpg", "P 4 3\nwarning damaged", seconds: 100_000)
        try folder.write("b.jpg", "P 4 3\nwarning damaged\nwarning damaged\nwarning sidecar", seconds: 100_000)
        try folder.write("c.jpg", "P 4 3", seconds: 100_000)
        for _ in 0..<2 {
            #expect(try await folder.run().folders.warnings == [.damaged: 2, .sidecar: 1])
            let status = try folder.service.pictureStatus()
            #expect(status.streams.map(\.warnings) == [[.damaged: 2, .sidecar: 1]])
        }
        #expect(try state("a.jpg") == PhotoFileState(warnings: [.damaged]))
        #expect(try state("b.jpg") == PhotoFileState(warnings: [.damaged, .sidecar]))
        #expect(try state("c.jpg") == PhotoFileState())
        try folder.remove("a.jpg")
        try folder.write("b.jpg", "P 4 3", seconds: 100_001)
        #expect(try await folder.run().folders.warnings == [:])
        #expect(try folder.service.pictureStatus().streams.map(\.warnings) == [[:]])
        #expect(try state("a.jpg") == PhotoFileState(isVanished: true, warnings: [.damaged]))
        #expect(try state("b.jpg") == PhotoFileState())
    }

    @Test func `answers change with the warnings of an unchanged photo`() async throws {
        try folder.write("a.jpg", "P 4 3", seconds: 100_000)
        try await folder.run()
        let before = try folder.service.read { try $0.pictureRevision(of: TextFolder.stream) }
        try folder.write("a.jpg", "P 4 3\nwarning exifToolFailed", seconds: 100_000)
        try await folder.run()
        #expect(try folder.service.read { try $0.pictureRevision(of: TextFolder.stream) } != before)
    }

    @Test func `files that an earlier reader read are read again, once`() async throws {
        try folder.write("a.jpg", "P 4 3", seconds: 100_000)
        try folder.write("b.txt.jpg", "no picture", seconds: 100_000)
        try folder.write("c.jpg", "bad", seconds: 100_000)
        try await folder.run()
        _ = folder.pictures.takeOpened()
        try await folder.run()
        #expect(folder.pictures.takeOpened() == [])
        try change("UPDATE pictureFile SET reader = 0")
        try await folder.run()
        #expect(folder.pictures.takeOpened() == ["a/a.jpg", "a/b.txt.jpg", "a/c.jpg"].map { String($0.dropFirst(2)) })
        try await folder.run()
        #expect(folder.pictures.takeOpened() == [])
    }

    @Test func `files of which exiftool failed are read again with retry`() async throws {
        try folder.write("a.jpg", "P 4 3\nwarning exifToolFailed", seconds: 100_000)
        try folder.write("b.jpg", "P 4 3\nwarning damaged", seconds: 100_000)
        try await folder.run()
        _ = folder.pictures.takeOpened()
        try await folder.run()
        #expect(folder.pictures.takeOpened() == [])
        folder.options.retriesFailures = true
        try await folder.run()
        #expect(folder.pictures.takeOpened() == ["a.jpg"])
    }

    @Test func `a name that only adds milliseconds does not make a date a guess`() async throws {
        try folder.write("IMG_20231104_153012345.jpg", "P 4 3\ntakenAt 1699111812000", seconds: 100_000)
        try folder.write("IMG_20231104_153013345.jpg", "P 4 3\ntakenAt 1699111812000", seconds: 100_000)
        try await folder.run()
        let (first, second) = (
            try #require(try folder.photo("IMG_20231104_153012345.jpg")),
            try #require(try folder.photo("IMG_20231104_153013345.jpg"))
        )
        #expect(first.takenAt?.description == "2023-11-04T15:30:12.345" && first.takenAtSource == .file(.embedded))
        #expect(second.takenAt?.description == "2023-11-04T15:30:12" && second.takenAtSource == .file(.embedded))
    }

    @Test(.enabled(if: ProgramSearch.path(of: "exiftool") != nil, "exiftool is missing"))
    func `files that were read without exiftool are read again with it`() async throws {
        try folder.write("a.jpg", "P 4 3\nwarning withoutExifTool", seconds: 100_000)
        try folder.write("b.jpg", "P 4 3\nwarning damaged", seconds: 100_000)
        try folder.write("c.mkv", "film", seconds: 100_000)
        try folder.write("d.mkv", "bad", seconds: 100_000)
        try await folder.run()
        _ = folder.pictures.takeOpened()
        try await folder.run()
        #expect(folder.pictures.takeOpened() == ["a.jpg", "c.mkv"])
    }

    @Test(
        arguments: [
            (1_699_108_212_000, nil, "2023-11-04T15:30:12+01:00"),
            (1_699_108_212_000, 1_699_111_812_000, "2023-11-04T15:30:12"),
            // A clock that was never set.
            (3_600_000, nil, "2001-09-09T03:46:40.000+02:00"), (-86_400_000, nil, "1969-12-31T01:00:00+01:00"),
        ] as [(Int64, Int64?, String)])
    func `the instant of a video is shown as the clock of this machine showed it`(
        instant: Int64, local: Int64?, expected: String
    ) throws {
        var metadata = PictureMetadata()
        metadata.instant = instant
        metadata.takenAt = try local.map {
            try CaptureTime(milliseconds: $0, utcOffsetMinutes: nil, precision: .second)
        }
        let header = PictureHeader(
            format: .video, size: try PixelSize(width: 4, height: 3), orientation: .up, embedded: metadata)
        let record = FileRecord(
            id: PhotoID(stored: "a"), path: "a.mp4", header: header, modifiedNanoseconds: 1_000_000_000_000_000_000,
            zone: try #require(TimeZone(identifier: "Europe/Berlin"))
        ).record
        guard case .set(let time) = record.takenAt else {
            Issue.record("no time")
            return
        }
        #expect(time.description == expected)
    }
}
