import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Pictures beneath roots, and nothing outside of them.
@Suite struct PictureTests {
    private let pictures: PictureFolder
    private var gallery: Gallery { pictures.gallery }

    init() throws { pictures = try PictureFolder() }

    @Test func `a location beneath a root is opened in any notation`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        try pictures.write("root/sub/100%25 é.jpg", PictureFolder.jpeg)
        for name in [
            "a.jpg", "./a.jpg", "sub/../a.jpg", "sub//../a.jpg", pictures.path("root/a.jpg"),
            "file://" + pictures.path("root/a.jpg"),
        ] {
            #expect(try pictures.bytes(name) == PictureFolder.jpeg, "\(name)")
        }
        #expect(try pictures.bytes("sub/100%25 é.jpg") == PictureFolder.jpeg)
        #expect(
            try pictures.bytes("file://" + pictures.path("root/sub/") + "100%2525%20%C3%A9.jpg") == PictureFolder.jpeg)
        guard case .file(let file) = try pictures.picture("a.jpg") else { return #expect(Bool(false)) }
        #expect(file.type == .jpeg)
        #expect(file.version.byteCount == PictureFolder.jpeg.count)
    }

    @Test(.withoutPrimary) func `no location opens a file outside of a root`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        try pictures.write("secret.jpg", PictureFolder.jpeg)
        try pictures.makeFolder("rootless")
        try pictures.write("rootless/a.jpg", PictureFolder.jpeg)
        try pictures.link("root/out.jpg", to: "../secret.jpg")
        try pictures.link("root/out-absolute.jpg", to: pictures.path("secret.jpg"))
        try pictures.link("root/in-absolute.jpg", to: pictures.path("root/a.jpg"))
        try pictures.link("root/out", to: "..")
        try pictures.link("root/loop", to: "loop")
        try pictures.link("root/sub/in.jpg", to: "../a.jpg")
        pictures.expect(
            PictureFolder.unreachable, "../secret.jpg", "sub/../../secret.jpg", "../root/a.jpg",
            pictures.path("root/../secret.jpg"),
            pictures.path("secret.jpg"), pictures.path("rootless/a.jpg"), pictures.path("root"), "out.jpg",
            "out-absolute.jpg", "in-absolute.jpg",
            "out/secret.jpg", "out/root/a.jpg", "loop", "/etc/passwd", "../../../../../../etc/passwd",
            "/proc/self/exe", "a.jpg/", "missing.jpg", "a.jpg\u{0}.png", "..%2Fsecret.jpg",
            String(repeating: "a/", count: 3_000), String(repeating: "a", count: 300))
        // A link that stays inside is followed.
        #expect(try pictures.bytes("sub/in.jpg") == PictureFolder.jpeg)
    }

    @Test func `a special file is not a picture, and a pipe does not block a client`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        #expect(mkfifo(pictures.path("root/pipe.jpg"), 0o600) == 0)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try bind(descriptor, to: "root/socket.jpg")
        pictures.expect(PictureFolder.noPicture, "pipe.jpg", "sub", ".", "sub/..", "socket.jpg")
    }

    @Test func `a root of an older version that exposes the kernel serves nothing`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        try gallery.shell("UPDATE root SET path = '/proc/self', resolvedPath = '/proc/self'")
        pictures.expect(
            PictureFolder.unreachable, "exe", "root/etc/hostname", "cwd", "fd/0", "status", "environ", "mem")
    }

    @Test func `a file without the first bytes of a picture is refused under any name`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        try pictures.write("root/page.jpg", Array("<!DOCTYPE html><script>alert(1)</script>".utf8))
        try pictures.write("root/drawing.svg", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
        try pictures.write("root/empty.jpg", [])
        try pictures.write("root/short.jpg", [0xFF, 0xD8])
        pictures.expect(PictureFolder.noPicture, "page.jpg", "drawing.svg", "empty.jpg", "short.jpg")
        try pictures.write("root/picture.html", PictureFolder.jpeg)
        #expect(try pictures.bytes("picture.html") == PictureFolder.jpeg)
    }

    @Test func `a photo without a location, or with a refused address, has no picture`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        pictures.expect(.withoutLocation(photo: "p"), nil, "")
        pictures.expect(
            .refusedAddress(photo: "p"), "ftp://host/a.jpg", "https://me:secret@host/a.jpg", "file://host/a.jpg",
            "file:///a%00b")
        guard case .address(let address) = try pictures.picture("https://host/é.jpg") else {
            return #expect(Bool(false))
        }
        #expect(address == "https://host/%C3%A9.jpg")
        #expect(throws: StreamServiceError.unknownPhoto("q", stream: "gallery")) {
            try gallery.service.picture(of: PhotoID(stored: "q"), in: Gallery.stream)
        }
        #expect(throws: StreamServiceError.unknownStream("x")) {
            try gallery.service.picture(of: PhotoID(stored: "p"), in: StreamName(stored: "x"))
        }
    }

    @Test func `errors contain no path`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        for location in ["sub", "missing.jpg", "../x", "ftp://host/x", nil] {
            let error = #expect(throws: PictureError.self) { try pictures.picture(location) }
            #expect(
                error?.description.contains("/root") == false && error?.description.contains("\"p\"") == true)
        }
    }

    @Test func `a file that is written meanwhile is not served to its end`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        func open() throws -> PictureFile {
            guard case .file(let file) = try pictures.picture("a.jpg") else { throw PictureFile.ReadError.changed }
            return file
        }
        let shrinking = try open()
        try #require(truncate(pictures.path("root/a.jpg"), 3) == 0)
        #expect(throws: PictureFile.ReadError.changed) { try shrinking.bytes(0..<9) }
        try pictures.write("root/a.jpg", PictureFolder.jpeg)
        let growing = try open()
        let handle = try FileHandle(forWritingTo: pictures.folder.appending(path: "root/a.jpg"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1]))
        #expect(throws: PictureFile.ReadError.changed) { try growing.bytes(0..<9) }
        // Another file under the same path leaves the open one as it is.
        let replaced = try open()
        try pictures.write("root/b.jpg", PictureFolder.jpeg + [5, 6, 7])
        #expect(rename(pictures.path("root/b.jpg"), pictures.path("root/a.jpg")) == 0)
        #expect(try replaced.bytes(0..<Int64(PictureFolder.jpeg.count) + 1) == PictureFolder.jpeg + [1])
        #expect(try open().version.byteCount == PictureFolder.jpeg.count + 3)
    }

    @Test func `a file that was just written is not settled, and an old one is`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        func version() throws -> FileVersion? {
            guard case .file(let file) = try pictures.picture("a.jpg") else { return nil }
            return file.version
        }
        // The time is recent even if the test takes long.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 4_000_000_000)], ofItemAtPath: pictures.path("root/a.jpg"))
        #expect(try version()?.isSettled == false)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000.5)], ofItemAtPath: pictures.path("root/a.jpg"))
        #expect(try version()?.isSettled == true)
        #expect(try version()?.modifiedNanoseconds == 1_000_000_500_000_000)
        #expect(try version()?.hasSameBytes(as: try #require(try version())) == true)
    }

    @Test func `every file of the sample collection exists`() throws {
        let samples = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "SampleData")
        try gallery.service.addRoot(samples.path(percentEncoded: false))
        let names = try FileManager.default.contentsOfDirectory(atPath: samples.appending(path: "pictures").path)
        #expect(names.count > 50)
        for name in names {
            #expect(
                try pictures.bytes("pictures/" + name)
                    == [UInt8](Data(contentsOf: samples.appending(path: "pictures/" + name))))
        }
    }

    private func bind(_ descriptor: Int32, to name: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path of a socket is short; that of a test's folder may not be.
        let parent = open(pictures.folder.path(percentEncoded: false), O_RDONLY)
        defer { close(parent) }
        let short = "/proc/self/fd/\(parent)/" + name
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(short.utf8)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0, "\(String(cString: strerror(errno)))")
    }
}
