import Crypto
import Foundation
public import PhotoStreamModel
import PhotoStreamStorage

/// A folder beneath which pictures are served.
public struct RootSummary: Hashable, Sendable {
    /// The state of a root.
    public enum State: Hashable, Sendable {
        /// Pictures are served.
        case open
        /// The folder does not exist or cannot be opened; the reason, in the system's words.
        case unreachable(String)
        /// The root was added on another machine, where its path may be another folder.
        case otherMachine
    }

    /// The folder as it was named, absolute.
    public let path: String
    /// The folder without symbolic links, as it was when it was added.
    public let resolvedPath: String
    /// The only stream whose photos it serves; `nil` for all.
    public let stream: StreamName?
    /// The time when it was added, in milliseconds since 1970.
    public let addedAtMilliseconds: Int64
    /// The state at the time of the answer.
    public let state: State
}

/// A reason why a folder is not added or removed, in one sentence that names it.
public enum RootError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no such folder, or it cannot be opened.
    case unusable(String, reason: String)
    /// It is the top of the file system.
    case everything
    /// It already serves these photos.
    case exists(String, stream: String?)
    /// It was not added, or not for these photos.
    case unknown(String, stream: String?)
    /// The system cannot open files beneath a folder by its own check.
    case unsupported

    /// One sentence that names the folder.
    public var description: String {
        switch self {
        case .unusable(let path, let reason): "the folder \"\(path)\" cannot be a root: \(reason)"
        case .everything: "\"/\" cannot be a root: every picture of this machine is beneath it; add folders of pictures"
        case .exists(let path, let stream): "\"\(path)\" is a root\(Self.of(stream)) already"
        case .unknown(let path, let stream):
            "\"\(path)\" is not a root\(Self.of(stream)); `photostream roots` lists them"
        case .unsupported:
            "this system has no openat2, which opens files beneath a folder only (Linux 5.6 or later has it); "
                + "without it no local pictures are served"
        }
    }

    private static func of(_ stream: String?) -> String {
        stream.map { " of stream \"\($0)\"" } ?? " of all streams"
    }
}

extension PhotoStreamService {
    /// Returns every folder beneath which pictures are served, in the order in which they were added.
    ///
    /// - Throws: ``StreamServiceError/storage(_:message:)``.
    public func roots() throws -> [RootSummary] {
        try transaction { try $0.roots() }.map(Self.summary)
    }

    /// Adds a folder beneath which pictures are served, on this machine.
    ///
    /// - Parameters:
    ///   - name: The folder's path, from the working directory where it is relative.
    ///   - stream: The only stream whose photos it serves; `nil` for all.
    /// - Returns: The root.
    /// - Throws: ``RootError``, ``StreamServiceError/unknownStream(_:)``.
    @discardableResult
    public func addRoot(_ name: String, for stream: StreamName? = nil) throws -> RootSummary {
        let path = try RootPath(name)
        try Self.checkOpening(path, name: name)
        return try writeLocally { writer in
            let streamID = try stream.map { try writer.reader.row(of: $0).id }
            let isAdded = try writer.addRoot(
                path.path, resolvedPath: path.resolvedPath, streamID: streamID, machine: HostIdentity.name, now: now())
            guard isAdded else { throw RootError.exists(path.path, stream: stream?.rawValue) }
            guard let row = try writer.reader.roots().last else {
                throw StreamServiceError.storage(.corrupt, message: "the file has lost a root")
            }
            return Self.summary(row)
        }
    }

    /// Removes a folder beneath which pictures are served; it need not be there any more.
    ///
    /// - Parameters:
    ///   - name: The folder's path, as it is listed or from the working directory.
    ///   - stream: The stream that it was added for; `nil` where it was added for all.
    /// - Returns: The removed roots, from all machines.
    /// - Throws: ``RootError/unknown(_:stream:)``, ``StreamServiceError/unknownStream(_:)``.
    @discardableResult
    public func removeRoot(_ name: String, for stream: StreamName? = nil) throws -> [RootSummary] {
        let path = RootPath.absolute(name) ?? (try? RootPath(name))?.path ?? name
        return try writeLocally { writer in
            if let stream { _ = try writer.reader.row(of: stream) }
            let rows = try writer.reader.roots().filter { $0.path == path && $0.stream == stream }
            guard !rows.isEmpty else { throw RootError.unknown(path, stream: stream?.rawValue) }
            for row in rows { try writer.removeRoot(row.id) }
            return rows.map(Self.summary)
        }
    }

    /// A folder that cannot be opened now would never serve a picture.
    static func checkOpening(_ path: RootPath, name: String) throws(RootError) {
        do {
            let folder = try RootFolder(path.resolvedPath)
            // Searching it may be forbidden all the same.
            Foundation.close(try folder.open("."))
        } catch {
            guard error.code != ENOSYS else { throw RootError.unsupported }
            throw RootError.unusable(name, reason: error.reason)
        }
    }

    private static func summary(_ row: RootRow) -> RootSummary {
        RootSummary(
            path: row.path, resolvedPath: row.resolvedPath, stream: row.stream,
            addedAtMilliseconds: row.addedAtMilliseconds, state: state(of: row))
    }

    private static func state(of row: RootRow) -> RootSummary.State {
        guard row.machine == HostIdentity.name else { return .otherMachine }
        do {
            _ = try RootFolder(row.resolvedPath)
            return .open
        } catch {
            return .unreachable(error.reason)
        }
    }
}

/// The identity of the machine that the program runs on.
enum HostIdentity {
    /// The name of this machine in files: an HMAC of the system's own id, which must be kept private.
    ///
    /// Machines without such an id, as many containers are, share one name.
    static let name: String = {
        let own = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
        let key = SymmetricKey(data: Array("PhotoStream roots".utf8))
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(own.trimmingCharacters(in: .whitespacesAndNewlines).utf8), using: key)
        return code.prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }()
}
