import Foundation
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

/// The work of people stays with the content of a picture, regardless of what happens to its file.
@Suite struct ContentIdentityTests {
    private let folder: TextFolder

    init() throws {
        folder = try TextFolder()
    }

    /// Imports some pictures, each with a caption by hand and a known content.
    private func importCaptioned(_ names: String...) async throws {
        for (number, name) in names.enumerated() {
            try folder.write(name, "P \(4 + number) 3", seconds: 86_400 + number)
        }
        try await folder.run()
        for name in names {
            try folder.edit(name, caption: "by hand: \(name)")
            try folder.decode(name)
        }
    }

    private func delete(_ ids: String..., forever isForever: Bool = false) throws {
        try folder.service.deletePhotos(
            ids.map(PhotoID.init(stored:)), from: TextFolder.stream, forever: isForever)
    }

    // MARK: - Deleted by a person

    @Test(arguments: [false, true])
    func `a picture that a person deleted stays deleted when its file is renamed, touched or copied back`(
        isForever: Bool
    ) async throws {
        try await importCaptioned("a/private.jpg", "b.jpg")
        try delete("a/private.jpg", forever: isForever)
        try folder.move("a", to: "renamed")
        #expect(try await folder.run().folders.deleted == 1)
        #expect(try folder.ids() == ["b.jpg"])
        // As if it were 31 days later.
        try folder.temporary.open(.existing).write { try $0.forgetDeletedPhotos(now: 32 * 86_400_000) }
        try folder.write("renamed/private.jpg", "P 4 3", seconds: 50)
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg"])
        try folder.remove("renamed")
        try await folder.run()
        try folder.write("restored/copy.jpg", "P 4 3", seconds: 60)
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg"])
    }

    @Test(arguments: [false, true], [false, true])
    func `a picture that was never decoded stays deleted when its file is renamed or copied back`(
        withUnknown: Bool, isForever: Bool
    ) async throws {
        for (number, name) in ["private.jpg", "b.jpg"].enumerated() {
            try folder.write(name, "P \(4 + number) 3", seconds: 1)
        }
        try await folder.run()
        // Only the deletion reads the content, while the file exists.
        #expect(folder.pictures.takeHashed() == [])
        if withUnknown {
            let ids = ["private.jpg", "unknown"].map(PhotoID.init(stored:))
            let unknown = try folder.service.deleteKnownPhotos(ids, from: TextFolder.stream, forever: isForever)
            #expect(unknown == [ids[1]])
        } else {
            try delete("private.jpg", forever: isForever)
        }
        try folder.move("private.jpg", to: "renamed/other.jpg")
        #expect(try await folder.run().folders.deleted == 1)
        #expect(try folder.ids() == ["b.jpg"])
        try folder.remove("renamed")
        try await folder.run()
        try folder.write("restored/copy.jpg", "P 4 3", seconds: 60)
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg"])
    }

    @Test func `an undone deletion does not end that of an earlier picture with the same name`() async throws {
        try await importCaptioned("x.jpg", "b.jpg")
        try delete("x.jpg", forever: true)
        try folder.move("x.jpg", to: "y.jpg")
        try await folder.run()
        try folder.write("x.jpg", "P 9 9", seconds: 90_000)
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg", "x.jpg"])
        try folder.decode("x.jpg")
        folder.clock.advance(by: 1_000)
        try delete("x.jpg")
        try folder.service.restorePhotos([PhotoID(stored: "x.jpg")], in: TextFolder.stream)
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg", "x.jpg"])
    }

    @Test func `a picture in place of a deleted one is not deleted under another name`() async throws {
        try await importCaptioned("x.jpg", "b.jpg")
        try delete("x.jpg")
        try folder.write("x.jpg", "P 9 9", seconds: 90_000)
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg"])
        try folder.move("x.jpg", to: "z.jpg")
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg", "z.jpg"])
    }

