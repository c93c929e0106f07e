import Crypto
import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import Synchronization
import Testing

/// Reads "pictures" that are lines of text, and counts the opened files: an independent replacement for the decode
/// workers.
///
/// The first line is `P width height`; others are `caption …`, `rating n`, `tags a,b`, `takenAt milliseconds`,
/// `preview byte`, `warning kind`. A file that begins with `bad` is damaged, one that begins with `film` needs exiftool,
/// which is not there, and any other is not a picture.
final class TextPictures: HeaderSource, PictureDecoding {
    private let opened = Mutex<[String]>([])
    private let hashed = Mutex<[String]>([])

    /// The files whose headers were read since the last call, sorted.
    func takeOpened() -> [String] { Self.take(opened) }
    /// The files that were hashed since the last call, sorted.
    func takeHashed() -> [String] { Self.take(hashed) }

    private static func take(_ list: borrowing Mutex<[String]>) -> [String] {
        list.withLock { list in
            defer { list = [] }
            return list.sorted()
        }
    }

    func header(of file: PictureFileName, sidecars: [String]) async -> Result<PictureHeader, PictureFailure> {
        opened.withLock { $0.append(file.path) }
        guard let text = try? String(contentsOfFile: file.root + "/" + file.path, encoding: .utf8) else {
            return .failure(PictureFailure(.missing, reason: "there is no such file"))
        }
        if text.hasPrefix("bad") { return .failure(PictureFailure(.damaged, reason: "it is cut off")) }
        if text.hasPrefix("film") { return .failure(.withoutExifTool) }
        let lines = text.split(separator: "\n").map(String.init)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3, words[0] == "P", let width = Int(words[1]), let height = Int(words[2]),
            let size = try? PixelSize(width: width, height: height)
        else { return .failure(PictureFailure(.notAPicture, reason: "it is not a picture")) }
        var header = PictureHeader(
            format: .jpeg, size: size, orientation: .up, embedded: Self.metadata(lines.dropFirst()))
        if let line = lines.first(where: { $0.hasPrefix("preview ") }), let byte = UInt8(line.dropFirst(8)) {
            header.preview = PicturePreview(placeholder: [byte], color: RGBColor(rawValue: UInt32(byte)))
        }
        for line in lines where line.hasPrefix("warning ") {
            let kind = FileWarning.allCases.first { $0.name == line.dropFirst(8) }
            if let kind { header.warnings.append(PictureWarning(kind, reason: "Something cannot be read.")) }
        }
        for name in sidecars {
            let path = file.root + "/" + name
            if let text = try? String(contentsOfFile: path, encoding: .utf8) {
                header.sidecar = Self.metadata(text.split(separator: "\n").map(String.init)[...])
                break
            }
        }
        return .success(header)
    }

    func content(of file: PictureFileName) async -> Result<FileContent, PictureFailure> {
        hashed.withLock { $0.append(file.path) }
        guard let data = FileManager.default.contents(atPath: file.root + "/" + file.path) else {
            return .failure(PictureFailure(.missing, reason: "there is no such file"))
        }
        return .success(Self.content(of: data))
    }

    /// Returns at once: nothing has to run.
    func run() async {}

    /// Decodes a text picture to its measures, without thumbnails.
    func decode(_ request: DecodeRequest, urgency: Urgency) async -> Result<DecodedPicture, PictureFailure> {
        switch await header(of: request.file, sidecars: []) {
        case .failure(let failure): return .failure(failure)
        case .success(let header):
            let data = FileManager.default.contents(atPath: request.file.root + "/" + request.file.path) ?? Data()
            let measures = PictureMeasures(
                content: Self.content(of: data), placeholder: [], color: RGBColor(rawValue: 0))
            return .success(
                DecodedPicture(
                    stamp: FileStamp(byteCount: Int64(data.count), modifiedNanoseconds: 0),
                    displayedSize: header.size, orientation: .up, measures: measures, thumbnails: []))
        }
    }

    /// The content: the picture is the first line, everything else is metadata.
    ///
    /// All bytes have the SHA-256 of a deletion.
    static func content(of data: Data) -> FileContent {
        FileContent(
            pictureHash: Array(SHA256.hash(data: Data("picture ".utf8) + data.prefix { $0 != UInt8(ascii: "\n") })),
            fileHash: Array(SHA256.hash(data: data)))
    }

