import Foundation
import PhotoStreamModel
import PhotoStreamStorage

/// Examines a file and its machine, and recommends remedies for its findings.
///
///     for finding in Doctor(path: "photos.sqlite").findings() where finding.state != .good {
///         print(finding.subject.rawValue, finding.text, finding.advice ?? "")
///     }
///
/// It writes nothing.
public struct Doctor: Sendable {
    let path: String
    let machine: Machine

    /// Creates an examination.
    ///
    /// - Parameter path: The file's path.
    public init(path: String) {
        self.init(path: path, on: Machine(for: path))
    }

    /// Creates an examination on a machine.
    package init(path: String, on machine: Machine) {
        (self.path, self.machine) = (path, machine)
    }

    /// Examines everything.
    ///
    /// - Parameter progress: Called with each subject before it is examined.
    /// - Returns: The findings: at least one finding for each subject that could be examined, in their order.
    /// - Complexity: O(bytes of the file + bytes of thumbnails + photos × stored layouts).
    public func findings(progress: (Finding.Subject) -> Void = { _ in }) -> [Finding] {
        progress(.file)
        var findings: [Finding] = []
        let service: PhotoStreamService?
        do {
            service = try PhotoStreamService(path: path, access: .readOnly) { machine.now }
        } catch {
            service = nil
            findings.append(unreadable(error))
        }
        defer { try? service?.close() }
        if let service { findings += examine(.file) { [try summary(service)] } }
        for subject in Finding.Subject.allCases.dropFirst() {
            progress(subject)
            findings += examine(subject) { try self.findings(about: subject, of: service) }
        }
        return findings
    }

    /// Returns the findings about a subject, or its error as a finding.
    private func examine(_ subject: Finding.Subject, by body: () throws -> [Finding]) -> [Finding] {
        do {
            return try body()
        } catch {
            return [Finding(about: subject, is: .problem, "it cannot be examined: \(error)")]
        }
    }

    private func findings(about subject: Finding.Subject, of service: PhotoStreamService?) throws -> [Finding] {
        switch subject {
        case .disk: return [disk]
        case .openFiles: return [openFiles]
        case .worker: return [worker]
        case .metadata: return [metadata]
        case .videos: return [videos]
        case .fileSystem: return [fileSystem]
        case .permissions: return try service.map { [try permissions($0)] } ?? []
        case .log: return try service.map { [try log($0)] } ?? []
        case .contents: return try service.map { try contents($0) } ?? []
        case .roots: return try service.map { try roots($0) } ?? []
        case .thumbnails: return try service.map { try thumbnails($0) } ?? []
        case .clock: return try service.map { [try clock($0)] } ?? []
        case .watches: return try service.map { [try watches($0)] } ?? []
        case .file, .primary: return []
        }
    }

    // MARK: - The file

    private func unreadable(_ error: any Error) -> Finding {
        guard let error = error as? StorageError else {
            return Finding(about: .file, is: .problem, "\(error)")
        }
        let advice: String? =
            switch error.code {
            case .schemaTooOld:
                "run `photostream upgrade --database \(path)`; `photostream backup` before it keeps a copy for the older version"
            case .schemaTooNew, .schemaDiffers: "use the version of PhotoStream that has made the file, or a newer one"
            case .missingFile, .missingFolder: "name the file with --database, or restore it with `photostream restore`"
            case .corrupt, .notADatabase:
                "if this was a PhotoStream file, put a backup in its place with `photostream restore --replace`"
            default: nil
            }
        let isOld = error.code == .schemaTooOld
        return Finding(
            about: .file, is: isOld ? .warning : .problem,
            isOld ? "\(path) was made by an older version" : error.message,
            advice: advice
        )
    }

    private func summary(_ service: PhotoStreamService) throws -> Finding {
        let streams = try service.read { try $0.streams() }
        let photoCount = streams.reduce(0) { $0 + $1.count }
        let bytes = try service.fileSizes().byteCount
        return Finding(
            about: .file, is: .good, "\(path): photos \(photoCount), streams \(streams.count), bytes \(bytes)")
    }

    private func permissions(_ service: PhotoStreamService) throws -> Finding {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
        let text = String(mode, radix: 8)
        let open = service.filesOpenToOthers
        guard !open.isEmpty else { return Finding(about: .permissions, is: .good, "its mode is \(text)") }
        return Finding(
            about: .permissions, is: .warning,
            "other users of this machine can read photos and secrets in \(open.joined(separator: ", "))",
            advice: "run `chmod o= \(open.joined(separator: " "))`; a server does so at its start")
    }

    private func log(_ service: PhotoStreamService) throws -> Finding {
        let count = try service.fileSizes().logByteCount
        guard count > Self.longLogByteCount else {
            return Finding(about: .log, is: .good, "the write-ahead log has \(count) bytes")
        }
        return Finding(
            about: .log, is: .warning, "the write-ahead log has \(count) bytes",
            advice: "end programs that have had the file open for reading for long; the next write empties the log")
    }

    /// A log length that ordinary use does not reach.
    private static let longLogByteCount: Int64 = 256 << 20

    private func contents(_ service: PhotoStreamService) throws -> [Finding] {
        let answer = try service.verifyDerived()
        let strangers = try service.transaction { try $0.schemaStrangers() }
        let others =
            strangers.isEmpty
            ? []
            : [
                Finding(
                    about: .contents, is: .warning,
                    "the file has what PhotoStream has not made: \(strangers.joined(separator: ", "))",
                    advice: "drop what no program of yours needs")
            ]
        guard !answer.differences.isEmpty else {
            let count = answer.chunkCount + answer.placementCount + answer.framesCount
            return [
                Finding(
                    about: .contents, is: .good,
                    "schema, structures and rows are right; stored chunks compared: \(count)")
            ] + others
        }
        return others
            + answer.differences.map { difference in
                let parts = difference.split(separator: "; ", maxSplits: 1).map(String.init)
                return Finding(about: .contents, is: .problem, parts[0], advice: parts.count > 1 ? parts[1] : nil)
            }
    }
}
