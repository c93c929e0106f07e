import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// Imports of folders, with files that are text, so that each outcome is known.
@Suite struct FolderImportTests {
    private let folder: TextFolder

    init() throws {
        folder = try TextFolder()
    }

    @Test func `every picture becomes a photo whose id and location are its path`() async throws {
        try folder.write("one.jpg", "P 40 30\ncaption One\nrating 3\ntags sea,place/Rome\ntakenAt 86400000")
        try folder.write("sub/two.png", "P 10 20", seconds: 1_000_000)
        try folder.write("notes.jpg", "hello")
        let progress = try await folder.run()
        #expect(progress.totals.inserted == 2 && progress.totals.read == 2 && progress.folders.ignored == 1)
        let one = try #require(try folder.photo("one.jpg"))
        #expect(one.pixelSize == (try PixelSize(width: 40, height: 30)) && one.location == "one.jpg")
        #expect(one.caption == "One" && one.rating == 3 && one.tags == ["sea", "place/Rome"])
        #expect(one.takenAt?.milliseconds == 86_400_000)
        let two = try #require(try folder.photo("sub/two.png"))
        #expect(two.location == "sub/two.png" && two.takenAt?.milliseconds == 1_000_000_000)
        #expect(two.takenAt?.utcOffsetMinutes != nil)
        let roots = try folder.service.roots()
        #expect(roots.map(\.path) == [folder.path("a")] && roots.first?.stream == TextFolder.stream)
    }

    @Test func `a capture time has the source that gave it, and keeps it if it outranks the file`() async throws {
        try folder.write("own.jpg", "P 40 30\ntakenAt 86400000")
        try folder.write("beside.jpg", "P 40 30\ntakenAt 86400000")
        try folder.write("beside.xmp", "takenAt 96400000")
        try folder.write("IMG_20190807_101112.jpg", "P 40 30")
        try folder.write("none.jpg", "P 40 30", seconds: 1_000_000)
        try await folder.run()
        let names = ["own.jpg", "beside.jpg", "IMG_20190807_101112.jpg", "none.jpg"]
        func sources() throws -> [CaptureTimeSource?] { try names.map { try folder.photo($0)?.takenAtSource } }
        #expect(try sources() == [.file(.embedded), .file(.sidecar), .file(.fileName), .file(.fileTime)])
        var edit = PhotoRecord(id: PhotoID(stored: "none.jpg"))
        edit.takenAt = .set(try CaptureTime(milliseconds: 5, utcOffsetMinutes: nil, precision: .second))
        try folder.service.edit(edit, in: TextFolder.stream)
        // The file now has a date of its own, which the edit outranks; that of the other replaces the guess.
        try folder.write("none.jpg", "P 40 30\ntakenAt 86400000", seconds: 2_000_000)
        try folder.write("IMG_20190807_101112.jpg", "P 40 30\ntakenAt 86400000", seconds: 2_000_000)
        try await folder.run()
        #expect(try sources() == [.file(.embedded), .file(.sidecar), .file(.embedded), .person])
    }

    /// The photo's picture as a single answer and as a page show it.
    private func shown(_ id: String) throws -> ShownPicture? {
        let id = PhotoID(stored: id)
        return try folder.service.read { session in
            let alone = try session.picture(of: id, in: TextFolder.stream)
            let page = try session.photos(of: TextFolder.stream, limit: 100)
            let position = try #require(page.photos.firstIndex { $0.id == id })
            #expect(page.pictures[position] == alone)
            return alone
        }
    }

