import Foundation

/// A body that is too long for memory, in a file without a name: it goes with the descriptor, however the process ends.
final class SpooledBody: Sendable {
    /// Where this process can open it, to read it from its beginning.
    var path: String { "/proc/self/fd/\(descriptor)" }
    private let descriptor: Int32

    /// Makes an empty file.
    ///
    /// - Throws: ``Problem`` where there is no room for one.
    init() throws(Problem) {
        var template = Array((NSTemporaryDirectory() + "/photostream-body-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.problem }
        self.descriptor = descriptor
        unlink(template)
    }

    deinit {
        close(descriptor)
    }

    /// Appends bytes.
    ///
    /// - Throws: ``Problem`` where there is no room for them.
    func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) {
                write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw Self.problem
            }
            rest = rest.dropFirst(count)
        }
    }

    private static var problem: Problem { Problem(.storageFailed, "the body cannot be kept while it is read") }
}
