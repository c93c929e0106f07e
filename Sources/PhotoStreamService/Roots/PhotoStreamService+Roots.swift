import Foundation
public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Every folder beneath which pictures are served, in the order in which they were added.
    ///
    /// - Throws: ``StreamServiceError/storage(code:message:)``.
    public func roots() throws -> [RootSummary] {
        try read { try $0.roots() }.map(Self.summary)
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
        try Self.checkOpening(path, name)
        return try write { writer in
            let streamID = try stream.map { try self.stream($0, writer.reader).id }
            let isAdded = try writer.addRoot(
                path.path, resolvedPath: path.resolvedPath, streamID: streamID, machine: Machine.name, now: now())
            guard isAdded else { throw RootError.exists(path.path, stream: stream?.rawValue) }
            guard let row = try writer.reader.roots().last else {
                throw StreamServiceError.storage(code: "corrupt", message: "the file has lost a root")
            }
            return Self.summary(row)
        }
    }

    /// Removes a folder beneath which pictures are served; it need not be there any more.
    ///
    /// - Parameters:
    ///   - name: The folder's path, as it is listed or from the working directory.
    ///   - stream: The stream that it was added for; `nil` where it was added for all.
    /// - Returns: What was removed: on whichever machine it was added.
    /// - Throws: ``RootError/unknown(_:stream:)``, ``StreamServiceError/unknownStream(_:)``.
    @discardableResult
    public func removeRoot(_ name: String, for stream: StreamName? = nil) throws -> [RootSummary] {
        let path = RootPath.absolute(name) ?? (try? RootPath(name))?.path ?? name
        return try write { writer in
            if let stream { _ = try self.stream(stream, writer.reader) }
            let rows = try writer.reader.roots().filter { $0.path == path && $0.stream == stream }
            guard !rows.isEmpty else { throw RootError.unknown(path, stream: stream?.rawValue) }
            for row in rows { try writer.removeRoot(row.id) }
            return rows.map(Self.summary)
        }
    }

    /// A folder that cannot be opened now would never serve a picture.
    private static func checkOpening(_ path: RootPath, _ name: String) throws(RootError) {
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
        guard row.machine == Machine.name else { return .otherMachine }
        do {
            _ = try RootFolder(row.resolvedPath)
            return .open
        } catch {
            return .unreachable(error.reason)
        }
    }
}
