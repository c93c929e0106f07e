import CVips
import Glibc

/// A program that the worker starts, with pipes to its input and from its output.
///
/// It has the limits of the worker and further ones, and no descriptor of it. It never receives the name of a file: it
/// opens the descriptor of the worker by its place in `/proc`, which consists of two numbers (``path(of:)``). It starts
/// without a configuration of the user, and ends with the object or with the worker.
final class ChildProgram {
    /// The reason for which a program gave no answer.
    enum Failure: String, Error {
        /// It cannot be started; an interpreter or a library may be missing.
        case unavailable = "cannot be started"
        /// It took too long, wrote too much or crashed.
        case stopped = "was stopped"
    }

    private static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC", "HOME=/nonexistent"]

    private var child = photostream_child()
    private var hasEnded = false

    /// Starts a program on the main thread, with which it ends.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: Its arguments, without its name.
    ///   - addressSpaceByteCount: Its address space, in bytes.
    /// - Throws: ``Failure/unavailable``.
    init(path: String, arguments: [String], addressSpaceByteCount: Int64) throws(Failure) {
        let (argumentTexts, environmentTexts) = (CStrings([path] + arguments), CStrings(Self.environment))
        let result = withExtendedLifetime((argumentTexts, environmentTexts)) {
            unsafe photostream_start_child(
                path, argumentTexts.start, environmentTexts.start, addressSpaceByteCount, &child)
        }
        guard result == 0 else {
            hasEnded = true
            throw .unavailable
        }
    }

    deinit { end() }

    /// Runs a program without input.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: Its arguments, without its name.
    ///   - addressSpaceByteCount: Its address space, in bytes.
    ///   - seconds: Its processor time, in seconds.
    ///   - byteCount: The maximum length of its output, in bytes.
    ///   - milliseconds: The time by the clock.
    /// - Returns: Its output, regardless of its status.
    /// - Throws: ``Failure``.
    static func output(
        of path: String, arguments: [String], addressSpaceByteCount: Int64, seconds: Int64,
        maximumByteCount byteCount: Int, within milliseconds: Int32
    ) throws(Failure) -> [UInt8] {
        let program = try ChildProgram(
            path: path, arguments: arguments, addressSpaceByteCount: addressSpaceByteCount)
        let output: Result<[UInt8], Failure>
        do throws(Failure) {
            try program.limitProcessorTime(seconds: seconds)
            output = .success(try program.read(until: nil, maximumByteCount: byteCount, within: milliseconds))
        } catch {
            output = .failure(error)
        }
        guard !program.end() else { throw .unavailable }
        return try output.get()
    }

    /// Returns the path by which a program opens a file of the worker.
    static func path(of file: OpenedPicture) -> String { "/proc/\(getpid())/fd/\(file.descriptor)" }

    /// Limits its processor time from now on, in seconds.
    ///
    /// - Throws: ``Failure/stopped`` if it has ended.
    func limitProcessorTime(seconds: Int64) throws(Failure) {
        guard photostream_limit_child(child.process, seconds) == 0 else { throw .stopped }
    }

    /// Writes a request that fits into an empty pipe.
    ///
    /// - Throws: ``Failure/stopped`` if it has ended.
    func write(_ text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(child.input, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw .stopped }
    }

    /// Reads its output.
    ///
    /// - Parameters:
    ///   - mark: The bytes at the end of the output so far; `nil` to read until its end.
    ///   - byteCount: The maximum length of the output.
    ///   - milliseconds: The time by the clock.
    /// - Returns: The bytes before the mark.
    /// - Throws: ``Failure/stopped``.
    func read(
        until mark: [UInt8]?, maximumByteCount byteCount: Int, within milliseconds: Int32
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        let start = ContinuousClock.now
        while true {
            let left = milliseconds - Int32((ContinuousClock.now - start) / .milliseconds(1))
            var state = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&state, 1, max(0, left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw .stopped }
            let block = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = max(0, unsafe Glibc.read(child.output, buffer.baseAddress, buffer.count))
            }
            guard !block.isEmpty else {
                guard mark == nil else { throw .stopped }
                return bytes
            }
            bytes += block
            if let mark, bytes.suffix(mark.count).elementsEqual(mark) { return bytes.dropLast(mark.count) }
            guard bytes.count <= byteCount else { throw .stopped }
        }
    }

    /// Ends it.
    ///
    /// - Returns: Whether the system could not run it, as far as is known.
    @discardableResult
    func end() -> Bool {
        guard !hasEnded else { return false }
        hasEnded = true
        // The status with which a shell, too, reports a program that cannot be run.
        return unsafe photostream_end_child(&child) == 127
    }
}

/// C strings, and a null pointer after the last; they are valid as long as the object.
@safe private final class CStrings {
    /// The first.
    let start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        unsafe start = .allocate(capacity: texts.count + 1)
        for (place, text) in texts.enumerated() { unsafe (start + place).initialize(to: strdup(text)) }
        unsafe (start + texts.count).initialize(to: nil)
    }

    deinit {
        for place in 0..<count { unsafe free(start[place]) }
        unsafe start.deallocate()
    }
}
