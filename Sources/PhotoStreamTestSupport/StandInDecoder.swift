import Foundation
package import PhotoStreamModel
package import PhotoStreamPictureMessages
package import PhotoStreamPictures
import Synchronization

/// A decoder without pixels, which counts its requests and can hold them.
///
/// A file that begins with "damaged" cannot be decoded, one that begins with "film" needs ffmpeg, which is not there, and
/// a worker crashes on one that begins with "deadly".
package final class StandInDecoder: Sendable {
    private struct State {
        var requests: [DecodeRequest] = []
        var urgencies: [Urgency] = []
        var isHeld = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextID = 0
        var activeCount = 0
        var droppedCount = 0
        /// The number of next requests that kill the worker, regardless of the file.
        var killCount = 0
    }

    private let state = Mutex(State())

    /// Creates a decoder.
    package init() {}

    /// All requests so far, including dropped ones.
    package var requests: [DecodeRequest] { state.withLock { $0.requests } }
    /// The urgency of each request.
    package var urgencies: [Urgency] { state.withLock { $0.urgencies } }
    /// The number of requests whose task was cancelled while they were held.
    package var droppedCount: Int { state.withLock { $0.droppedCount } }
    /// The number of requests without an answer.
    package var activeCount: Int { state.withLock { $0.activeCount } }

    /// Holds all requests after this call.
    package func hold() { state.withLock { $0.isHeld = true } }

    /// Makes the next requests crash the worker.
    package func kill(_ count: Int) { state.withLock { $0.killCount = count } }

    /// Releases all requests.
    package func release() {
        let waiting = state.withLock { state in
            state.isHeld = false
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for cancellation.
    package func run() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    }

    /// Answers a request with bytes that identify file, size and orientation.
    package func decode(
        _ request: DecodeRequest, urgency: Urgency
    ) async -> Result<DecodedPicture, PictureFailure> {
        let id = state.withLock { state in
            state.requests.append(request)
            state.urgencies.append(urgency)
            state.activeCount += 1
            state.nextID += 1
            return state.nextID
        }
        defer { state.withLock { $0.activeCount -= 1 } }
        await passGate(id)
        guard !Task.isCancelled else {
            state.withLock { $0.droppedCount += 1 }
            return .failure(PictureFailure(.exhausted, reason: "the request was dropped"))
        }
        let isKilled = state.withLock { state in
            guard state.killCount > 0 else { return false }
            state.killCount -= 1
            return true
        }
        guard !isKilled else { return .failure(PictureFailure(.crashed, reason: "the worker died")) }
        return Self.answer(request)
    }

    private func passGate(_ id: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    guard state.isHeld, !Task.isCancelled else { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOpen { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
            continuation?.resume()
        }
    }

    private static func answer(_ request: DecodeRequest) -> Result<DecodedPicture, PictureFailure> {
        let path = request.file.root + "/" + request.file.path
        guard let stamp = FileStamp(path: path), let content = FileManager.default.contents(atPath: path) else {
            return .failure(PictureFailure(.missing, reason: "there is no such file"))
        }
        let text = String(decoding: content.dropFirst(4), as: UTF8.self)
        if text.hasPrefix("damaged") { return .failure(PictureFailure(.damaged, reason: "the file is cut off")) }
        if text.hasPrefix("film") { return .failure(.withoutFFmpeg) }
        if text.hasPrefix("deadly") { return .failure(PictureFailure(.crashed, reason: "the worker died")) }
        let orientation = request.orientation ?? .up
        let hash = FNV1a.hash(content)
        let words = (0..<4).flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: (hash &+ word) >> ($0 * 8)) } }
        let measures = PictureMeasures(
            content: FileContent(pictureHash: words, fileHash: words), placeholder: Array(words.prefix(25)),
            color: RGBColor(rawValue: UInt32(truncatingIfNeeded: hash & 0xFF_FFFF)))
        return .success(
            DecodedPicture(
                stamp: stamp, displayedSize: PixelSize(uncheckedWidth: 4_000, height: 3_000),
                orientation: orientation, measures: request.isMeasured ? measures : nil,
                thumbnails: request.thumbnails.map { kind in
                    Thumbnail(
                        kind: kind, width: Int(kind.size.rawValue), height: Int(kind.size.rawValue) * 3 / 4,
                        bytes: Self.bytes(kind, turned: orientation, content: Array(content)))
                }))
    }

    /// The bytes of a thumbnail: the header of its format, and its input.
    package static func bytes(_ kind: ThumbnailKind, turned orientation: Orientation, content: [UInt8]) -> [UInt8] {
        let rest = Array("\(kind.size.rawValue) \(orientation.rawValue) ".utf8) + content.prefix(8_192)
        let (width, height) = (Int(kind.size.rawValue), Int(kind.size.rawValue) * 3 / 4)
        func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        func big(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        switch kind.format {
        case .webP:
            let data = [0x2F] + little(width - 1 | (height - 1) << 14) + rest
            let chunk = Array("VP8L".utf8) + little(data.count) + data
            return Array("RIFF".utf8) + little(4 + chunk.count) + Array("WEBP".utf8) + chunk
        case .jpeg:
            return [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + big(height) + big(width)
                + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1] + rest
        }
    }
}
