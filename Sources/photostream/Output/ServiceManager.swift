import Foundation
import PhotoStreamService
import ServiceLifecycle

/// The service manager that started this process, such as systemd.
///
/// Source: sd_notify(3), and systemd.service(5), `Type=notify` and `WatchdogSec=`.
struct ServiceManager {
    private let socketPath: String
    /// The time within which it expects a sign of progress; `nil` if it does not.
    let watchdogTime: Duration?

    /// Finds the service manager; `nil` if none expects messages.
    ///
    /// - Parameter environment: The process's environment.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        socketPath = path
        let isForThis = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        watchdogTime = isForThis ? environment["WATCHDOG_USEC"].flatMap { Int($0) }.map { .microseconds($0) } : nil
    }

    /// Sends a message, such as `READY=1`; a manager that does not listen misses it.
    func send(_ message: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(socketPath.utf8)
        // An abstract name begins with a zero.
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        let length = bytes.count
        guard length < MemoryLayout.size(ofValue: address.sun_path) else { return }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let size = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + length } ?? 0
        let text = Array(message.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), address, socklen_t(size))
            }
        }
    }
}

/// Reports to the service manager regularly that the file can be read, until the server ends.
///
/// A server whose file or threads are stuck reports nothing, and is restarted.
struct ProgressReports: Service {
    let manager: ServiceManager
    let service: PhotoStreamService

    func run() async throws {
        guard let time = manager.watchdogTime else {
            try? await gracefulShutdown()
            return manager.send("STOPPING=1")
        }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if await canRead() { manager.send("WATCHDOG=1") }
                try? await Task.sleep(for: time / 3)
            }
        }
        manager.send("STOPPING=1")
    }

    /// Reads the file on a separate thread, since that may block.
    private func canRead() async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: (try? service.checkIsReadable()) != nil) }
        }
    }
}
