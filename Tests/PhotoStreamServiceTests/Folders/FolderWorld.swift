import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Pictures in two folders, and people's edits of them, by content alone.
///
/// Each picture has a different width, by which a photo is recognised regardless of its id. Its bytes are few, so that
/// many pictures have equal lengths. Between two imports of its folder, a file may be moved any number of times, and other
/// programs may write metadata into it.
final class FolderWorld {
    /// The kinds of changes between imports.
    enum Change: CaseIterable {
        case create, rename, changeRoot, renameFolder, touch, retag, remove, bringBack, unmount, mount
        case swap, rotate, renumber
        case editCaption, editRating, move, delete, deleteForever, restore, importRestoring
        case upload, uploadVanished, uploadDeleted, uploadRestoring
    }

    /// A picture, and what people made of it.
    struct Picture {
        /// The words, rating and place that a person gave; `nil` for nothing.
        var caption: String?
        var rating: Int?
        var place: OrderKey?
        /// The bytes as text, and those at the last import of the file.
        var text: String
        var seenText: String?
        /// The root and the path from it; `nil` while there is no file.
        var file: File?
        /// Whether the file has not changed since the last import of its root.
        var isSeen = false
        /// Whether the file has another path or was made again since the last import.
        var hasMoved = false
        /// Whether it has another root since the last import.
        var hasChangedRoot = false
        /// The root from which the file was removed, and whether an import has missed it there since.
        var lostRoot: String?
        var isMissed = false
        /// The deletion by a person.
        var deletion: Deletion?
        /// Whether there has been a photo of it.
        var wasImported = false
    }

    struct File: Hashable {
        var root: String
        var path: String
    }

    enum Deletion { case kept, forever }

    static let stream = StreamName(stored: "family")
    private static let roots = ["a", "b"]