    @Test func `the preview in a header is shown until the picture is decoded`() async throws {
        try folder.write("one.jpg", "P 40 30\npreview 7", seconds: 10)
        try folder.write("two.jpg", "P 40 30", seconds: 10)
        try await folder.run()
        #expect(try shown("two.jpg") == nil)
        let before = try #require(try shown("one.jpg"))
        #expect(before.key == nil && before.placeholderBytes == [7] && before.color == RGBColor(rawValue: 7))
        #expect(try folder.service.read { try $0.stream(TextFolder.stream) }.pictures.pendingCount == 2)
        // A run that reads nothing keeps it. A changed file has another, even if the fields of its photo are the same.
        try await folder.run()
        #expect(try shown("one.jpg") == before)
        let revision = try folder.service.read { try $0.pictureRevision(of: TextFolder.stream) }
        try folder.write("one.jpg", "P 40 30\npreview 9", seconds: 11)
        try await folder.run()
        #expect(try shown("one.jpg")?.placeholderBytes == [9])
        if !folder.service.isReplica {
            #expect(try folder.service.read { try $0.pictureRevision(of: TextFolder.stream) } > revision)
        }
        // It is not that of the photo in another orientation, nor with another location.
        var record = PhotoRecord(id: PhotoID(stored: "one.jpg"))
        record.orientation = .set(.right)
        try folder.service.edit(record, in: TextFolder.stream)
        #expect(try shown("one.jpg") == nil)
        record.orientation = .set(.up)
        try folder.service.edit(record, in: TextFolder.stream)
        #expect(try shown("one.jpg")?.placeholderBytes == [9])
        record.orientation = .keep
        record.location = .set("two.jpg")
        try folder.service.edit(record, in: TextFolder.stream)
        #expect(try shown("one.jpg") == nil)
        record.location = .set("one.jpg")
        try folder.service.edit(record, in: TextFolder.stream)
        // The decode replaces it; so does a version without a preview.
        try folder.decode("one.jpg")
        #expect(try shown("one.jpg")?.key != nil && shown("one.jpg")?.placeholderBytes != [9])
        try folder.write("one.jpg", "P 40 30", seconds: 12)
        try await folder.run()
        #expect(try shown("one.jpg") == nil)
    }

    @Test func `a file name provides the time if the file has none`() async throws {
        try folder.write("IMG_20231104_153012.jpg", "P 4 3", seconds: 5)
        try folder.write("IMG_20231104_153013.jpg", "P 4 3\ntakenAt 1000", seconds: 5)
        try await folder.run()
        #expect(try folder.photo("IMG_20231104_153012.jpg")?.takenAt?.description == "2023-11-04T15:30:12")
        #expect(try folder.photo("IMG_20231104_153013.jpg")?.takenAt?.milliseconds == 1_000)
    }

    @Test func `a second run opens no file and finds everything unchanged`() async throws {
        for number in 0..<700 { try folder.write("\(number % 7)/\(number).jpg", "P \(number + 1) 30") }
        try folder.write("bad.jpg", "bad")
        try folder.write("text.jpg", "no picture")
        let first = try await folder.run()
        #expect(first.totals.inserted == 700 && first.totals.rejected == 1 && first.folders.ignored == 1)
        #expect(first.fileCount == 702 && first.doneCount == 702)
        #expect(folder.pictures.takeOpened().count == 702)
        let second = try await folder.run()
        #expect(folder.pictures.takeOpened() == [])
        #expect(second.totals.unchanged == 700 && second.totals.rejected == 1 && second.folders.ignored == 1)
        #expect(second.notices.filter { $0.kind == .rejected }.map(\.reason) == ["it is cut off"])
        #expect(try folder.service.roots().count == 1)
    }

    @Test func `a failed file is read again after a change, or with the option`() async throws {
        try folder.write("bad.jpg", "bad", seconds: 10)
        try await folder.run()
        #expect(folder.pictures.takeOpened() == ["bad.jpg"])
        folder.options.retriesFailures = true
        #expect(try await folder.run().totals.rejected == 1)
        #expect(folder.pictures.takeOpened() == ["bad.jpg"])
        folder.options.retriesFailures = false
        try folder.write("bad.jpg", "P 4 3", seconds: 11)
        #expect(try await folder.run().totals.inserted == 1)
    }

