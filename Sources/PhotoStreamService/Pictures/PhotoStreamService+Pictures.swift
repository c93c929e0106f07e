import Foundation
import Logging
public import PhotoStreamModel
import PhotoStreamStorage

/// Where a photo's picture is.
public enum PictureSource: Sendable {
    /// In a file beneath a root.
    case file(PictureFile)
    /// At an address elsewhere, http or https without credentials, ASCII: nothing is fetched from it here.
    case address(String)
}

extension PhotoStreamService {
    /// The picture of a photo.
    ///
    /// A relative location is looked up beneath the stream's own roots, then beneath those of all streams, each in the
    /// order in which they were added; an absolute one beneath those whose path it begins with. The first root beneath
    /// which something is there decides. Only roots that were added on this machine count.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - stream: The stream.
    /// - Returns: An open file, or an address to go to.
    /// - Throws: ``PictureError``, ``StreamServiceError/unknownStream(_:)``,
    ///   ``StreamServiceError/unknownPhoto(_:stream:)``.
    public func picture(of id: PhotoID, in stream: StreamName) throws -> PictureSource {
        let (text, roots) = try read { reader in
            let row = try self.stream(stream, reader)
            guard let found = try reader.photo(streamID: row.id, id: id) else {
                throw StreamServiceError.unknownPhoto(id.rawValue, stream: stream.rawValue)
            }
            return (found.photo.location, try reader.roots(servingStreamID: row.id, on: Machine.name))
        }
        guard let text, !text.isEmpty else { throw PictureError.withoutLocation(photo: id.rawValue) }
        guard let location = PictureLocation(text) else { throw PictureError.refusedAddress(photo: id.rawValue) }
        if case .remote(let address) = location { return .address(address) }
        for root in roots {
            guard let path = location.path(beneath: [root.path, root.resolvedPath]) else { continue }
            if let file = try file(path, beneath: root, of: id) { return .file(file) }
        }
        // A location may hold line ends, which would make lines of the log of their own.
        logger.info("no file for a photo", metadata: ["photo": "\(id)", "location": "\(String(reflecting: text))"])
        throw PictureError.unreachable(photo: id.rawValue)
    }

    /// The picture at a path beneath a root; `nil` where nothing is there.
    private func file(_ path: String, beneath root: RootRow, of id: PhotoID) throws -> PictureFile? {
        let descriptor: Int32
        do {
            descriptor = try RootFolder(root.resolvedPath).open(path)
        } catch {
            guard error.code != ENOENT, error.code != ENOTDIR else { return nil }
            log(error.reason, path, root, id)
            throw Self.error(error.code, id)
        }
        do {
            if let file = try PictureFile(taking: descriptor) { return file }
        } catch PictureFile.ReadError.failed(let code) {
            log(String(cString: strerror(code)), path, root, id)
            throw Self.error(code, id)
        }
        log("it is no regular file, or no picture of a known type", path, root, id)
        throw PictureError.notAPicture(photo: id.rawValue)
    }

    private func log(_ reason: String, _ path: String, _ root: RootRow, _ id: PhotoID) {
        logger.info(
            "a photo's file is not served",
            metadata: [
                "photo": "\(id)", "path": "\(String(reflecting: path))", "root": "\(root.path)", "reason": "\(reason)",
            ])
    }

    private static func error(_ code: Int32, _ id: PhotoID) -> PictureError {
        switch code {
        case EXDEV, ELOOP, EACCES, EPERM, ENAMETOOLONG, EAGAIN: .unreachable(photo: id.rawValue)
        // What opening a socket, a folder or a device without a driver comes to.
        case ENXIO, EISDIR, ENODEV: .notAPicture(photo: id.rawValue)
        case EMFILE, ENFILE, ENOMEM: .tooManyFiles
        default: .unreadable(photo: id.rawValue)
        }
    }
}
