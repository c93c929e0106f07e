import Foundation
import Logging
public import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

/// The sizes of pictures that clients can request.
public enum PictureSize: Hashable, CaseIterable, Sendable {
    /// The unmodified file.
    case original
    /// A thumbnail.
    case thumbnail(ThumbnailSize)

    /// All sizes, the original first.
    public static let allCases = [PictureSize.original] + ThumbnailSize.allCases.map(PictureSize.thumbnail)
}

extension PictureSize: RawRepresentable {
    /// Reads `original`, or the length of a thumbnail's longer side.
    public init?(rawValue: String) {
        guard let size = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = size
    }

    /// The size as text.
    public var rawValue: String {
        switch self {
        case .original: "original"
        case .thumbnail(let size): String(size.rawValue)
        }
    }
}

/// A reason why there is no picture of a photo, in one sentence without a path, because any client may see it.
public enum PictureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The photo has no location.
    case withoutLocation(photo: String)
    /// The location is an address to which no client is redirected.
    case refusedAddress(photo: String)
    /// No root serves the stream, or none of them has a readable file.
    case unreachable(photo: String)
    /// The photo's file contains no film, or was changed since an import has read it.
    case withoutFilm(photo: String)
    /// The location is not a regular file, or its type is unknown.
    case notAPicture(photo: String)
    /// The system has too many open files; it may have fewer later.
    case tooManyFiles
    /// The file cannot be read.
    case unreadable(photo: String)
    /// No photo has a picture with this key.
    case unknownKey(String)
    /// The thumbnail queue is full.
    case tooManyThumbnails(limit: Int)

    /// A sentence that names the photo.
    public var description: String {
        switch self {
        case .withoutLocation(let photo): "photo \"\(photo)\" has no location, so there is no picture of it"
        case .refusedAddress(let photo):
            "the location of photo \"\(photo)\" is an address to which clients are not redirected: only http and "
                + "https addresses without credentials are allowed"
        case .unreachable(let photo): "there is no file for photo \"\(photo)\" beneath the folders that are served"
        case .withoutFilm(let photo): "the file of photo \"\(photo)\" contains no film"
        case .notAPicture(let photo): "the location of photo \"\(photo)\" does not name a picture of a known type"
        case .tooManyFiles: "too many files are open; ask again later"
        case .unreadable(let photo): "the picture of photo \"\(photo)\" cannot be read"
        case .unknownKey(let key): "no photo has a picture with the key \"\(key)\""
        case .tooManyThumbnails(let limit): "\(limit) thumbnails are being made or waiting; ask again later"
        }
    }
}

/// The location of a photo's picture.
public enum PictureSource: Sendable {
    /// In a file beneath a root.
    case file(PictureFile)
    /// At an address elsewhere, http or https without credentials, ASCII; the server never fetches it.
    case address(String)
}

/// The target of a photo's location beneath the roots.
enum FoundPicture {
    /// An address elsewhere.
    case address(String)
    /// A regular file beneath a root.
    case file(FoundFile)
}

/// A regular file beneath a root.
struct FoundFile {
    /// The root, without symbolic links, and the path beneath it.
    let name: PictureFileName
    /// The version of its bytes.
    let version: FileVersion
    /// The open file; `nil` if its type is not served unmodified.
    let file: PictureFile?
}