    @Test func `a sidecar outranks the file, which applies again without it`() async throws {
        try folder.write("a.jpg", "P 4 3\ncaption From the file\nrating 1")
        try await folder.run()
        try folder.write("a.jpg.xmp", "caption From the sidecar", seconds: 10)
        #expect(try await folder.run().totals.updated == 1)
        #expect(try folder.photo("a.jpg")?.caption == "From the sidecar")
        #expect(try folder.photo("a.jpg")?.rating == 1)
        try folder.write("a.jpg.xmp", "caption Another", seconds: 11)
        #expect(try await folder.run().totals.updated == 1)
        #expect(try folder.photo("a.jpg")?.caption == "Another")
        try folder.remove("a.jpg.xmp")
        #expect(try await folder.run().totals.updated == 1)
        #expect(try folder.photo("a.jpg")?.caption == "From the file")
        try folder.write("a.jpg", "P 4 3\nrating 1", seconds: 12)
        #expect(try await folder.run().totals.updated == 1)
        #expect(try folder.photo("a.jpg")?.caption == nil)
    }

    @Test func `a metadata record outranks the file, and a person outranks both`() async throws {
        try folder.write("a.jpg", "P 4 3\ncaption File\nrating 1\ntags x", seconds: 1)
        try folder.write("b.jpg", "P 4 3\ncaption File", seconds: 1)
        try await folder.run()
        var record = PhotoRecord(id: PhotoID(stored: "a.jpg"))
        record.caption = .set("Record")
        record.tags = .clear
        try folder.service.edit(record, in: TextFolder.stream, by: .importer)
        try folder.edit("b.jpg", caption: "Person")
        try folder.write("a.jpg", "P 4 3\ncaption File again\nrating 2\ntags y", seconds: 2)
        try folder.write("b.jpg", "P 4 3\ncaption File again\nrating 2", seconds: 2)
        #expect(try await folder.run().totals.updated == 2)
        let (a, b) = (try folder.photo("a.jpg"), try folder.photo("b.jpg"))
        #expect(a?.caption == "Record" && a?.rating == 2 && a?.tags == [])
        #expect(b?.caption == "Person" && b?.rating == 2)
    }

    @Test func `a moved file keeps its edits`() async throws {
        try folder.write("a.jpg", "P 4 3\ncaption File", seconds: 1)
        try folder.write("b.jpg", "P 5 3", seconds: 1)
        try await folder.run()
        try folder.edit("a.jpg", caption: "Person")
        _ = folder.pictures.takeOpened()
        try folder.move("a.jpg", to: "sub/deep/a.jpg")
        let progress = try await folder.run()
        #expect(progress.folders.moved == 1 && progress.folders.vanished == 0 && progress.totals.updated == 1)
        #expect(progress.notices.map(\.kind) == [.moved] && progress.notices.first?.reason == "it was \"a.jpg\"")
        #expect(try folder.ids() == ["b.jpg", "sub/deep/a.jpg"])
        let moved = try folder.photo("sub/deep/a.jpg")
        #expect(moved?.caption == "Person" && moved?.location == "sub/deep/a.jpg")
        #expect(folder.pictures.takeHashed() == [])
        #expect(try await folder.run().totals.unchanged == 2)
    }

    @Test func `a renamed file with known content is found by its content`() async throws {
        try folder.write("a.jpg", "P 4 3\ncaption A", seconds: 1)
        try folder.write("b.jpg", "P 5 3\ncaption B", seconds: 1)
        try await folder.run()
        for id in ["a.jpg", "b.jpg"] {
            try folder.edit(id, caption: "Person \(id)")
            try folder.decode(id)
        }
        try folder.move("a.jpg", to: "x.jpg")
        try folder.move("b.jpg", to: "y.jpg")
        // Copied by a program that does not keep the time.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 99)], ofItemAtPath: folder.path("a/y.jpg"))
        // A file of the same length with another content.
        try folder.write("z.jpg", "P 6 3\ncaption C", seconds: 1)
        let progress = try await folder.run()
        #expect(progress.folders.moved == 2 && progress.totals.inserted == 1 && progress.folders.vanished == 0)
        #expect(try folder.photo("x.jpg")?.caption == "Person a.jpg")
        #expect(try folder.photo("y.jpg")?.caption == "Person b.jpg")
        #expect(try folder.photo("z.jpg")?.caption == "C")
        #expect(folder.pictures.takeHashed() == ["x.jpg", "y.jpg", "z.jpg"])
    }