    private static func metadata(_ lines: ArraySlice<String>) -> PictureMetadata {
        var metadata = PictureMetadata()
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            switch words[0] {
            case "caption": metadata.caption = words[1]
            case "rating": metadata.rating = Int(words[1])
            case "tags": metadata.keywords = words[1].split(separator: ",").map(String.init)
            case "takenAt":
                metadata.takenAt = Int64(words[1]).flatMap {
                    try? CaptureTime(milliseconds: $0, utcOffsetMinutes: nil, precision: .second)
                }
            default: break
            }
        }
        return metadata
    }
}

/// A folder of text pictures, and the stream that it is imported into.
final class TextFolder {
    static let stream = StreamName(stored: "family")

    let temporary: TemporaryDatabase
    let service: PhotoStreamService
    /// Another way into the same file.
    private let database: PhotoDatabase
    let pictures = TextPictures()
    /// Without symbolic links.
    let folder: URL
    var options = FolderImport.Options()
    /// Stands still unless a test advances it.
    let clock = TestClock()

    init() throws {
        temporary = try TemporaryDatabase()
        service = try PhotoStreamService(
            path: temporary.path, access: .readWrite, primary: temporary.primary, now: clock.tick)
        clock.step = 0
        clock.advance(by: 1_000_000)
        database = try temporary.open(.existing)
        folder = URL(filePath: temporary.folder).resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder.appending(path: "a"), withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    /// Writes a file beneath the folder `a`, with a modification time that is its own unless another is given.
    func write(_ name: String, _ text: String, seconds: Int? = nil) throws {
        let url = folder.appending(path: "a/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        if let seconds {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: url.path)
        }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path("a/" + name)) }

    func move(_ name: String, to new: String) throws {
        let url = folder.appending(path: "a/" + new)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path("a/" + name), toPath: path("a/" + new))
    }

    /// Imports folders, `a` by default; returns the progress at the end with all notices.
    @discardableResult
    func run(_ names: String..., isDryRun: Bool = false) async throws -> FolderProgress {
        let paths = (names.isEmpty ? ["a"] : names).map(path)
        let run = try FolderImport(
            paths, into: Self.stream, options: options, reading: pictures, of: service, isDryRun: isDryRun)
        let notices = Mutex<[FileNotice]>([])
        var progress = try await run.run { state in notices.withLock { $0 += state.notices } }
        progress.notices = notices.withLock { $0 }
        let totals = progress.totals
        precondition(
            totals.read == totals.inserted + totals.updated + totals.unchanged + totals.duplicate + totals.rejected)
        return progress
    }

    /// The photo with an id.
    func photo(_ id: String) throws -> Photo? {
        try database.read { reader in
            guard let row = try reader.stream(named: Self.stream) else { return nil }
            return try reader.photo(streamID: row.id, id: PhotoID(stored: id))?.photo
        }
    }

    /// The ids of all photos, sorted.
    func ids() throws -> [String] {
        try database.read { reader in
            guard let row = try reader.stream(named: Self.stream) else { return [] }
            return try reader.photos(streamID: row.id, after: nil, limit: 100_000).map(\.photo.id.rawValue).sorted()
        }
    }

    /// Edits a caption, as a person does.
    func edit(_ id: String, caption: String) throws {
        var record = PhotoRecord(id: PhotoID(stored: id))
        record.caption = .set(caption)
        try service.edit(record, in: Self.stream)
    }
}

extension TextFolder {
    /// Stores the result of a decode of a photo's picture, as the warm-up does.
    func decode(_ id: String) throws {
        try database.write { writer in
            let row = try #require(try writer.reader.stream(named: Self.stream))
            let photo = try #require(try writer.reader.picturedPhoto(streamID: row.id, id: PhotoID(stored: id)))
            let data = try #require(FileManager.default.contents(atPath: path("a/" + id)))
            let found = try writer.reader.pictureFiles(streamID: row.id, rootID: 1, paths: [id])
            let file = try #require(found.first ?? nil)
            let content = TextPictures.content(of: data)
            let picture = PictureRow(
                byteCount: Int64(data.count), modifiedNanoseconds: file.modifiedNanoseconds, orientation: .up,
                state: .ready, fileHash: content.fileHash, pictureHash: content.pictureHash,
                key: PictureKey(bytes: Array(content.fileHash.prefix(16))))
            #expect(try writer.savePictures([(photo, picture)], now: 1) == 1)
        }
    }

    /// All photos in stream order.
    func photos() throws -> [Photo] {
        try database.read { reader in
            let row = try #require(try reader.stream(named: Self.stream))
            return try reader.photos(streamID: row.id, after: nil, limit: 100_000).map(\.photo)
        }
    }
}
