import Foundation

/// Files that are not whole yet: an interrupt or a termination takes them away, and so does a later run with those of
/// processes that were killed.
enum PartialFiles {
    /// As many as are ever open at once, and a few more.
    private static let capacity = 8

    /// The paths as C strings, which a signal handler can read at any moment: a string stays allocated for good.
    ///
    /// Unsafe in name only: a command opens and closes its files one after the other in the one task that it is, so nobody
    /// writes a slot at the same time; what a signal handler reads is one word, the old or the new.
    private nonisolated(unsafe) static let paths: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = {
        let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: capacity)
        paths.initialize(repeating: nil, count: capacity)
        return paths
    }()

    /// Whether signals are handled: once for the process, and not while ``paths`` are made, which a handler would wait
    /// for on the very thread that it interrupts.
    private static let areSignalsHandled: Bool = {
        for number in [SIGINT, SIGTERM, SIGHUP] { removeFiles(on: number) }
        return true
    }()

    /// Begins to handle signals, once for the process.
    static func handleSignals() { _ = areSignalsHandled }

    /// Has a file removed when a signal ends the process.
    static func insert(_ path: String) {
        guard let slot = (0..<capacity).first(where: { paths[$0] == nil }), areSignalsHandled else { return }
        paths[slot] = strdup(path)
    }

    /// Leaves a file alone again: it is whole, or gone.
    static func remove(_ path: String) {
        for slot in 0..<capacity {
            if let known = paths[slot], strcmp(known, path) == 0 { paths[slot] = nil }
        }
    }

    /// Removes the files that are not whole yet, before a signal ends the process.
    static func removeAll() {
        for slot in 0..<capacity {
            if let path = paths[slot] { unlink(path) }
        }
    }

    /// What a file is called while this process writes it.
    static func name(of file: String) -> String { prefix(of: file) + "\(getpid())" + suffix }

    /// Removes what processes that are no more have left of a file.
    ///
    /// - Parameters:
    ///   - file: The name of the whole file.
    ///   - folder: Where it lies.
    static func removeStale(of file: String, in folder: URL) {
        let prefix = prefix(of: file)
        let path = folder.path(percentEncoded: false)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            guard let process = pid_t(name.dropFirst(prefix.count).dropLast(suffix.count)), process > 0 else {
                continue
            }
            let partial = folder.appending(path: name).path(percentEncoded: false)
            if isGone(process), lock(partial) { unlink(partial) }
        }
    }

    private static let suffix = ".partial"

    private static func prefix(of file: String) -> String { ".\(file)." }

    private static func isGone(_ process: pid_t) -> Bool { kill(process, 0) == -1 && errno == ESRCH }

    /// Whether nobody has the file locked: a process of another container may write it, which cannot be seen from here.
    private static func lock(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Removes the files and lets the signal do what it does, unless it is ignored, as under `nohup`.
    private static func removeFiles(on number: Int32) {
        let before = signal(number) { number in
            PartialFiles.removeAll()
            signal(number, SIG_DFL)
            raise(number)
        }
        if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
}