    @Test func `missing files are counted, and their photos remain until they are pruned`() async throws {
        for name in ["a.jpg", "b.jpg", "sub/c.jpg"] { try folder.write(name, "P 4 3", seconds: 1) }
        try await folder.run()
        try folder.remove("a.jpg")
        try folder.remove("sub")
        for _ in 0..<2 {
            let progress = try await folder.run()
            #expect(progress.folders.vanished == 2 && progress.folders.pruned == 0)
            #expect(progress.notices.map(\.kind) == [.vanished, .vanished])
        }
        #expect(try folder.ids() == ["a.jpg", "b.jpg", "sub/c.jpg"])
        // One is there again.
        try folder.write("a.jpg", "P 4 3", seconds: 1)
        _ = folder.pictures.takeOpened()
        let again = try await folder.run()
        #expect(again.folders.vanished == 1 && again.totals.unchanged == 2)
        #expect(folder.pictures.takeOpened() == [])
        folder.options.prunesVanished = true
        let pruned = try await folder.run()
        #expect(pruned.folders.pruned == 1 && pruned.folders.vanished == 0)
        #expect(try folder.ids() == ["a.jpg", "b.jpg"])
        #expect(try await folder.run().folders.pruned == 0)
    }

    @Test func `a folder that is empty or missing changes nothing`() async throws {
        try folder.write("a.jpg", "P 4 3")
        try await folder.run()
        folder.options.prunesVanished = true
        try folder.remove("a.jpg")
        await #expect(throws: FolderImportError.empty(folder.path("a"))) { try await folder.run() }
        try FileManager.default.removeItem(atPath: folder.path("a"))
        await #expect(throws: RootError.self) { try await folder.run() }
        #expect(try folder.ids() == ["a.jpg"])
    }

    @Test func `a deleted photo remains deleted unless it is restored`() async throws {
        let id = PhotoID(stored: "a.jpg")
        try folder.write("a.jpg", "P 4 3", seconds: 1)
        try folder.write("b.jpg", "P 4 3", seconds: 1)
        try await folder.run()
        try folder.service.deletePhotos([id], from: TextFolder.stream)
        #expect(try await folder.run().totals.unchanged == 2)
        folder.options.retriesFailures = true
        #expect(try await folder.run().folders.deleted == 0)
        // A changed file is read, but its photo stays deleted.
        try folder.write("a.jpg", "P 8 3", seconds: 2)
        let changed = try await folder.run()
        #expect(changed.totals.unchanged == 2 && changed.folders.deleted == 1)
        #expect(try folder.ids() == ["b.jpg"])
        // Undo restores it unchanged, and the file is known.
        try folder.service.restorePhotos([id], in: TextFolder.stream)
        #expect(try folder.photo("a.jpg")?.pixelSize.width == 4)
        _ = folder.pictures.takeOpened()
        #expect(try await folder.run().totals.unchanged == 2)
        #expect(folder.pictures.takeOpened() == [])
    }

    @Test func `an import restores deleted photos if requested`() async throws {
        try folder.write("a.jpg", "P 4 3", seconds: 1)
        try folder.write("b.jpg", "P 4 3", seconds: 1)
        try await folder.run()
        var title = PhotoRecord(id: PhotoID(stored: "a.jpg"))
        title[.title] = .set("Mine")
        try folder.service.edit(title, in: TextFolder.stream)
        try folder.service.deletePhotos([PhotoID(stored: "a.jpg")], from: TextFolder.stream)
        // For good: it returns as a new photo.
        try folder.service.deletePhotos([PhotoID(stored: "b.jpg")], from: TextFolder.stream, forever: true)
        #expect(try await folder.run().totals.unchanged == 2)
        folder.options.restoresDeleted = true
        let restored = try await folder.run()
        #expect(restored.totals.inserted == 2 && restored.folders.deleted == 0)
        #expect(try folder.photo("a.jpg")?.title == "Mine")
        #expect(try await folder.run().totals.unchanged == 2)
    }

