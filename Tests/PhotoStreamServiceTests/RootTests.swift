import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// The folders in which pictures are looked up.
@Suite struct RootTests {
    private let pictures: PictureFolder
    private var gallery: Gallery { pictures.gallery }

    init() throws { pictures = try PictureFolder() }

    @Test func `roots are tried in the order of their addition, with a stream's own first`() throws {
        for name in ["one", "two", "own"] { try pictures.makeFolder(name) }
        try gallery.service.addRoot(pictures.path("one"))
        try gallery.service.addRoot(pictures.path("two"))
        try pictures.write("two/x.jpg", PictureFolder.jpeg + [2])
        #expect(try pictures.bytes("x.jpg") == PictureFolder.jpeg + [2])
        try pictures.write("one/x.jpg", PictureFolder.jpeg + [1])
        #expect(try pictures.bytes("x.jpg") == PictureFolder.jpeg + [1])
        try gallery.service.addRoot(pictures.path("own"), for: Gallery.stream)
        try pictures.write("own/x.jpg", PictureFolder.jpeg + [3])
        #expect(try pictures.bytes("x.jpg") == PictureFolder.jpeg + [3])
        // An existing file that is not a picture is not skipped for another root's file with the same name.
        try pictures.write("own/x.jpg", Array("no picture".utf8))
        pictures.expect(PictureFolder.noPicture, "x.jpg")
        try gallery.service.removeRoot(pictures.path("own"), for: Gallery.stream)
        #expect(try pictures.bytes("x.jpg") == PictureFolder.jpeg + [1])
    }

    @Test func `a root of one stream serves no other`() throws {
        let other = StreamName(stored: "other")
        try gallery.service.createStream(other)
        try gallery.service.addRoot(pictures.path("root"), for: other)
        pictures.expect(PictureFolder.unreachable, "a.jpg", pictures.path("root/a.jpg"))
        try gallery.service.addRoot(pictures.path("root"), for: Gallery.stream)
        #expect(try pictures.bytes("a.jpg") == PictureFolder.jpeg)
        try gallery.service.deleteStream(other, evenWithPhotos: true)
        #expect(try gallery.service.roots().map(\.stream) == [Gallery.stream])
    }

    @Test func `a root of another machine is ignored`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        try gallery.shell("UPDATE root SET machine = 'another'")
        pictures.expect(PictureFolder.unreachable, "a.jpg", pictures.path("root/a.jpg"))
        #expect(try gallery.service.roots().map(\.state) == [.otherMachine])
        // Here it is another root, which can be added.
        try gallery.service.addRoot(pictures.path("root"))
        #expect(try gallery.service.roots().map(\.state) == [.otherMachine, .open])
        #expect(try pictures.bytes("a.jpg") == PictureFolder.jpeg)
        #expect(try gallery.service.removeRoot(pictures.path("root")).count == 2)
        #expect(try gallery.service.roots().isEmpty)
    }

    @Test func `a root has the name under which it was added, also through a link`() throws {
        try pictures.link("linked", to: "root")
        let root = try gallery.service.addRoot(pictures.path("linked"))
        #expect(root.path == pictures.path("linked"))
        #expect(root.resolvedPath == pictures.path("root"))
        for name in ["a.jpg", pictures.path("linked/a.jpg"), pictures.path("root/a.jpg")] {
            #expect(try pictures.bytes(name) == PictureFolder.jpeg)
        }
        // The folder at the time of the addition is opened, regardless of the link's current target.
        try FileManager.default.removeItem(atPath: pictures.path("linked"))
        try pictures.makeFolder("other")
        try pictures.write("other/a.jpg", PictureFolder.jpeg + [1])
        try pictures.link("linked", to: "other")
        #expect(try pictures.bytes(pictures.path("linked/a.jpg")) == PictureFolder.jpeg)
    }

    @Test func `a removed root serves nothing, and neither does one that became a link`() throws {
        try gallery.service.addRoot(pictures.path("root"))
        try pictures.makeFolder("elsewhere")
        try pictures.write("elsewhere/a.jpg", PictureFolder.jpeg)
        try FileManager.default.moveItem(atPath: pictures.path("root"), toPath: pictures.path("moved"))
        pictures.expect(PictureFolder.unreachable, "a.jpg")
        #expect(try gallery.service.roots().map(\.state) == [.unreachable("No such file or directory")])
        try pictures.link("root", to: "elsewhere")
        pictures.expect(PictureFolder.unreachable, "a.jpg")
        #expect(
            try gallery.service.roots().map(\.state) == [
                .unreachable("there is a symbolic link in it that is not followed")
            ])
        // The next root is tried if one has disappeared.
        try FileManager.default.removeItem(atPath: pictures.path("root"))
        try gallery.service.addRoot(pictures.path("elsewhere"))
        #expect(try pictures.bytes("a.jpg") == PictureFolder.jpeg)
    }

    @Test func `folders that cannot be roots are refused with their name`() throws {
        try pictures.write("file", [1])
        try pictures.link("top", to: "/")
        let cases: [(name: String, message: String)] = [
            ("/", "\"/\" cannot be a root: every picture of this machine is beneath it; add folders of pictures"),
            (
                pictures.path("top"),
                "\"/\" cannot be a root: every picture of this machine is beneath it; add folders of pictures"
            ),
            (
                pictures.path("none"),
                "the folder \"\(pictures.path("none"))\" cannot be a root: No such file or directory"
            ),
            (pictures.path("file"), "the folder \"\(pictures.path("file"))\" cannot be a root: Not a directory"),
            ("", "the folder \"\" cannot be a root: that is not a path"),
            ("/proc", "the folder \"/proc\" cannot be a root: its files are views of the kernel, not pictures"),
            (
                "/proc/self",
                "the folder \"/proc/self\" cannot be a root: its files are views of the kernel, not pictures"
            ),
            ("/sys", "the folder \"/sys\" cannot be a root: its files are views of the kernel, not pictures"),
            ("/dev", "the folder \"/dev\" cannot be a root: it contains devices, not pictures"),
            ("/dev/fd", "the folder \"/dev/fd\" cannot be a root: its files are views of the kernel, not pictures"),
        ]
        for (name, message) in cases {
            let error = #expect(throws: RootError.self, "\(name)") { try gallery.service.addRoot(name) }
            #expect(error?.description == message)
        }
        try gallery.service.addRoot(pictures.path("root"))
        #expect(throws: RootError.exists(pictures.path("root"), stream: nil)) {
            try gallery.service.addRoot(pictures.path("root/sub/.."))
        }
        #expect(throws: RootError.unknown(pictures.path("root"), stream: "gallery")) {
            try gallery.service.removeRoot(pictures.path("root"), for: Gallery.stream)
        }
        #expect(throws: StreamServiceError.unknownStream("x")) {
            try gallery.service.addRoot(pictures.path("root"), for: StreamName(stored: "x"))
        }
        #expect(try gallery.service.roots().count == 1)
    }
}
