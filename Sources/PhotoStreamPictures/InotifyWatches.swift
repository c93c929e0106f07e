import Foundation

/// A folder cannot be watched.
struct Unwatchable: Error {
    /// The reason as a clause.
    let reason: String
}

extension Unwatchable {
    /// Creates the error of a code of `errno`.
    init(code: Int32) {
        switch code {
        case ENOSPC: reason = "the system has no room for more watches (fs.inotify.max_user_watches)"
        case EMFILE: reason = "the system has no room for more watchers (fs.inotify.max_user_instances)"
        default: reason = unsafe String(cString: strerror(code))
        }
    }
}

/// The inotify watches, one for each folder.
///
/// Source: inotify(7).
struct InotifyWatches: ~Copyable {
    /// The kind of a change of a name.
    enum Change {
        /// It was created or written, and its writer may continue.
        case written
        /// Its writer has closed it, or it was moved or deleted as a whole.
        case completed
        /// Its attributes have changed, such as its time.
        case described
    }

    /// An event.
    enum Event {
        /// A name in a folder was created, written, moved or deleted.
        case changed(folder: String, name: String, isFolder: Bool, change: Change)
        /// Events were lost.
        case overflow
    }

    private var descriptor: Int32 = -1
    private var folders: [Int32: String] = [:]
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens the queue of events.
    ///
    /// - Throws: ``Unwatchable``.
    mutating func open() throws(Unwatchable) {
        let result = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard result >= 0 else { throw Unwatchable(code: errno) }
        descriptor = result
    }

    /// Watches a folder, whose path from the root is `place`; nothing happens if it is gone.
    ///
    /// - Throws: ``Unwatchable`` if there is no room.
    mutating func add(_ place: String, at path: String) throws(Unwatchable) {
        let mask =
            IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR
            | IN_DONT_FOLLOW
        let watch = unsafe inotify_add_watch(descriptor, path, UInt32(bitPattern: mask))
        guard watch >= 0 else {
            if errno == ENOSPC || errno == ENOMEM { throw Unwatchable(code: errno) }
            return
        }
        folders[watch] = place
    }

    /// Waits for events.
    ///
    /// - Returns: The events; none after the timeout.
    mutating func events(withinMilliseconds timeout: Int32) -> [Event] {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, timeout) > 0 else { return [] }
        let file = descriptor
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        guard count > 0 else { return [] }
        return events(in: count)
    }

    /// Reads events: watch, mask, cookie and length of the name, four bytes each, then the name.
    private mutating func events(in count: Int) -> [Event] {
        var events: [Event] = []
        var position = 0
        func number(at place: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(buffer[place + $1]) << UInt32(8 * $1) }
        }
        while position + 16 <= count {
            let (watch, mask) = (Int32(bitPattern: number(at: position)), number(at: position + 4))
            let end = min(count, position + 16 + Int(number(at: position + 12)))
            let name = buffer[position + 16..<end].prefix { $0 != 0 }
            position = end
            if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                events.append(.overflow)
            } else if mask & UInt32(IN_IGNORED) != 0 {
                folders[watch] = nil
            } else if let folder = folders[watch], let name = String(validating: name, as: UTF8.self), !name.isEmpty {
                events.append(
                    .changed(
                        folder: folder, name: name, isFolder: mask & UInt32(IN_ISDIR) != 0, change: Self.change(mask)))
            }
        }
        return events
    }

    private static func change(_ mask: UInt32) -> Change {
        if mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE) != 0 { return .completed }
        return mask & UInt32(IN_ATTRIB) != 0 ? .described : .written
    }
}
