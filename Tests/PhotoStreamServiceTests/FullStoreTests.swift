import Foundation
import Logging
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService
@testable import PhotoStreamStorage

/// A log handler that keeps lines.
private struct Lines: LogHandler {
    let add: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    init(add: @escaping @Sendable (String) -> Void) { self.add = add }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { add("\(event.level) \(event.message)") }
}

/// A store on a disk that is full.
@Suite struct FullStoreTests {
    @Test(.withoutPrimary)
    func `thumbnails are created and sent even if they cannot be stored, which is logged once`() async throws {
        let log = Mutex<[String]>([])
        let studio = try PictureStudio()
        // Thumbnails that need separate pages.
        for number in 0..<40 { try studio.add("p\(number)", String(repeating: "\(number) ", count: 2_000)) }
        let service = try PhotoStreamService(
            path: studio.gallery.temporary.path, access: .existing,
            logger: Logger(label: "test") { _ in Lines(add: { line in log.withLock { $0.append(line) } }) }
        ) { Int64(time(nil)) * 1_000 }
        var settings = studio.maker.settings
        settings.writingInterval = .milliseconds(50)
        let maker = try PictureMaker(service, decoder: studio.decoder, settings: settings)
        try maker.store.limitPages(to: 1)
        @Sendable func bytes() async throws -> ThumbnailAnswer {
            try await maker.thumbnail(PictureStudio.webP480, of: PhotoID(stored: "p30"), in: Gallery.stream)
        }
        try await maker.whileRunning { () async throws -> Void in
            #expect(try await maker.warmUp().madeCount == 40)
            #expect(try await eventually { try studio.counts().readyCount == 40 })
            #expect(try maker.store.count == 0)
            #expect(try await eventually { maker.unwrittenCount == 0 })
            // Two clients, each of which costs a decode.
            for _ in 0..<2 {
                guard case .thumbnail = try await bytes() else { throw PictureStudio.NoThumbnail() }
                #expect(try await eventually { maker.unwrittenCount == 0 })
            }
            #expect(studio.decoder.requests.count == 42)
            #expect(log.withLock { $0.filter { $0.contains("warning") && $0.contains("cannot be stored") } }.count == 1)
            try maker.store.limitPages(to: 1 << 30)
            _ = try await bytes()
            #expect(try await eventually { try maker.store.count == 1 })
            _ = try await bytes()
            #expect(studio.decoder.requests.count == 43)
        }
        #expect(try studio.service.verifyPictures().isEmpty)
    }
}
