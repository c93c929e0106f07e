import Crypto
import Foundation
public import PhotoStreamModel
import PhotoStreamPictures
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

    /// The folder as given, absolute.
    public let path: String
    /// The folder without symbolic links, as of the time when it was added.
    public let resolvedPath: String
    /// The only stream whose photos it serves; `nil` for all.
    public let stream: StreamName?
    /// The time when it was added, in milliseconds since 1970.
    public let addedAtMilliseconds: Int64
    /// The servers that serve it.
    public let reach: RootReach
    /// The state at the time of the answer.
    public let state: State
}

/// The servers that serve the pictures of a root.
public enum RootReach: Hashable, Sendable {
    /// Those on the machine on which it was added: elsewhere, its path may be another folder.
    case machine
    /// All servers of the file or of its PostgreSQL database, beneath the same path on each.
    case everyServer
}

/// A reason for refusing to add or remove a folder, in one sentence that names it.
public enum RootError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no such folder, or it cannot be opened.
    case unusable(String, reason: String)
    /// It is the top of the file system.
    case everything
    /// It already serves these photos.
    case exists(String, stream: String?)
    /// It was not added, or for other photos.
    case unknown(String, stream: String?)
    /// The system cannot check by itself that a file is beneath a folder.
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
    /// - Throws: `StorageError`.
    public func roots() throws -> [RootSummary] {
        try transaction { try $0.roots() }.map(Self.summary)
    }

    /// Adds a folder beneath which pictures are served.
    ///
    /// - Parameters:
    ///   - name: The folder's path, absolute or from the working directory.
    ///   - stream: The only stream whose photos it serves; `nil` for all.
    ///   - reach: The servers that serve it. For all of them, the folder must be beneath the same path on each, without
    ///     symbolic links; otherwise, the root is unreachable.
    /// - Returns: The root.
    /// - Throws: ``RootError``, ``StreamServiceError/unknownStream(_:)``.
    @discardableResult
    public func addRoot(
        _ name: String, for stream: StreamName? = nil, on reach: RootReach = .machine
    ) throws -> RootSummary {
        let path = try RootPath(name)
        try Self.checkOpening(path, name: name)
        let body = { (writer: PhotoWriter) throws -> RootSummary in
            let streamID = try stream.map { try writer.reader.row(of: $0).id }
            let isAdded =
                switch reach {
                case .machine:
                    try writer.addRoot(
                        path.path, resolvedPath: path.resolvedPath, streamID: streamID, machine: HostIdentity.name,
                        now: self.now())
                case .everyServer:
                    try writer.declareRoot(
                        path.path, resolvedPath: path.resolvedPath, streamID: streamID, now: self.now())
                }
            guard isAdded else { throw RootError.exists(path.path, stream: stream?.rawValue) }
            guard let row = try writer.reader.roots().last else {
                throw StorageError(.corrupt, message: "the file has lost a root")
            }
            return Self.summary(row)
        }
        return try reach == .machine ? writeLocally(body) : write(body)
    }

    /// Removes a folder beneath which pictures are served; it need not exist any more.
    ///
    /// - Parameters:
    ///   - name: The folder's path, as listed or from the working directory.
    ///   - stream: The stream for which it was added; `nil` if it was added for all.
    /// - Returns: The removed roots, from all machines.
    /// - Throws: ``RootError/unknown(_:stream:)``, ``StreamServiceError/unknownStream(_:)``.
    @discardableResult
    public func removeRoot(_ name: String, for stream: StreamName? = nil) throws -> [RootSummary] {
        let path = RootPath.absolute(name) ?? (try? RootPath(name))?.path ?? name
        let found = { (reader: PhotoReader) throws -> [RootRow] in
            if let stream { _ = try reader.row(of: stream) }
            return try reader.roots().filter { $0.path == path && $0.stream == stream }
        }
        let body = { (writer: PhotoWriter) throws -> [RootSummary] in
            let rows = try found(writer.reader)
            guard !rows.isEmpty else { throw RootError.unknown(path, stream: stream?.rawValue) }
            for row in rows { try row.machine.isEmpty ? writer.withdrawRoot(row.id) : writer.removeRoot(row.id) }
            return rows.map(Self.summary)
        }
        // A root of this machine alone is removed even if the primary does not answer.
        let isDeclared = try transaction(found).contains { $0.machine.isEmpty }
        return try isDeclared ? write(body) : writeLocally(body)
    }

    /// A folder that cannot be opened now would never serve a picture.
    static func checkOpening(_ path: RootPath, name: String) throws(RootError) {
        do {
            let folder = try OpenFolder(path.resolvedPath)
            // The folder may be open but not searchable.
            Foundation.close(try folder.open("."))
        } catch {
            guard error.code != ENOSYS else { throw RootError.unsupported }
            throw RootError.unusable(name, reason: error.rootReason)
        }
    }

    private static func summary(_ row: RootRow) -> RootSummary {
        RootSummary(
            path: row.path, resolvedPath: row.resolvedPath, stream: row.stream,
            addedAtMilliseconds: row.addedAtMilliseconds, reach: row.machine.isEmpty ? .everyServer : .machine,
            state: state(of: row))
    }

    private static func state(of row: RootRow) -> RootSummary.State {
        guard row.machine.isEmpty || row.machine == HostIdentity.name else { return .otherMachine }
        do {
            _ = try OpenFolder(row.resolvedPath)
            return .open
        } catch {
            return .unreachable(error.rootReason)
        }
    }
}

/// The identity of the machine on which the program runs.
enum HostIdentity {
    /// The name of this machine in files: an HMAC of the system's own id, which must be kept private.
    ///
    /// Machines without such an id, such as many containers, share one name.
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
