import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Pictures beneath roots, and nothing outside of them.
@Suite struct PictureTests {
    private let gallery: Gallery
    /// Holds `root`, the first root, and what is outside of it.
    private let folder: URL
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("a picture".utf8)

    init() throws {
        gallery = try Gallery()
        folder = URL(filePath: gallery.temporary.folder).resolvingSymlinksInPath().appending(path: "pictures")
        try makeFolder("root/sub")
        try write("root/a.jpg", Self.jpeg)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// The picture of a photo of that location.
    private func picture(_ location: String?, in stream: StreamName = Gallery.stream) throws -> PictureSource {
        var record = PhotoRecord(id: PhotoID(stored: "p"))
        record.location = location.map { .set($0) } ?? .clear
        try gallery.load([record])
        return try gallery.service.picture(of: record.id, in: stream)
    }

    /// The bytes of the picture of a photo of that location.
    private func bytes(_ location: String) throws -> [UInt8] {
        guard case .file(let file) = try picture(location) else { return [] }
        return try file.bytes(0..<file.version.byteCount)
    }

    private func expect(_ error: PictureError, _ locations: String?...) {
        for location in locations {
            #expect(throws: error, "\(location ?? "none")") { try picture(location) }
        }
    }

    private static let unreachable = PictureError.unreachable(photo: "p")
    private static let noPicture = PictureError.notAPicture(photo: "p")

    @Test func `a location beneath a root is opened, however it is written`() throws {
        try gallery.service.addRoot(path("root"))
        try write("root/sub/100%25 é.jpg", Self.jpeg)
        for name in [
            "a.jpg", "./a.jpg", "sub/../a.jpg", "sub//../a.jpg", path("root/a.jpg"), "file://" + path("root/a.jpg"),
        ] {
            #expect(try bytes(name) == Self.jpeg, "\(name)")
        }
        #expect(try bytes("sub/100%25 é.jpg") == Self.jpeg)
        #expect(try bytes("file://" + path("root/sub/") + "100%2525%20%C3%A9.jpg") == Self.jpeg)
        guard case .file(let file) = try picture("a.jpg") else { return #expect(Bool(false)) }
        #expect(file.type == .jpeg)
        #expect(file.version.byteCount == Self.jpeg.count)
    }

    @Test func `nothing outside of a root is opened, whatever a location says`() throws {
        try gallery.service.addRoot(path("root"))
        try write("secret.jpg", Self.jpeg)
        try makeFolder("rootless")
        try write("rootless/a.jpg", Self.jpeg)
        try link("root/out.jpg", to: "../secret.jpg")
        try link("root/out-absolute.jpg", to: path("secret.jpg"))
        try link("root/in-absolute.jpg", to: path("root/a.jpg"))
        try link("root/out", to: "..")
        try link("root/loop", to: "loop")
        try link("root/sub/in.jpg", to: "../a.jpg")
        expect(
            Self.unreachable, "../secret.jpg", "sub/../../secret.jpg", "../root/a.jpg", path("root/../secret.jpg"),
            path("secret.jpg"), path("rootless/a.jpg"), path("root"), "out.jpg", "out-absolute.jpg", "in-absolute.jpg",
            "out/secret.jpg", "out/root/a.jpg", "loop", "/etc/passwd", "../../../../../../etc/passwd",
            "/proc/self/exe", "a.jpg/", "missing.jpg", "a.jpg\u{0}.png", "..%2Fsecret.jpg",
            String(repeating: "a/", count: 3_000), String(repeating: "a", count: 300))
        // A link that stays inside is followed.
        #expect(try bytes("sub/in.jpg") == Self.jpeg)
    }

    @Test func `what is no regular file is no picture, and a pipe keeps nobody waiting`() throws {
        try gallery.service.addRoot(path("root"))
        #expect(mkfifo(path("root/pipe.jpg"), 0o600) == 0)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try bind(descriptor, to: "root/socket.jpg")
        expect(Self.noPicture, "pipe.jpg", "sub", ".", "sub/..", "socket.jpg")
    }

    @Test func `links of the system's own lead nowhere`() throws {
        // Beneath /proc are links to everything that is open.
        try gallery.service.addRoot("/proc/self")
        expect(Self.unreachable, "exe", "root/etc/hostname", "cwd", "fd/0")
        expect(Self.noPicture, "status", "environ")
    }

    @Test func `what begins like no picture is refused, whatever it is called`() throws {
        try gallery.service.addRoot(path("root"))
        try write("root/page.jpg", Array("<!DOCTYPE html><script>alert(1)</script>".utf8))
        try write("root/drawing.svg", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
        try write("root/empty.jpg", [])
        try write("root/short.jpg", [0xFF, 0xD8])
        expect(Self.noPicture, "page.jpg", "drawing.svg", "empty.jpg", "short.jpg")
        try write("root/picture.html", Self.jpeg)
        #expect(try bytes("picture.html") == Self.jpeg)
    }

    @Test func `a photo without a location and an address that nobody is sent to have no picture`() throws {
        try gallery.service.addRoot(path("root"))
        expect(.withoutLocation(photo: "p"), nil, "")
        expect(
            .refusedAddress(photo: "p"), "ftp://host/a.jpg", "https://me:secret@host/a.jpg", "file://host/a.jpg",
            "file:///a%00b")
        guard case .address(let address) = try picture("https://host/é.jpg") else { return #expect(Bool(false)) }
        #expect(address == "https://host/%C3%A9.jpg")
        #expect(throws: StreamServiceError.unknownPhoto("q", stream: "gallery")) {
            try gallery.service.picture(of: PhotoID(stored: "q"), in: Gallery.stream)
        }
        #expect(throws: StreamServiceError.unknownStream("x")) {
            try gallery.service.picture(of: PhotoID(stored: "p"), in: StreamName(stored: "x"))
        }
    }

    @Test func `no error names a path`() throws {
        try gallery.service.addRoot(path("root"))
        for location in ["sub", "missing.jpg", "../x", "ftp://host/x", nil] {
            let error = #expect(throws: PictureError.self) { try picture(location) }
            #expect(error?.description.contains("/root") == false && error?.description.contains("\"p\"") == true)
        }
    }

    @Test func `roots are tried in the order in which they were added, a stream's own first`() throws {
        for name in ["one", "two", "own"] { try makeFolder(name) }
        try gallery.service.addRoot(path("one"))
        try gallery.service.addRoot(path("two"))
        try write("two/x.jpg", Self.jpeg + [2])
        #expect(try bytes("x.jpg") == Self.jpeg + [2])
        try write("one/x.jpg", Self.jpeg + [1])
        #expect(try bytes("x.jpg") == Self.jpeg + [1])
        try gallery.service.addRoot(path("own"), for: Gallery.stream)
        try write("own/x.jpg", Self.jpeg + [3])
        #expect(try bytes("x.jpg") == Self.jpeg + [3])
        // What is there but no picture is not passed over for another root's file of the same name.
        try write("own/x.jpg", Array("no picture".utf8))
        expect(Self.noPicture, "x.jpg")
        try gallery.service.removeRoot(path("own"), for: Gallery.stream)
        #expect(try bytes("x.jpg") == Self.jpeg + [1])
    }

    @Test func `a root of one stream serves no other`() throws {
        let other = StreamName(stored: "other")
        try gallery.service.createStream(other)
        try gallery.service.addRoot(path("root"), for: other)
        expect(Self.unreachable, "a.jpg", path("root/a.jpg"))
        try gallery.service.addRoot(path("root"), for: Gallery.stream)
        #expect(try bytes("a.jpg") == Self.jpeg)
        try gallery.service.deleteStream(other, evenWithPhotos: true)
        #expect(try gallery.service.roots().map(\.stream) == [Gallery.stream])
    }

    @Test func `a root of another machine does not count`() throws {
        try gallery.service.addRoot(path("root"))
        try gallery.shell("UPDATE root SET machine = 'another'")
        expect(Self.unreachable, "a.jpg", path("root/a.jpg"))
        #expect(try gallery.service.roots().map(\.state) == [.otherMachine])
        // Here it is another root, which can be added.
        try gallery.service.addRoot(path("root"))
        #expect(try gallery.service.roots().map(\.state) == [.otherMachine, .open])
        #expect(try bytes("a.jpg") == Self.jpeg)
        #expect(try gallery.service.removeRoot(path("root")).count == 2)
        #expect(try gallery.service.roots().isEmpty)
    }

    @Test func `a root is named as it was added, also through a link`() throws {
        try link("linked", to: "root")
        let root = try gallery.service.addRoot(path("linked"))
        #expect(root.path == path("linked"))
        #expect(root.resolvedPath == path("root"))
        for name in ["a.jpg", path("linked/a.jpg"), path("root/a.jpg")] { #expect(try bytes(name) == Self.jpeg) }
        // What was the folder when it was added is what is opened, wherever the link leads now.
        try FileManager.default.removeItem(atPath: path("linked"))
        try makeFolder("other")
        try write("other/a.jpg", Self.jpeg + [1])
        try link("linked", to: "other")
        #expect(try bytes(path("linked/a.jpg")) == Self.jpeg)
    }

    @Test func `a root that has gone serves nothing, and one that has become a link neither`() throws {
        try gallery.service.addRoot(path("root"))
        try makeFolder("elsewhere")
        try write("elsewhere/a.jpg", Self.jpeg)
        try FileManager.default.moveItem(atPath: path("root"), toPath: path("moved"))
        expect(Self.unreachable, "a.jpg")
        #expect(try gallery.service.roots().map(\.state) == [.unreachable("No such file or directory")])
        try link("root", to: "elsewhere")
        expect(Self.unreachable, "a.jpg")
        #expect(
            try gallery.service.roots().map(\.state) == [
                .unreachable("there is a symbolic link in it that is not followed")
            ])
        // The next root is tried where one has gone.
        try FileManager.default.removeItem(atPath: path("root"))
        try gallery.service.addRoot(path("elsewhere"))
        #expect(try bytes("a.jpg") == Self.jpeg)
    }

    @Test func `folders that cannot be roots are refused by name`() throws {
        try write("file", [1])
        try link("top", to: "/")
        let cases: [(name: String, message: String)] = [
            ("/", "\"/\" cannot be a root: every picture of this machine is beneath it; add folders of pictures"),
            (
                path("top"),
                "\"/\" cannot be a root: every picture of this machine is beneath it; add folders of pictures"
            ),
            (path("none"), "the folder \"\(path("none"))\" cannot be a root: No such file or directory"),
            (path("file"), "the folder \"\(path("file"))\" cannot be a root: Not a directory"),
            ("", "the folder \"\" cannot be a root: that is no path"),
        ]
        for (name, message) in cases {
            let error = #expect(throws: RootError.self, "\(name)") { try gallery.service.addRoot(name) }
            #expect(error?.description == message)
        }
        try gallery.service.addRoot(path("root"))
        #expect(throws: RootError.exists(path("root"), stream: nil)) {
            try gallery.service.addRoot(path("root/sub/.."))
        }
        #expect(throws: RootError.unknown(path("root"), stream: "gallery")) {
            try gallery.service.removeRoot(path("root"), for: Gallery.stream)
        }
        #expect(throws: StreamServiceError.unknownStream("x")) {
            try gallery.service.addRoot(path("root"), for: StreamName(stored: "x"))
        }
        #expect(try gallery.service.roots().count == 1)
    }

    @Test func `a file that is written to is not served to its end`() throws {
        try gallery.service.addRoot(path("root"))
        func open() throws -> PictureFile {
            guard case .file(let file) = try picture("a.jpg") else { throw PictureFile.ReadError.changed }
            return file
        }
        let shrinking = try open()
        try #require(truncate(path("root/a.jpg"), 3) == 0)
        #expect(throws: PictureFile.ReadError.changed) { try shrinking.bytes(0..<9) }
        try write("root/a.jpg", Self.jpeg)
        let growing = try open()
        let handle = try FileHandle(forWritingTo: folder.appending(path: "root/a.jpg"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1]))
        #expect(throws: PictureFile.ReadError.changed) { try growing.bytes(0..<9) }
        // Another file under the same path leaves the open one as it is.
        let replaced = try open()
        try write("root/b.jpg", Self.jpeg + [5, 6, 7])
        #expect(rename(path("root/b.jpg"), path("root/a.jpg")) == 0)
        #expect(try replaced.bytes(0..<Int64(Self.jpeg.count) + 1) == Self.jpeg + [1])
        #expect(try open().version.byteCount == Self.jpeg.count + 3)
    }

    @Test func `a file that was just written is not settled, and an old one is`() throws {
        try gallery.service.addRoot(path("root"))
        func version() throws -> FileVersion? {
            guard case .file(let file) = try picture("a.jpg") else { return nil }
            return file.version
        }
        // However long the test takes, that is just now.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 4_000_000_000)], ofItemAtPath: path("root/a.jpg"))
        #expect(try version()?.isSettled == false)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000.5)], ofItemAtPath: path("root/a.jpg"))
        #expect(try version()?.isSettled == true)
        #expect(try version()?.modifiedNanoseconds == 1_000_000_500_000_000)
        #expect(try version()?.hasSameBytes(as: try #require(try version())) == true)
    }

    @Test func `all that the sample collection says of files is there`() throws {
        let samples = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "SampleData")
        try gallery.service.addRoot(samples.path(percentEncoded: false))
        let names = try FileManager.default.contentsOfDirectory(atPath: samples.appending(path: "pictures").path)
        #expect(names.count > 50)
        for name in names {
            #expect(
                try bytes("pictures/" + name) == [UInt8](Data(contentsOf: samples.appending(path: "pictures/" + name))))
        }
    }

    private func bind(_ descriptor: Int32, to name: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path of a socket is short, that of a test's folder may not be.
        let parent = open(folder.path(percentEncoded: false), O_RDONLY)
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
