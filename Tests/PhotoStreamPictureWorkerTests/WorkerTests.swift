import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamTestSupport
import Testing

@testable import photostream_pictures

/// The worker as a process: frames, limits, ends.
@Suite(.serialized)
struct WorkerTests {
    private let folder: PictureFolder
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "SampleData/pictures/poppies-01.jpg")

    init() throws {
        folder = try PictureFolder()
        try FileManager.default.copyItem(at: Self.sample, to: folder.url.appending(path: "a.jpg"))
    }

    private func decode(_ name: String) -> PictureRequest {
        let kinds = [ThumbnailSize.pixels320, .pixels640].map { ThumbnailKind($0, as: .webP) }
        return .decode(DecodeRequest(file: folder.name(name), orientation: nil, thumbnails: kinds, isMeasured: true))
    }

    @Test func answersInOrder() throws {
        let worker = try WorkerProcess()
        let requests: [PictureRequest] = [
            .header(folder.name("a.jpg"), sidecars: []), decode("a.jpg"), .hash(folder.name("a.jpg")),
            .hash(folder.name("none")), decode("none"), .header(folder.name("a.jpg"), sidecars: ["none.xmp"]),
        ]
        worker.send(requests.flatMap { MessageFrame.framed($0.bytes) })
        guard case .header(let header) = try worker.receive(), case .decoded(let picture) = try worker.receive(),
            case .content(let content) = try worker.receive(), case .failed(let first) = try worker.receive(),
            case .failed(let second) = try worker.receive(), case .header(let third) = try worker.receive()
        else {
            Issue.record("other answers")
            return
        }
        #expect(header.format == .jpeg)
        #expect(header.size.applying(header.orientation) == picture.displayedSize)
        #expect(picture.thumbnails.map { max($0.width, $0.height) } == [320, 640])
        #expect(picture.measures?.content == content)
        #expect(content.fileHash == ContentHash.hash(of: try folder.bytes("a.jpg")))
        #expect(first.kind == .missing && second.kind == .missing)
        #expect(third.warnings.last?.reason == "A sidecar cannot be read: There is no such file.")
        worker.endInput()
        #expect(worker.status() == 0)
        #expect(worker.errorText() == "")
    }

    @Test(arguments: [
        [1, 0, 0, 0, 9], [0, 0, 0, 0], [255, 255, 255, 255], [5, 0, 0, 0, 0], [1, 0], [2, 0, 0, 0, 2, 0],
    ]) func malformedRequestsEndIt(bytes: [UInt8]) throws {
        let worker = try WorkerProcess()
        worker.send(bytes)
        worker.endInput()
        #expect(try worker.receive() == nil)
        #expect(worker.status() == 65)
        #expect(worker.errorText() == "")
    }

    @Test(arguments: [["--cpu-seconds"], ["--cpu-seconds", "0"], ["--what", "1"], ["--address-space-bytes", "x"]])
    func wrongArgumentsEndIt(arguments: [String]) throws {
        #expect(WorkerLimits(arguments: arguments) == nil)
        let worker =
            arguments.count == 1 ? try WorkerProcess(arguments[0]) : try WorkerProcess(arguments[0], arguments[1])
        #expect(worker.status() == 64)
    }

    @Test func limitsItself() throws {
        let worker = try WorkerProcess("--address-space-bytes", "2147483648", "--cpu-seconds", "7")
        _ = try worker.ask(decode("a.jpg"))
        let text = try String(contentsOfFile: "/proc/\(worker.process.processIdentifier)/limits", encoding: .utf8)
        func limits(_ name: String) throws -> [Substring] {
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) })
            return line.dropFirst(name.count).split(separator: " ")
        }
        #expect(try limits("Max address space").prefix(2) == ["2147483648", "2147483648"])
        #expect(try limits("Max core file size").prefix(2) == ["0", "0"])
        #expect(try limits("Max file size").prefix(2) == ["0", "0"])
        #expect(try limits("Max open files").prefix(2) == ["64", "64"])
        let seconds = try #require(Int(try limits("Max cpu time")[0]))
        #expect((8...30).contains(seconds))
        // Every module stays away but the one for HEIF.
        let list = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(worker.process.processIdentifier)/maps"))
        let maps = String(decoding: try #require(try list.readToEnd()), as: UTF8.self)
        #expect(maps.contains("vips-heif"))
        for name in ["vips-magick", "vips-poppler", "vips-openslide", "vips-jxl"] { #expect(!maps.contains(name)) }
    }

    @Test(.enabled(if: PictureFolder.hasCommands)) func pictureThatNeedsTooMuchMemoryCostsOneAnswer() throws {
        // Each allocation is small enough to be attempted; the address space has no room for all.
        try folder.run("vips", "black", "b.webp", "12000", "12000", "--bands", "3")
        let worker = try WorkerProcess("--address-space-bytes", "\(1 << 30)")
        switch try worker.ask(decode("b.webp")) {
        case .failed(let failure): #expect([.tooLarge, .damaged].contains(failure.kind))
        case .decoded(let picture): #expect(picture.displayedSize.description == "12000x12000")
        default: #expect(worker.status() < 0)
        }
        let next = try WorkerProcess()
        guard case .decoded = try next.ask(decode("a.jpg")) else {
            Issue.record("a worker after it decodes")
            return
        }
    }

    @Test func endsWithItsReaderWhileItsInputIsOpen() throws {
        let worker = try WorkerProcess()
        _ = try worker.ask(.hash(folder.name("a.jpg")))
        try worker.output.fileHandleForReading.close()
        #expect(eventually { !worker.process.isRunning })
        #expect(worker.status() == 0)
    }

    @Test func isKilled() throws {
        let worker = try WorkerProcess()
        _ = try worker.ask(.hash(folder.name("a.jpg")))
        kill(worker.process.processIdentifier, SIGKILL)
        #expect(try worker.ask(decode("a.jpg")) == nil)
        #expect(worker.status() == -SIGKILL)
    }

    @Test func headerThatLeadsBackToItselfCostsTheWorkerNothing() throws {
        // A box whose length indicates a 64-bit length, which is zero: libraw 0.20 reads it again and again.
        let head = [0, 0, 0, 24] + Array("ftypcrx ".utf8) + [0, 0, 0, 1] + Array("crx isom".utf8)
        try folder.write("loop.cr3", head + [0, 0, 0, 1] + Array("moov".utf8) + [UInt8](repeating: 0, count: 1_600))
        let worker = try WorkerProcess()
        guard case .failed(let failure) = try worker.ask(.header(folder.name("loop.cr3"), sidecars: [])) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.kind == .damaged)
        #expect(try worker.ask(.hash(folder.name("a.jpg"))) != nil)
    }

    @Test func workThatTakesTooLongEndsAfterSeconds() throws {
        // Nearly nothing of it is on the disk, and of a file without the signature of a picture only blocks are read.
        try folder.write("huge.jpg", [0xFF, 0xD8, 0xFF])
        try #require(truncate(folder.path("huge.jpg"), 64 << 30) == 0)
        let worker = try WorkerProcess("--cpu-seconds", "1")
        #expect(try worker.ask(.hash(folder.name("huge.jpg"))) == nil)
        #expect(worker.status() == -SIGXCPU)
    }

    @Test func pipesAreNotWaitedFor() throws {
        try #require(mkfifo(folder.path("pipe.jpg"), 0o600) == 0)
        let worker = try WorkerProcess()
        for request in [
            decode("pipe.jpg"), .hash(folder.name("pipe.jpg")), .header(folder.name("pipe.jpg"), sidecars: []),
        ] {
            guard case .failed(let failure) = try worker.ask(request) else {
                Issue.record("no failure")
                return
            }
            #expect(failure.kind == .notAPicture)
        }
    }

    /// Descriptors are closed after each request, regardless of its result.
    @Test func keepsNoDescriptors() throws {
        try folder.write("bad.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
        let worker = try WorkerProcess()
        for _ in 0..<100 {
            _ = try worker.ask(.header(folder.name("a.jpg"), sidecars: ["bad.png"]))
            _ = try worker.ask(decode("bad.png"))
            _ = try worker.ask(.hash(folder.name("a.jpg")))
        }
        guard case .decoded = try worker.ask(decode("a.jpg")) else {
            Issue.record("no picture after 300 requests")
            return
        }
    }
}