    @Test func `the same path in another folder is rejected`() async throws {
        try folder.write("x.jpg", "P 4 3")
        try folder.write("../b/x.jpg", "P 8 3")
        try folder.write("../b/y.jpg", "P 8 3")
        try await folder.run()
        let progress = try await folder.run("a", "b")
        #expect(progress.totals.rejected == 1 && progress.totals.inserted == 1 && progress.totals.unchanged == 1)
        #expect(progress.notices.map(\.path) == [folder.path("b/x.jpg")])
        #expect(try folder.photo("x.jpg")?.pixelSize.width == 4)
        #expect(try folder.service.roots().count == 2)
    }

    @Test func `a folder beneath a root belongs to the root`() async throws {
        try folder.write("x.jpg", "P 4 3")
        try folder.write("sub/y.jpg", "P 4 3")
        try await folder.run()
        try folder.write("sub/z.jpg", "P 4 3")
        try folder.write("w.jpg", "P 4 3")
        try folder.remove("x.jpg")
        let progress = try await folder.run("a/sub")
        #expect(progress.totals.inserted == 1 && progress.totals.unchanged == 1 && progress.folders.vanished == 0)
        #expect(try folder.ids() == ["sub/y.jpg", "sub/z.jpg", "x.jpg"])
        #expect(try folder.service.roots().count == 1)
    }

    @Test func `an id that is too long is rejected`() async throws {
        let name = String(repeating: "a", count: 200)
        try folder.write("\(name)/\(name)/\(name).jpg", "P 4 3")
        let progress = try await folder.run()
        #expect(progress.totals.rejected == 1 && folder.pictures.takeOpened() == [])
        #expect(progress.notices.first?.reason == "the id has 606 bytes, more than 512")
    }

    @Test func `a dry run has the counts of a run and changes nothing`() async throws {
        try folder.write("a.jpg", "P 4 3", seconds: 1)
        let first = try await folder.run(isDryRun: true)
        #expect(first.totals.inserted == 1)
        #expect(try folder.service.roots().isEmpty && folder.ids().isEmpty)
        try await folder.run()
        try folder.write("a.jpg", "P 5 3", seconds: 2)
        try folder.write("b.jpg", "P 5 3", seconds: 2)
        let second = try await folder.run(isDryRun: true)
        #expect(second.totals.inserted == 1 && second.totals.updated == 1)
        #expect(try folder.photo("a.jpg")?.pixelSize.width == 4)
    }

    @Test func `an import that is cancelled anywhere and repeated equals one that was not`() async throws {
        for number in 0..<900 {
            try folder.write(
                "\(number % 13)/\(number).jpg", "P \(number + 1) 30\ntakenAt \(number % 10)000", seconds: 1)
        }
        let reference = try TextFolder()
        for number in 0..<900 {
            try reference.write(
                "\(number % 13)/\(number).jpg", "P \(number + 1) 30\ntakenAt \(number % 10)000", seconds: 1)
        }
        try await reference.run()
        var attempt = 0
        while attempt < 20 {
            attempt += 1
            let run = try FolderImport(
                [folder.path("a")], into: TextFolder.stream, reading: folder.pictures, of: folder.service)
            let limit = attempt
            let task = Task {
                var reports = 0
                _ = try await run.run { _ in
                    reports += 1
                    if reports == limit { throw CancellationError() }
                }
            }
            if case .success = await task.result { break }
        }
        try await folder.run()
        #expect(try folder.photos() == reference.photos())
    }
}