extension PhotoStreamService {
    /// Returns the picture of a photo.
    ///
    /// A relative location is resolved beneath the stream's own roots, then beneath those of all streams, each in the
    /// order in which they were added; an absolute one beneath the roots that are prefixes of its path. The first root
    /// with something at that path decides. Only roots that were added on this machine count.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - stream: The stream.
    /// - Returns: An open file, or an address to redirect to.
    /// - Throws: ``PictureError``, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func picture(of id: PhotoID, in stream: StreamName) throws -> PictureSource {
        let (location, roots) = try transaction { reader in
            let photos = try reader.photos(named: stream)
            let location = try reader.photo(id, of: photos).photo.location
            return (location, try reader.roots(servingStreamID: photos.stream.id, on: HostIdentity.name))
        }
        switch try found(location, beneath: roots, of: id) {
        case .address(let address): return .address(address)
        case .file(let found):
            guard let file = found.file else {
                log("it is not a picture of a known type", path: found.name.path, root: found.name.root, id: id)
                throw PictureError.notAPicture(photo: id.rawValue)
            }
            return .file(file)
        }
    }

    /// Returns the film in the file of a motion photo, as an import has found it.
    ///
    /// - Throws: ``PictureError``, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func film(of id: PhotoID, in stream: StreamName) throws -> PictureFile {
        let known = try transaction { reader in
            try reader.pictureFiles(of: id, streamID: try reader.photos(named: stream).stream.id).filter {
                $0.film != nil
            }
        }
        guard case .file(let file) = try picture(of: id, in: stream),
            let row = known.first(where: {
                $0.byteCount == file.version.byteCount && $0.modifiedNanoseconds == file.version.modifiedNanoseconds
            }), let film = row.film, film.upperBound <= row.byteCount
        else { throw PictureError.withoutFilm(photo: id.rawValue) }
        return file.film(in: film)
    }

    /// Resolves a location beneath roots; the first root with something at its path decides.
    ///
    /// - Throws: ``PictureError``.
    func found(_ text: String?, beneath roots: [RootRow], of id: PhotoID) throws(PictureError) -> FoundPicture {
        guard let text, !text.isEmpty else { throw PictureError.withoutLocation(photo: id.rawValue) }
        guard let location = PictureLocation(text) else { throw PictureError.refusedAddress(photo: id.rawValue) }
        if case .remote(let address) = location { return .address(address) }
        for root in roots {
            guard let path = location.path(beneath: [root.path, root.resolvedPath]) else { continue }
            if let file = try file(path, beneath: root, of: id) { return .file(file) }
        }
        // A location may contain line breaks, which would start new lines in the log.
        logger.info("no file for a photo", metadata: ["photo": "\(id)", "location": "\(String(reflecting: text))"])
        throw PictureError.unreachable(photo: id.rawValue)
    }

    /// The file at a path beneath a root; `nil` if there is none.
    private func file(_ path: String, beneath root: RootRow, of id: PhotoID) throws(PictureError) -> FoundFile? {
        let name = PictureFileName(root: root.resolvedPath, path: path)
        let descriptor: Int32
        do throws(FolderError) {
            descriptor = try OpenFolder(root.resolvedPath).open(path)
        } catch {
            guard error.code != ENOENT, error.code != ENOTDIR else { return nil }
            log(error.rootReason, path: path, root: root.path, id: id)
            throw Self.error(error.code, of: id)
        }
        let opened: (version: FileVersion, picture: PictureFile?)?
        do throws(PictureFile.ReadError) {
            opened = try PictureFile.opened(descriptor, at: path)
        } catch {
            guard case .failed(let code) = error else { throw PictureError.unreadable(photo: id.rawValue) }
            unsafe log(String(cString: strerror(code)), path: path, root: root.path, id: id)
            throw Self.error(code, of: id)
        }
        guard let opened else {
            log("it is not a regular file", path: path, root: root.path, id: id)
            throw PictureError.notAPicture(photo: id.rawValue)
        }
        return FoundFile(name: name, version: opened.version, file: opened.picture)
    }

    private func log(_ reason: String, path: String, root: String, id: PhotoID) {
        logger.info(
            "a photo's file is not served",
            metadata: [
                "photo": "\(id)", "path": "\(String(reflecting: path))", "root": "\(root)", "reason": "\(reason)",
            ])
    }

    private static func error(_ code: Int32, of id: PhotoID) -> PictureError {
        switch code {
        case EXDEV, ELOOP, EACCES, EPERM, ENAMETOOLONG, EAGAIN, EOPNOTSUPP: .unreachable(photo: id.rawValue)
        // The errors of opening a socket, a folder or a device without a driver.
        case ENXIO, EISDIR, ENODEV: .notAPicture(photo: id.rawValue)
        case EMFILE, ENFILE, ENOMEM: .tooManyFiles
        default: .unreadable(photo: id.rawValue)
        }
    }
}
