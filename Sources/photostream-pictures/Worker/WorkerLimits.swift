import CVips
import Glibc

/// The limits that a worker imposes on itself.
struct WorkerLimits {
    /// The address space, in bytes.
    var addressSpaceByteCount: Int64 = 4 << 30
    /// The processor time for each request, in seconds.
    var processorSeconds: Int64 = 60

    /// The maximum memory for decoding one picture, in bytes: half of the address space, because libraries, stacks and
    /// the heap's gaps need some, too.
    var pictureByteCount: Int64 { addressSpaceByteCount / 2 }

    /// Creates the default limits.
    init() {}

    /// Parses `--address-space-bytes N` and `--cpu-seconds N`; returns `nil` for any other argument.
    init?(arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let text = rest.popFirst(), let value = Int64(text), value > 0 else { return nil }
            switch name {
            case "--address-space-bytes": addressSpaceByteCount = value
            case "--cpu-seconds" where value <= 86_400: processorSeconds = value
            default: return nil
            }
        }
    }

    /// Limits this process permanently, and ends it when its output is closed.
    ///
    /// - Returns: Whether that succeeded.
    func apply() -> Bool {
        photostream_limit_process(addressSpaceByteCount) == 0 && photostream_end_with_reader(STDOUT_FILENO) == 0
    }

    /// The maximum processor time for a header, in seconds: it takes milliseconds, but libraw 0.20 reads some damaged
    /// files endlessly.
    private static let headerSeconds: Int64 = 5

    /// Resets the processor time for a request.
    ///
    /// - Returns: Whether that succeeded.
    func startRequest(isHeader: Bool) -> Bool {
        photostream_limit_processor_time(isHeader ? min(Self.headerSeconds, processorSeconds) : processorSeconds) == 0
    }
}
