import CVips
import Glibc
import PhotoStreamPictureMessages

/// `photostream-pictures`: the decode worker.
///
/// Reads requests from standard input and writes answers to standard output, in the same order. It ends with status 0
/// at the end of its input or when its output is closed, 64 for wrong arguments, 65 after a malformed request, and 70
/// if it cannot be set up.
@main
struct PictureWorkerCommand {
    static func main() {
        guard let limits = WorkerLimits(arguments: Array(CommandLine.arguments.dropFirst())) else { exit(64) }
        // Decoders may write anything to standard error.
        let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nowhere >= 0, dup2(nowhere, STDERR_FILENO) >= 0 else { exit(70) }
        close(nowhere)
        guard limits.apply(), unsafe photostream_vips_start("photostream-pictures") == 0 else { exit(70) }
        exit(WorkerLoop(limits: limits).run(input: STDIN_FILENO, output: STDOUT_FILENO))
    }
}
