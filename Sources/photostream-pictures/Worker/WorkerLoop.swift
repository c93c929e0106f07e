import Glibc
import PhotoStreamPictureMessages

/// Reads requests and writes answers, one after the other.
struct WorkerLoop {
    let limits: WorkerLimits

    /// Answers requests until the input ends.
    ///
    /// - Returns: The exit status of the process.
    func run(input: Int32, output: Int32) -> Int32 {
        while true {
            let request: PictureRequest
            do {
                guard let message = try Self.readFrame(from: input) else { return 0 }
                request = try PictureRequest(bytes: message)
            } catch {
                return 65
            }
            guard limits.startRequest(isHeader: request.isHeader) else { return 70 }
            let memory = WorkerMemory(limits: limits)
            var message = RequestHandler(memory: memory).answer(to: request).bytes
            if message.count > MessageFrame.maximumByteCount {
                let failure = PictureFailure(.tooLarge, reason: "Its metadata is too long.")
                message = PictureAnswer.failed(failure).bytes
            }
            guard Self.write(MessageFrame.framed(message), to: output) else { return 0 }
        }
    }

    /// Reads a frame; `nil` at the end of the input.
    private static func readFrame(from input: Int32) throws(MessageError) -> [UInt8]? {
        let head = read(MessageFrame.headByteCount, from: input)
        guard !head.isEmpty else { return nil }
        guard head.count == MessageFrame.headByteCount else { throw MessageError() }
        let count = try MessageFrame.byteCount(head: head)
        let message = read(count, from: input)
        guard message.count == count else { throw MessageError() }
        return message
    }

    /// Reads bytes, fewer at the end of the input.
    private static func read(_ count: Int, from input: Int32) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let result = unsafe Glibc.read(
                    input, buffer.baseAddress.map { unsafe $0 + filled }, count - filled)
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { break }
                filled += result
            }
        }
    }

    private static func write(_ bytes: [UInt8], to output: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let result = unsafe Glibc.write(
                    output, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { return false }
                written += result
            }
            return true
        }
    }
}

extension PictureRequest {
    fileprivate var isHeader: Bool { if case .header = self { true } else { false } }
}

/// The memory that a worker may use.
struct WorkerMemory {
    /// The maximum memory for decoding one picture: half of the address space, because libraries, stacks and the heap's
    /// gaps need some, too.
    var pictureByteCount: Int64

    init(limits: WorkerLimits) {
        pictureByteCount = limits.addressSpaceByteCount / 2
    }
}