    @Test func `a picture that a person deleted stays deleted beneath another root`() async throws {
        try await importCaptioned("private.jpg", "b.jpg")
        try delete("private.jpg")
        try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: folder.path("a/private.jpg"), toPath: folder.path("other/new.jpg"))
        #expect(try await folder.run("other").folders.deleted == 1)
        #expect(try folder.ids() == ["b.jpg"])
    }

    @Test func `an import with restore brings a deleted picture back under its new name, unchanged`() async throws {
        try await importCaptioned("private.jpg", "b.jpg")
        try delete("private.jpg")
        try folder.move("private.jpg", to: "public.jpg")
        folder.options.restoresDeleted = true
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg", "public.jpg"])
        #expect(try folder.photo("public.jpg")?.caption == "by hand: private.jpg")
        // Its content is not refused any more.
        folder.options.restoresDeleted = false
        try folder.move("public.jpg", to: "again.jpg")
        try await folder.run()
        #expect(try folder.photo("again.jpg")?.caption == "by hand: private.jpg")
    }

    @Test(arguments: [false, true])
    func `a photo that a person restored after its file was renamed is not pruned`(byImport: Bool) async throws {
        try await importCaptioned("private.jpg", "b.jpg", "c.jpg")
        try delete("private.jpg")
        try folder.move("private.jpg", to: "public.jpg")
        try await folder.run()
        if byImport {
            folder.options.restoresDeleted = true
        } else {
            try folder.service.restorePhotos([PhotoID(stored: "private.jpg")], in: TextFolder.stream)
        }
        folder.options.prunesVanished = true
        for _ in 0..<2 {
            #expect(try await folder.run().folders.pruned == 0)
            folder.options.restoresDeleted = false
            #expect(try folder.ids() == ["b.jpg", "c.jpg", "public.jpg"])
            #expect(try folder.photo("public.jpg")?.caption == "by hand: private.jpg")
        }
    }

    @Test func `an import with restore finds a file whose disk was missing`() async throws {
        try await importCaptioned("private.jpg", "b.jpg")
        try delete("private.jpg", forever: true)
        try FileManager.default.moveItem(atPath: folder.path("a/private.jpg"), toPath: folder.path("private.jpg"))
        try await folder.run()
        try FileManager.default.moveItem(atPath: folder.path("private.jpg"), toPath: folder.path("a/private.jpg"))
        folder.options.restoresDeleted = true
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg", "private.jpg"])
    }

    @Test(arguments: ["p.jpg", "other.jpg"])
    func `a copy of a pruned picture's file keeps its time and position`(path: String) async throws {
        try await importCaptioned("p.jpg", "b.jpg", "c.jpg")
        let time = try #require(try folder.photo("p.jpg")?.takenAt)
        try folder.service.movePhoto(
            PhotoID(stored: "p.jpg"), to: .after(PhotoID(stored: "c.jpg")), in: TextFolder.stream)
        let before = try folder.photos().map { $0.id == PhotoID(stored: "p.jpg") ? path : $0.id.rawValue }
        try folder.remove("p.jpg")
        folder.options.prunesVanished = true
        #expect(try await folder.run().folders.pruned == 1)
        for seconds in [86_450, 86_460] {
            try folder.write(path, "P 4 3", seconds: seconds)
            try await folder.run()
            #expect(try folder.photo(path)?.takenAt == time)
            #expect(try folder.photos().map(\.id.rawValue) == before)
        }
    }

    @Test func `deleting one of several equal files does not affect the others`() async throws {
        for name in ["one.jpg", "two.jpg"] { try folder.write(name, "P 4 3", seconds: 1) }
        try await folder.run()
        for name in ["one.jpg", "two.jpg"] { try folder.decode(name) }
        try delete("one.jpg")
        try folder.write("one.jpg", "P 4 3", seconds: 9)
        try folder.write("three.jpg", "P 4 3", seconds: 9)
        try await folder.run()
        #expect(try folder.ids() == ["three.jpg", "two.jpg"])
    }

    @Test func `another picture with the name of a deleted one is a new photo once that file is gone`() async throws {
        try await importCaptioned("IMG_1.jpg", "b.jpg")
        try delete("IMG_1.jpg", forever: true)
        try folder.remove("IMG_1.jpg")
        try await folder.run()
        try folder.write("IMG_1.jpg", "P 40 30", seconds: 70)
        #expect(try await folder.run().totals.inserted == 1)
        #expect(try folder.photo("IMG_1.jpg")?.caption == nil)
    }

    // MARK: - Vanished and pruned

    @Test func `a picture that is missing at one import and elsewhere at the next keeps a person's edits`() async throws
    {
        try await importCaptioned("inbox/p.jpg", "b.jpg")
        try FileManager.default.moveItem(atPath: folder.path("a/inbox/p.jpg"), toPath: folder.path("p.jpg"))
        #expect(try await folder.run().folders.vanished == 1)
        try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: folder.path("p.jpg"), toPath: folder.path("other/holiday.jpg"))
        #expect(try await folder.run("other").folders.moved == 1)
        #expect(try folder.ids() == ["b.jpg", "holiday.jpg"])
        #expect(try folder.photo("holiday.jpg")?.caption == "by hand: inbox/p.jpg")
    }

    @Test(arguments: ["p.jpg", "2020/other.jpg"])
    func `a pruned picture returns with a person's edits, at its path or elsewhere`(path: String) async throws {
        try await importCaptioned("p.jpg", "b.jpg", "c.jpg")
        try FileManager.default.moveItem(atPath: folder.path("a/p.jpg"), toPath: folder.path("p.jpg"))
        folder.options.prunesVanished = true
        #expect(try await folder.run().folders.pruned == 1)
        let kept = try folder.service.read { try $0.deletedPhotos(of: TextFolder.stream, after: nil, limit: 10) }
        #expect(kept.photos.map(\.photo.id.rawValue) == ["p.jpg"])
        try FileManager.default.createDirectory(atPath: folder.path("a/2020"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder.path("p.jpg"), toPath: folder.path("a/" + path))
        try await folder.run()
        #expect(try folder.photo(path)?.caption == "by hand: p.jpg")
        #expect(try folder.ids().count == 3)
    }

    @Test func `the photos of an empty folder are kept until a person confirms their removal`() async throws {
        for number in 0..<5 { try folder.write("nas/\(number).jpg", "P 4 \(number + 3)", seconds: 1) }
        for number in 0..<9 { try folder.write("local/\(number).jpg", "P 5 \(number + 3)", seconds: 1) }
        try await folder.run()
        try folder.remove("nas")
        try folder.remove("local/0.jpg")
        folder.options.prunesVanished = true
        let held = try await folder.run()
        #expect(held.folders.pruned == 1 && held.folders.held == 5 && held.folders.vanished == 5)
        let notice = try #require(held.notices.first { $0.kind == .held })
        #expect(notice.path == folder.path("a/nas"))
        #expect(
            notice.reason
                == "it had 5 photos, and none of their files is there; import --prune-folder takes them all the same")
        folder.options.prunedFolders = [folder.path("a/nas")]
        let confirmed = try await folder.run()
        #expect(confirmed.folders.pruned == 5 && confirmed.folders.held == 0)
        #expect(try folder.ids().count == 8)
    }

    @Test func `removing more than half of a root requires a person's confirmation`() async throws {
        for number in 0..<8 { try folder.write("\(number).jpg", "P 4 \(number + 3)", seconds: 1) }
        try await folder.run()
        for number in 0..<5 { try folder.remove("\(number).jpg") }
        folder.options.prunesVanished = true
        let held = try await folder.run()
        #expect(held.folders.pruned == 0 && held.folders.held == 5)
        #expect(
            held.notices.first { $0.kind == .held }?.reason
                == "the files of 5 of its 8 photos are gone, more than half; import --prune --yes takes them")
        folder.options.prunesMostOfRoot = true
        #expect(try await folder.run().folders.pruned == 5)
    }

    // MARK: - Names that lie

    @Test(arguments: [
        ["a.jpg", "b.jpg"], ["a.jpg", "b.jpg", "c.jpg"], ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"],
    ])
    func `pictures that exchange their names keep a person's edits and places`(names: [String]) async throws {
        for (number, name) in names.enumerated() { try folder.write(name, "P \(4 + number) 3", seconds: number) }
        try await folder.run()
        for name in names {
            try folder.edit(name, caption: "by hand: \(name)")
            try folder.decode(name)
        }
        let before = try folder.photos().map(\.caption)
        for number in names.indices {
            // The last file has the name of the first.
            try folder.write(names[(number + 1) % names.count], "P \(4 + number) 3", seconds: 100 + number)
        }
        folder.options.prunesVanished = true
        let progress = try await folder.run()
        #expect(progress.folders.moved == names.count && progress.totals.updated == names.count)
        #expect(progress.folders.vanished == 0 && progress.folders.pruned == 0)
        #expect(try folder.ids() == names)
        for (number, name) in names.enumerated() {
            #expect(try folder.photo(names[(number + 1) % names.count])?.caption == "by hand: \(name)")
        }
        #expect(try folder.photos().map(\.caption) == before)
        // Nothing is left to do, and no file is read again.
        _ = (folder.pictures.takeOpened(), folder.pictures.takeHashed())
        #expect(try await folder.run().totals.unchanged == names.count)
        #expect(folder.pictures.takeOpened() == [] && folder.pictures.takeHashed() == [])
    }

    @Test func `a renumbered picture keeps its edits, and a new one with its name has none`() async throws {
        try await importCaptioned("IMG_1.jpg", "other.jpg")
        try folder.move("IMG_1.jpg", to: "IMG_2.jpg")
        try folder.write("IMG_1.jpg", "P 40 30", seconds: 90)
        #expect(try await folder.run().folders.moved == 1)
        #expect(try folder.photo("IMG_2.jpg")?.caption == "by hand: IMG_1.jpg")
        #expect(try folder.photo("IMG_1.jpg")?.caption == nil)
    }

    @Test func `a picture whose name was taken while it was away keeps its edits under another id`() async throws {
        try await importCaptioned("IMG_1.jpg", "IMG_2.jpg")
        try FileManager.default.moveItem(atPath: folder.path("a/IMG_2.jpg"), toPath: folder.path("IMG_2.jpg"))
        try folder.move("IMG_1.jpg", to: "IMG_2.jpg")
        try await folder.run()
        #expect(try folder.ids() == ["IMG_2-2.jpg", "IMG_2.jpg"])
        #expect(try folder.photo("IMG_2.jpg")?.caption == "by hand: IMG_1.jpg")
        #expect(try folder.photo("IMG_2-2.jpg")?.caption == "by hand: IMG_2.jpg")
        try FileManager.default.moveItem(atPath: folder.path("IMG_2.jpg"), toPath: folder.path("a/IMG_3.jpg"))
        #expect(try await folder.run().folders.moved == 1)
        #expect(try folder.ids() == ["IMG_2.jpg", "IMG_3.jpg"])
        #expect(try folder.photo("IMG_3.jpg")?.caption == "by hand: IMG_2.jpg")
    }

    @Test func `a picture that was edited in its file keeps what a person wrote`() async throws {
        try await importCaptioned("a.jpg", "b.jpg")
        try folder.write("a.jpg", "P 90 30", seconds: 90)
        #expect(try await folder.run().totals.updated == 1)
        #expect(try folder.ids() == ["a.jpg", "b.jpg"])
        #expect(try folder.photo("a.jpg")?.caption == "by hand: a.jpg")
    }

    @Test func `a picture that was moved and rated by another program keeps a person's edits`() async throws {
        try await importCaptioned("p.jpg", "b.jpg")
        try folder.remove("p.jpg")
        try folder.write("2020/other.jpg", "P 4 3\nrating 4", seconds: 90)
        #expect(try await folder.run().folders.moved == 1)
        let photo = try folder.photo("2020/other.jpg")
        #expect(photo?.caption == "by hand: p.jpg" && photo?.rating == 4)
    }

    @Test(arguments: [false, true])
    func `a deleted picture stays deleted when another program writes a rating into it, anywhere`(
        isForever: Bool
    ) async throws {
        try await importCaptioned("private.jpg", "b.jpg")
        try delete("private.jpg", forever: isForever)
        try folder.write("private.jpg", "P 4 3\nrating 4", seconds: 90)
        try await folder.run()
        #expect(try folder.ids() == ["b.jpg"])
        try folder.remove("private.jpg")
        try folder.write("copy/other.jpg", "P 4 3\nrating 5\ncaption words of a program", seconds: 95)
        #expect(try await folder.run().folders.deleted == 1)
        // Under the name of another picture, which keeps its photo.
        try folder.remove("copy")
        try folder.move("b.jpg", to: "c.jpg")
        try folder.write("b.jpg", "P 4 3\nrating 1", seconds: 99)
        try await folder.run()
        #expect(try folder.ids() == ["c.jpg"])
        #expect(try folder.photo("c.jpg")?.caption == "by hand: b.jpg")
    }

    @Test func `a deletion that was recorded with all bytes of a file holds for that file, and then for its picture`()
        async throws
    {
        try folder.write("private.jpg", "P 4 3\nrating 2", seconds: 1)
        try folder.write("b.jpg", "P 5 3", seconds: 1)
        try await folder.run()
        // Not decoded, so the deletion reads the bytes.
        try delete("private.jpg")
        _ = folder.pictures.takeHashed()
        try folder.write("another length.jpg", "P 7 3", seconds: 5)
        try await folder.run()
        #expect(folder.pictures.takeHashed() == [])
        try folder.move("private.jpg", to: "moved.jpg")
        try await folder.run()
        #expect(folder.pictures.takeHashed() == ["moved.jpg"])
        try folder.remove("moved.jpg")
        try folder.write("rated.jpg", "P 4 3\nrating 5\ncaption longer", seconds: 9)
        try await folder.run()
        #expect(try folder.ids() == ["another length.jpg", "b.jpg"])
    }

    @Test func `each of several equal pictures keeps its own edits while others are moved, rated and deleted`()
        async throws
    {
        for (number, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() {
            try folder.write(name, "P 4 3", seconds: number)
        }
        try await folder.run()
        for name in ["a.jpg", "b.jpg", "c.jpg"] {
            try folder.edit(name, caption: "by hand: \(name)")
            try folder.decode(name)
        }
        try folder.write("a.jpg", "P 4 3\nrating 3", seconds: 50)
        try folder.move("b.jpg", to: "moved/b.jpg")
        try folder.write("new.jpg", "P 4 3", seconds: 60)
        try delete("c.jpg")
        try await folder.run()
        #expect(try folder.ids() == ["a.jpg", "moved/b.jpg", "new.jpg"])
        #expect(try folder.photo("a.jpg")?.caption == "by hand: a.jpg")
        #expect(try folder.photo("moved/b.jpg")?.caption == "by hand: b.jpg")
        #expect(try folder.photo("new.jpg")?.caption == nil)
    }

    @Test func `what a person wrote about a pruned picture is kept longer than thirty days`() async throws {
        try await importCaptioned("edited.jpg", "b.jpg", "c.jpg", "d.jpg")
        for name in ["plain.jpg", "e.jpg", "f.jpg"] { try folder.write(name, "P 9 \(name.count)", seconds: 3) }
        try await folder.run()
        try FileManager.default.moveItem(atPath: folder.path("a/edited.jpg"), toPath: folder.path("edited.jpg"))
        try folder.remove("plain.jpg")
        folder.options.prunesVanished = true
        #expect(try await folder.run().folders.pruned == 2)
        try folder.temporary.open(.existing).write { try $0.forgetDeletedPhotos(now: 400 * 86_400_000) }
        let kept = try folder.service.read { try $0.deletedPhotos(of: TextFolder.stream, after: nil, limit: 10) }
        #expect(kept.photos.map(\.photo.id.rawValue) == ["edited.jpg"])
        try FileManager.default.moveItem(atPath: folder.path("edited.jpg"), toPath: folder.path("a/back.jpg"))
        try await folder.run()
        #expect(try folder.photo("back.jpg")?.caption == "by hand: edited.jpg")
    }

    @Test func `an import reads each changed file once, and counts what its files are known by`() async throws {
        try await importCaptioned("a.jpg", "b.jpg")
        try folder.write("undecoded.jpg", "P 30 3", seconds: 2)
        var known = try await folder.run().folders.identities
        #expect(known == FileIdentities(byContent: 2, byName: 1))
        _ = (folder.pictures.takeOpened(), folder.pictures.takeHashed())
        try await folder.run()
        #expect(folder.pictures.takeOpened() == [] && folder.pictures.takeHashed() == [])
        try folder.write("a.jpg", "P 4 3\nrating 2", seconds: 80)
        known = try await folder.run().folders.identities
        #expect(folder.pictures.takeOpened() == ["a.jpg"] && folder.pictures.takeHashed() == ["a.jpg"])
        #expect(known == FileIdentities(byContent: 2, byName: 1))
        #expect(try folder.service.pictureStatus().streams.map(\.identities) == [known])
    }

    // MARK: - File time

    @Test func `an edit of a file's metadata does not change the time of a picture without a date`() async throws {
        try folder.write("a.jpg", "P 4 3", seconds: 1_500_000_000)
        try await folder.run()
        try folder.write("a.jpg", "P 4 3\nrating 4", seconds: 1_700_000_000)
        try await folder.run()
        #expect(try folder.photo("a.jpg")?.takenAt?.milliseconds == 1_500_000_000_000)
        #expect(try folder.photo("a.jpg")?.rating == 4)
        // Another size is another picture.
        try folder.write("a.jpg", "P 8 3", seconds: 1_710_000_000)
        try await folder.run()
        #expect(try folder.photo("a.jpg")?.takenAt?.milliseconds == 1_710_000_000_000)
    }
}