    var random: SplitMix64
    /// The events so far, for the messages of failures.
    private(set) var events: [String] = []
    private(set) var counts: [Change: Int] = [:]
    private let temporary: TemporaryDatabase
    private let service: PhotoStreamService
    private let database: PhotoDatabase
    private let headers = TextPictures()
    private let folder: URL
    private var pictures: [Picture] = []
    /// The number of names given, and the seconds of the last file time.
    private var (lastName, lastSecond) = (0, 1_000_000)
    /// The folder that is away, and its root.
    private var unmounted: File?

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        temporary = try TemporaryDatabase()
        service = try PhotoStreamService(path: temporary.path, access: .readWrite, primary: temporary.primary) {
            1_000_000
        }
        database = try temporary.open(.existing)
        folder = URL(filePath: temporary.folder).resolvingSymlinksInPath()
        for root in Self.roots + ["away"] {
            try FileManager.default.createDirectory(at: url(root), withIntermediateDirectories: true)
        }
        try service.createStream(Self.stream)
        for root in Self.roots { for _ in 0..<8 { try create(in: root) } }
    }

    // MARK: - Files

    private func url(_ path: String) -> URL { folder.appending(path: path) }

    private func url(_ file: File) -> URL { url("\(file.root)/\(file.path)") }

    private func newFile(in root: String? = nil) -> File {
        lastName += 1
        let folder = random.element(of: ["", "x/", "x/y/", "nas/", "nas/z/"])
        return File(root: root ?? random.element(of: Self.roots), path: "\(folder)f\(lastName).jpg")
    }

    private func write(_ text: String, to file: File) throws {
        lastSecond += 1
        try FileManager.default.createDirectory(
            at: url(file).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url(file))
        try setTime(of: file)
    }

    private func setTime(of file: File) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(lastSecond))], ofItemAtPath: url(file).path)
    }

    private func relocate(_ number: Int, to new: File) throws {
        guard let old = pictures[number].file else { return }
        try FileManager.default.createDirectory(
            at: url(new).deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: url(old), to: url(new))
        events.append("\(number): \(old.root)/\(old.path) to \(new.root)/\(new.path)")
        pictures[number].file = new
        (pictures[number].isSeen, pictures[number].hasMoved) = (false, true)
    }

    private func create(in root: String? = nil) throws { try create(as: newFile(in: root)) }

    private func create(as file: File) throws {
        let text = "P \(100 + pictures.count) 3"
        try write(text, to: file)
        events.append("\(pictures.count): created as \(file.root)/\(file.path)")
        pictures.append(Picture(text: text, file: file, hasMoved: true))
    }

    // MARK: - Changes

    /// The numbers of pictures that a condition holds of.
    private func numbers(_ condition: (Picture) -> Bool) -> [Int] {
        pictures.indices.filter { condition(pictures[$0]) }
    }

    private func pick(_ condition: (Picture) -> Bool) -> Int? {
        let found = numbers(condition)
        return found.isEmpty ? nil : random.element(of: found)
    }

    /// Whether a file may get another path: its content is known since its last import.
    private static func mayMove(_ picture: Picture) -> Bool { isHere(picture) && picture.seenText != nil }

    /// Whether there is a file, on a disk that is mounted.
    private static func isHere(_ picture: Picture) -> Bool { picture.file.map { $0.root != "away" } ?? false }

    /// Does something at random, if there is something to do it to.
    func change() async throws {
        let change = random.element(of: Change.allCases)
        if try await perform(change) { counts[change, default: 0] += 1 }
    }

    private func perform(_ change: Change) async throws -> Bool {
        switch change {
        case .create: try create()
        case .rename, .changeRoot:
            guard let number = pick(Self.mayMove), let old = pictures[number].file else { return false }
            let root = change == .rename ? old.root : Self.roots.first { $0 != old.root }
            // A root without any file is refused, so its last one would never be missed.
            guard root == old.root || numbers({ $0.file?.root == old.root }).count > 1 else { return false }
            try relocate(number, to: newFile(in: root))
            if root != old.root { pictures[number].hasChangedRoot = true }
        case .renameFolder: return try renameFolder()
        case .touch:
            guard let number = pick(Self.isHere), let file = pictures[number].file else { return false }
            lastSecond += 1
            try setTime(of: file)
            events.append("\(number): touched")
            pictures[number].isSeen = false
        case .retag:
            guard let number = pick(Self.isHere), let file = pictures[number].file
            else { return false }
            let size = pictures[number].text.split(separator: "\n")[0]
            pictures[number].text = "\(size)\nrating \(random.int(in: 1...5))"
            try write(pictures[number].text, to: file)
            events.append("\(number): retagged")
            pictures[number].isSeen = false
        case .remove:
            // A file that has exchanged its name and is gone looks like one that was edited.
            guard let number = pick({ Self.mayMove($0) && !$0.hasMoved }), let file = pictures[number].file
            else { return false }
            try FileManager.default.removeItem(at: url(file))
            events.append("\(number): removed")
            (pictures[number].file, pictures[number].isSeen) = (nil, false)
            pictures[number].hasChangedRoot = true
            (pictures[number].lostRoot, pictures[number].isMissed) = (file.root, false)
        case .bringBack:
            let away = unmounted?.root
            guard let number = pick({ $0.file == nil && $0.seenText != nil }) else { return false }
            let file = newFile(in: away == nil ? nil : Self.roots.first { $0 != away })
            try write(pictures[number].text, to: file)
            events.append("\(number): back as \(file.root)/\(file.path)")
            (pictures[number].file, pictures[number].hasMoved) = (file, true)
        case .swap: return try exchange(2, leavingName: false)
        case .rotate: return try exchange(random.int(in: 3...5), leavingName: false)
        case .renumber: return try exchange(random.int(in: 1...4), leavingName: true)
        case .unmount: return try unmount()
        case .mount: return try mount()
        case .editCaption, .editRating, .move, .delete, .deleteForever, .restore: return try edit(change)
        case .importRestoring:
            try await importFolders(restoring: true)
        case .upload, .uploadVanished, .uploadDeleted, .uploadRestoring: return try await upload(change)
        }
        return true
    }

    private func renameFolder() throws -> Bool {
        let root = random.element(of: Self.roots)
        let inside = numbers { $0.file?.root == root && $0.file?.path.hasPrefix("x/") == true }
        guard !inside.isEmpty, inside.allSatisfy({ Self.mayMove(pictures[$0]) }) else { return false }
        lastName += 1
        let name = "d\(lastName)"
        for number in inside {
            guard let old = pictures[number].file else { continue }
            try relocate(number, to: File(root: root, path: name + old.path.dropFirst(1)))
        }
        return true
    }

    /// Gives each of some files the name of the next one; the last gets that of the first, or a new one while a new
    /// picture gets that of the first.
    private func exchange(_ count: Int, leavingName: Bool) throws -> Bool {
        var numbers = Array(numbers(Self.mayMove).shuffled(using: &random).prefix(count))
        // A new picture at the path of a deleted one counts as an edit of that.
        if leavingName { numbers.removeAll { pictures[$0].deletion != nil } }
        guard numbers.count == count else { return false }
        let files = numbers.compactMap { pictures[$0].file }
        let names = Array(files.dropFirst()) + [leavingName ? newFile(in: files[0].root) : files[0]]
        for (number, file) in zip(numbers, files) {
            try FileManager.default.moveItem(at: url(file), to: url("exchanged \(number)"))
        }
        for (number, (old, new)) in zip(numbers, zip(files, names)) {
            try FileManager.default.createDirectory(
                at: url(new).deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: url("exchanged \(number)"), to: url(new))
            events.append("\(number): exchanged from \(old.root)/\(old.path) to \(new.root)/\(new.path)")
            (pictures[number].file, pictures[number].isSeen, pictures[number].hasMoved) = (new, false, true)
            if old.root != new.root { pictures[number].hasChangedRoot = true }
        }
        if leavingName { try create(as: files[0]) }
        return true
    }

    /// Takes a folder away, as a disk that is not mounted: the folder stays, and is empty.
    private func unmount() throws -> Bool {
        guard unmounted == nil else { return false }
        let root = random.element(of: Self.roots)
        let inside = numbers { $0.file?.root == root && $0.file?.path.hasPrefix("nas/") == true }
        // Files that are written there would be on another disk.
        guard !inside.isEmpty, inside.allSatisfy({ Self.mayMove(pictures[$0]) && !pictures[$0].hasMoved }) else {
            return false
        }
        try FileManager.default.moveItem(at: url("\(root)/nas"), to: url("away/nas"))
        try FileManager.default.createDirectory(at: url("\(root)/nas"), withIntermediateDirectories: false)
        unmounted = File(root: root, path: "nas")
        for number in inside {
            events.append("\(number): unmounted")
            pictures[number].file?.root = "away"
            pictures[number].isSeen = false
        }
        return true
    }

    private func mount() throws -> Bool {
        guard let away = unmounted else { return false }
        // The disk hides files that were written there in the meantime.
        for number in numbers({ $0.file?.root == away.root && $0.file?.path.hasPrefix("nas/") == true }) {
            guard Self.mayMove(pictures[number]) else { return false }
            lastName += 1
            try relocate(number, to: File(root: away.root, path: "m\(lastName).jpg"))
        }
        try FileManager.default.removeItem(at: url("\(away.root)/nas"))
        try FileManager.default.moveItem(at: url("away/nas"), to: url("\(away.root)/nas"))
        for number in numbers({ $0.file?.root == "away" }) {
            events.append("\(number): mounted again")
            pictures[number].file?.root = away.root
            // If its photo was pruned, it comes back like a new file.
            pictures[number].hasMoved = true
        }
        unmounted = nil
        return true
    }

    // MARK: - People

    private func edit(_ change: Change) throws -> Bool {
        let living = try livingPhotos()
        guard change != .restore else { return try restore() }
        guard !living.isEmpty else { return false }
        let (number, photos) = random.element(of: living.sorted { $0.key < $1.key })
        let (id, key) = (photos[0].photo.id, photos[0].key)
        switch change {
        case .editCaption, .editRating:
            var record = PhotoRecord(id: id)
            if change == .editCaption {
                pictures[number].caption = "words \(random.int(in: 1...1_000_000))"
                record.caption = pictures[number].caption.map { .set($0) } ?? record.caption
            } else {
                pictures[number].rating = random.int(in: 1...5)
                record.rating = pictures[number].rating.map { .set($0) } ?? record.rating
            }
            try service.edit(record, in: Self.stream)
        case .move:
            let others = living.filter { $0.key != number }.sorted { $0.key < $1.key }
            guard !others.isEmpty else { return false }
            let other = random.element(of: others).value[0]
            let before = try livingOrder().filter { $0.photo.id != id }
            try service.movePhoto(id, to: .before(other.photo.id), in: Self.stream)
            let after = try livingOrder().filter { $0.photo.id != id }
            #expect(before.map(\.photo.id) == after.map(\.photo.id))
            // If there was no rank left, the photos around it have been given others, in the same order.
            for (old, new) in zip(before, after) where old.key != new.key {
                pictures[self.number(of: new.photo)].place = new.key
            }
            pictures[number].place = try place(of: id)
            if pictures[number].place == key { pictures[number].place = nil }
        case .delete, .deleteForever:
            let isForever = change == .deleteForever
            try service.deletePhotos([id], from: Self.stream, forever: isForever)
            pictures[number].deletion = isForever ? .forever : .kept
        default: return false
        }
        events.append("\(number): \(change) of \(id)")
        return true
    }

    /// Takes a deletion back, by the photo's id.
    private func restore() throws -> Bool {
        // A photo whose id belongs to another picture now waits for an import.
        let ids = Set(try livingOrder().map(\.photo.id))
        let deleted = try deletedPhotos().filter { number, photos in
            pictures[number].deletion == .kept && !ids.contains(photos[0].id)
        }.sorted { $0.key < $1.key }
        guard !deleted.isEmpty else { return false }
        let (number, photos) = random.element(of: deleted)
        try service.restorePhotos([photos[0].id], in: Self.stream)
        events.append("\(number): restored as \(photos[0].id)")
        (pictures[number].deletion, pictures[number].isSeen) = (nil, false)
        return true
    }

    // MARK: - Uploads

    /// Uploads a picture into the first root under a new name: one that never was there, or one without a file.
    private func upload(_ change: Change) async throws -> Bool {
        let number: Int?
        switch change {
        case .uploadVanished:
            // As in a folder, a picture is recognised elsewhere once it has been missed.
            number = pick { $0.isMissed && $0.file == nil && $0.deletion == nil }
        case .uploadDeleted, .uploadRestoring:
            number = pick {
                $0.deletion != nil && $0.seenText != nil && ($0.file == nil || Self.isHere($0))
            }
        default:
            number = pictures.count
            pictures.append(Picture(text: "P \(100 + pictures.count) 3"))
        }
        guard let number else { return false }
        lastName += 1
        let file = File(root: Self.roots[0], path: "u\(lastName).jpg")
        events.append("\(number): \(change) as \(file.path)")
        if change == .uploadRestoring, let old = pictures[number].file {
            guard numbers({ $0.file?.root == old.root }).count > 1 else { return false }
            try FileManager.default.removeItem(at: url(old))
        }
        let uploads = try PictureUploads(
            [PictureUploads.Destination(stream: Self.stream, folder: url(file.root).path(percentEncoded: false))],
            of: service, keepingThumbnailsIn: nil, reading: headers)
        var request = UploadRequest(name: file.path)
        request.restoresDeleted = change == .uploadRestoring
        let upload = try uploads.begin(request, in: Self.stream)
        try upload.append(Array(pictures[number].text.utf8))
        guard change != .uploadDeleted else {
            do {
                _ = try await upload.finish()
                Issue.record("a deleted picture was accepted:\n\(events.suffix(40).joined(separator: "\n"))")
            } catch UploadError.deletedBefore {}
            #expect(!FileManager.default.fileExists(atPath: url(file).path(percentEncoded: false)))
            return true
        }
        #expect(try await upload.finish().id.rawValue == file.path)
        if pictures[number].deletion == .forever {
            (pictures[number].caption, pictures[number].rating, pictures[number].place) = (nil, nil, nil)
        }
        (pictures[number].file, pictures[number].deletion) = (file, nil)
        (pictures[number].isSeen, pictures[number].wasImported) = (true, true)
        (pictures[number].hasMoved, pictures[number].hasChangedRoot) = (false, false)
        pictures[number].seenText = pictures[number].text
        try decode()
        return true
    }

    // MARK: - Imports

    /// Imports one of the folders, or both, with or without `--prune`.
    func importFolders(restoring: Bool = false) async throws {
        var roots = Self.roots.shuffled(using: &random).prefix(random.int(in: 1...2))[...]
        // A file is recognised in another root once its old one was looked at, before or in the same import.
        if pictures.contains(where: \.hasChangedRoot) { roots = Self.roots[...] }
        roots.removeAll { root in !pictures.contains { $0.file?.root == root } }
        guard !roots.isEmpty else { return }
        var options = FolderImport.Options()
        options.prunesVanished = random.int(in: 0...2) > 0
        options.prunesMostOfRoot = random.int(in: 0...1) == 0
        options.restoresDeleted = restoring
        try await run(Array(roots), options)
    }

    private func run(_ roots: [String], _ options: FolderImport.Options) async throws {
        events.append(
            "import of \(roots.joined(separator: ", ")), pruning \(options.prunesVanished), restoring \(options.restoresDeleted)"
        )
        let paths = roots.map { url($0).path(percentEncoded: false) }
        let run = try FolderImport(paths, into: Self.stream, options: options, reading: headers, of: service)
        _ = try await run.run { _ in }
        for number in pictures.indices {
            guard let file = pictures[number].file else {
                if pictures[number].lostRoot.map(roots.contains) == true { pictures[number].isMissed = true }
                continue
            }
            guard roots.contains(file.root) else { continue }
            (pictures[number].isSeen, pictures[number].hasMoved, pictures[number].hasChangedRoot) = (true, false, false)
            pictures[number].seenText = pictures[number].text
            if options.restoresDeleted, let deletion = pictures[number].deletion {
                pictures[number].deletion = nil
                if deletion == .forever {
                    (pictures[number].caption, pictures[number].rating, pictures[number].place) = (nil, nil, nil)
                }
            }
            if pictures[number].deletion == nil { pictures[number].wasImported = true }
        }
        try decode()
    }

    /// Stores the results of decodes, as the warm-up does: the contents of all photos with files are known.
    private func decode() throws {
        let rootIDs = try database.read { reader in
            let row = try #require(try reader.stream(named: Self.stream))
            return try reader.roots(servingStreamID: row.id, on: HostIdentity.name).reduce(into: [String: Int64]()) {
                $0[URL(filePath: $1.path).lastPathComponent] = $1.id
            }
        }
        for (number, photos) in try livingPhotos() {
            guard let file = pictures[number].file, let rootID = rootIDs[file.root], let photo = photos.first?.photo,
                photo.id.rawValue == file.path, pictures[number].isSeen
            else { continue }
            try database.write { writer in
                let row = try #require(try writer.reader.stream(named: Self.stream))
                let pictured = try #require(try writer.reader.picturedPhoto(streamID: row.id, id: photo.id))
                guard
                    let known = try writer.reader.pictureFiles(streamID: row.id, rootID: rootID, paths: [file.path])
                        .first ?? nil
                else { return }
                let data = Data(pictures[number].text.utf8)
                let content = TextPictures.content(of: data)
                let picture = PictureRow(
                    byteCount: Int64(data.count), modifiedNanoseconds: known.modifiedNanoseconds, orientation: .up,
                    state: .ready, fileHash: content.fileHash, pictureHash: content.pictureHash,
                    key: PictureKey(bytes: Array(content.fileHash.prefix(16))))
                _ = try writer.savePictures([(pictured, picture)], now: 1)
            }
        }
    }

    /// Brings everything back that has a file, and imports until nothing can be left to do.
    func settle() async throws {
        _ = try mount()
        for number in numbers({ $0.file != nil }) {
            guard let file = pictures[number].file else { continue }
            lastSecond += 1
            try setTime(of: file)
            pictures[number].isSeen = false
        }
        for _ in 0..<2 {
            try await run(
                Self.roots.filter { root in pictures.contains { $0.file?.root == root } }, FolderImport.Options())
        }
    }

    // MARK: - The law

    private struct Placed {
        let photo: Photo
        let key: OrderKey
    }

    private func number(of photo: Photo) -> Int { Int(photo.pixelSize.width) - 100 }

    private func place(of id: PhotoID) throws -> OrderKey? {
        try database.read { reader in
            let row = try #require(try reader.stream(named: Self.stream))
            return try reader.orderKey(streamID: row.id, id: id)
        }
    }

    /// The photos of the stream in their order.
    private func livingOrder() throws -> [Placed] {
        try database.read { reader in
            let row = try #require(try reader.stream(named: Self.stream))
            return try reader.photos(streamID: row.id, after: nil, limit: 100_000)
                .map { Placed(photo: $0.photo, key: $0.key) }
        }
    }

    /// The photos of the stream by their pictures.
    private func livingPhotos() throws -> [Int: [Placed]] {
        Dictionary(grouping: try livingOrder()) { number(of: $0.photo) }
    }

    private func deletedPhotos() throws -> [Int: [Photo]] {
        let found = try service.read { try $0.deletedPhotos(of: Self.stream, after: nil, limit: 1_000) }
        return Dictionary(grouping: found.photos.map(\.photo)) { number(of: $0) }
    }

    /// Compares the stream with the record of contents.
    ///
    /// - Returns: The losses and misplacements, a clause for each picture.
    func differences() throws -> [String] {
        let (living, deleted) = (try livingPhotos(), try deletedPhotos())
        var found = living.keys.filter { !pictures.indices.contains($0) }.map { "a photo of no picture: \($0)" }
        for (number, picture) in pictures.enumerated() {
            let photos = living[number] ?? []
            func report(_ words: String) {
                found.append("\(number): \(words) (\(photos.map(\.photo.id.rawValue)), \(picture))")
            }
            if picture.deletion != nil {
                if !photos.isEmpty { report("deleted, and there again") }
                continue
            }
            if photos.count > 1 { report("there are several photos") }
            guard let photo = photos.first else {
                if picture.isSeen { report("its file is there, and no photo") }
                guard picture.wasImported else { continue }
                let kept = deleted[number] ?? []
                if kept.isEmpty {
                    report("it is lost")
                } else if !kept.contains(where: { isRight($0, picture) }) {
                    report("what is kept is not what a person wrote")
                }
                continue
            }
            if picture.isSeen, let file = picture.file, photo.photo.id.rawValue != file.path { report("another id") }
            if !isRight(photo.photo, picture) {
                report(
                    "caption \(photo.photo.caption ?? "none"), rating \(photo.photo.rating.map(String.init) ?? "none")")
            }
            if let place = picture.place, !Self.isAt(place, photo.key) { report("it is elsewhere: \(photo.key)") }
        }
        return found
    }

    /// Whether a photo is at a place, or right after it if another one took that since.
    private static func isAt(_ place: OrderKey, _ key: OrderKey) -> Bool {
        key.time == place.time && (place.rank - 64...place.rank).contains(key.rank)
    }

    private func isRight(_ photo: Photo, _ picture: Picture) -> Bool {
        photo.caption == picture.caption && (picture.rating == nil || photo.rating == picture.rating)
    }
}
