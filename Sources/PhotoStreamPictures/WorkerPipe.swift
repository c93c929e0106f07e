import CShims
import SystemPackage

/// The standard input of a worker process, and its standard error, which is discarded.
///
/// The library that starts processes could open them as well. But it ends this program if it can open some of a process's
/// files and then no more, because too many are open.
final class WorkerPipe {
    /// The process's end of its input.
    let childInput: FileDescriptor
    /// The process's standard error.
    let childErrors: FileDescriptor
    private var input: FileDescriptor?
    private var hasChildEnds = true

    /// Opens the files.
    ///
    /// - Throws: `Errno`, usually because too many files are open.
    init() throws {
        childErrors = try FileDescriptor.open(FilePath("/dev/null"), .writeOnly, options: .closeOnExec)
        var ends: [Int32] = [-1, -1]
        let code = unsafe photostream_make_pipe(&ends)
        guard code == 0 else {
            try childErrors.close()
            throw Errno(rawValue: -code)
        }
        (childInput, input) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }

    deinit {
        closeChildEnds()
        closeInput()
    }

    /// Sends bytes, which must fit into the pipe, or be read by the process without an answer.
    ///
    /// - Throws: `Errno`, `brokenPipe` if the process has ended.
    func write(_ bytes: [UInt8]) throws {
        guard let input else { throw Errno.badFileDescriptor }
        try input.writeAll(bytes)
    }

    /// Closes the process's ends in this program; must be called once the process has been started.
    func closeChildEnds() {
        guard hasChildEnds else { return }
        hasChildEnds = false
        for end in [childInput, childErrors] { try? end.close() }
    }

    /// Ends the process's input.
    func closeInput() {
        try? input?.close()
        input = nil
    }
}
