import Glibc
import PhotoStreamPictureMessages
import SystemPackage

/// Reads requests and writes answers, one after the other.
struct WorkerLoop {
    let limits: WorkerLimits

    /// Answers requests until the input ends.
    ///
    /// - Returns: The exit status of the process.
    func run(input: Int32, output: Int32) -> Int32 {
        let handler = RequestHandler(
            limits: limits, exifTool: ProgramSearch.path(of: "exiftool").map { ExifTool(path: $0) },
            ffmpeg: ProgramSearch.path(of: "ffmpeg").map { FFmpeg(path: $0) })
        while true {
            let request: PictureRequest
            do {
                guard let message = try Self.readFrame(from: input) else { return 0 }
                request = try PictureRequest(bytes: message)
            } catch {
                return 65
            }
            guard limits.startRequest(isHeader: request.isHeader) else { return 70 }
            var message = handler.answer(to: request).bytes
            if message.count > MessageFrame.maximumByteCount {
                let failure = PictureFailure(.tooLarge, reason: "Its metadata is too long.")
                message = PictureAnswer.failed(failure).bytes
            }
            let isWritten = try? FileDescriptor(rawValue: output).writeAll(MessageFrame.framed(message))
            guard isWritten != nil else { return 0 }
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
                let rest = unsafe UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
                guard let result = try? unsafe FileDescriptor(rawValue: input).read(into: rest), result > 0 else {
                    break
                }
                filled += result
            }
        }
    }
}

extension PictureRequest {
    fileprivate var isHeader: Bool { if case .header = self { true } else { false } }
}
