import Foundation
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// The names of uploaded files, and how they get into a folder.
@Suite struct UploadFolderTests {
    private let pictures: PictureFolder
    private var root: String { pictures.path("root") }

    init() throws { pictures = try PictureFolder() }

    private func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: root)) }

    /// Uploads bytes.
    private func upload(_ bytes: [UInt8], as name: String) throws {
        let file = try UploadFolder(path: root).newFile(named: UploadName(name))
        try file.append(bytes)
        try file.keep(as: file.name)
    }

    @Test(arguments: [
        "b.jpg", "Ferien am Meer.HEIC", "été.png", "a..jpg", "x.dng", String(repeating: "a", count: 251) + ".jpg",
    ])
    func `a valid name is accepted`(name: String) throws {
        #expect(try UploadName(name).text == name)
    }

    @Test(arguments: [
        ("", "the name is empty"), ("a/b.jpg", "the name contains a slash; it must be that of a file, without folders"),
        ("a\u{0}.jpg", "the name contains a control character"),
        ("a\n.jpg", "the name contains a control character"), ("a\u{7F}.jpg", "the name contains a control character"),
        (".a.jpg", "the name begins with a dot, as hidden files do"),
        ("..", "the name begins with a dot, as hidden files do"),
        (".\u{301}a.jpg", "the name begins with a dot, as hidden files do"),
        ("a", "the name has no extension, such as .jpg"), ("a.", "the name has no extension, such as .jpg"),
        ("a.xmp", "files with the extension .xmp are not imported"),
        (String(repeating: "a", count: 252) + ".jpg", "the name has 256 bytes; at most 255 are allowed"),
    ])
    func `an invalid name is refused with the reason`(name: String, reason: String) {
        #expect(throws: UploadError.invalidName(name, reason: reason)) { try UploadName(name) }
    }

    @Test(arguments: PictureFormat.allCases)
    func `a name must have an extension of the picture's format`(format: PictureFormat) throws {
        for other in PictureFormat.allCases {
            for allowed in other.fileExtensions {
                let isRight = format.fileExtensions.contains(allowed)
                #expect(((try? UploadName("a." + allowed.uppercased()).check(format)) != nil) == isRight)
            }
        }
        for wrong in ["php", "svg", "tmp", "jpg:stream", "jpg ", "jp\u{301}g", "jpg\u{FEFF}", "\u{FEFF}jpg"] {
            #expect(throws: UploadError.self) { try UploadName("a." + wrong).check(format) }
        }
    }

    @Test func `the refusal of an extension names those of the format`() throws {
        #expect(
            throws: UploadError.invalidName(
                "a.php",
                reason: "its extension is .php, but a picture of its format has one such as .jpg, .jpeg, .jpe")
        ) { try UploadName("a.php").check(.jpeg) }
    }

    @Test func `a kept file has its bytes, and nothing else remains`() throws {
        try upload(PictureFolder.jpeg, as: "b.jpg")
        #expect(try Data(contentsOf: URL(filePath: root + "/b.jpg")) == Data(PictureFolder.jpeg))
        #expect(try names() == ["a.jpg", "b.jpg", "sub"])
    }

    @Test func `an existing file is not replaced`() throws {
        try pictures.link("root/dead.jpg", to: "nowhere")
        try pictures.makeFolder("root/folder.jpg")
        for name in ["a.jpg", "dead.jpg", "folder.jpg"] {
            #expect(throws: UploadError.fileExists(name)) { try upload([1], as: name) }
        }
        #expect(try Data(contentsOf: URL(filePath: root + "/a.jpg")) == Data(PictureFolder.jpeg))
        #expect(try names() == ["a.jpg", "dead.jpg", "folder.jpg", "sub"])
    }

    @Test func `an abandoned file is removed`() throws {
        do {
            let file = try UploadFolder(path: root).newFile(named: UploadName("b.jpg"))
            try file.append([1, 2, 3])
            #expect(try file.stamp().byteCount == 3)
            #expect(try names().contains(file.hiddenName))
        }
        #expect(try names() == ["a.jpg", "sub"])
    }

    @Test func `a kept file that is taken back is removed, unless another one has its name`() throws {
        for isReplaced in [false, true] {
            let file = try UploadFolder(path: root).newFile(named: UploadName("b.jpg"))
            try file.append([1, 2, 3])
            try file.keep(as: file.name)
            #expect(try file.stamp().byteCount == 3)
            if isReplaced {
                try FileManager.default.removeItem(atPath: root + "/b.jpg")
                try pictures.write("root/b.jpg", [4])
            }
            file.takeBack(file.name)
            #expect(try names() == (isReplaced ? ["a.jpg", "b.jpg", "sub"] : ["a.jpg", "sub"]))
        }
    }

    @Test func `existing sidecars for a picture are found, with that of the whole name first`() throws {
        for name in ["b.xmp", "b.jpg.XMP", "c.xmp"] { try pictures.write("root/" + name, [1, 2]) }
        try pictures.link("root/d.jpg.xmp", to: "b.xmp")
        func sidecars(_ name: String) throws -> [String] {
            try UploadFolder(path: root)
                .sidecars(of: UploadName(name), in: FolderScope(rootID: 0, rootPath: root, folder: ""))
                .map { "\($0.path) \($0.stamp.byteCount)" }
        }
        #expect(try sidecars("b.jpg") == ["b.jpg.XMP 2", "b.xmp 2"])
        #expect(try sidecars("c.png") == ["c.xmp 2"])
        #expect(try sidecars("d.jpg").isEmpty)
    }

    @Test(arguments: [
        (EEXIST, UploadError.fileExists("b.jpg")), (ENOSPC, .diskFull), (EDQUOT, .diskFull),
        (EROFS, .unavailable(reason: "its folder cannot be written to (Read-only file system)")),
        (EACCES, .unavailable(reason: "its folder cannot be written to (Permission denied)")),
    ])
    func `the reason of a system failure contains no folder`(code: Int32, error: UploadError) throws {
        #expect(UploadError(code: code, name: try UploadName("b.jpg")) == error)
    }

    @Test func `an upload without a writer is found, and one that is being written is skipped`() throws {
        let name = try UploadName("b.jpg")
        func remains(_ hiddenName: String) throws -> UploadRemains {
            try UploadFolder(path: root).abandonedUpload(hiddenName: hiddenName, name: name.text)
        }
        #expect(try remains(".photostream-upload-none") == .gone)
        try pictures.write("root/.photostream-upload-old", [1])
        #expect(try remains(".photostream-upload-old") == .gone)
        #expect(try names() == ["a.jpg", "sub"])
        do {
            let file = try UploadFolder(path: root).newFile(named: name)
            let hiddenName = file.hiddenName
            #expect(try remains(hiddenName) == .held)
            try file.append([1, 2, 3])
            try file.keep(as: file.name)
            #expect(try remains(hiddenName) == .held)
        }
        guard case .released(let stamp) = try remains(".photostream-upload-none") else {
            Issue.record("the file is there")
            return
        }
        #expect(stamp.byteCount == 3)
    }

    @Test func `leftovers are removed, but not files that are being written`() throws {
        try pictures.write("root/.photostream-upload-old", [1])
        try pictures.write("root/.other", [1])
        let file = try UploadFolder(path: root).newFile(named: UploadName("b.jpg"))
        #expect(try UploadFolder(path: root).removeLeftovers() == 1)
        #expect(try names() == ["a.jpg", "sub", ".other", file.hiddenName])
    }

    @Test func `a folder that was removed or became a link is refused`() throws {
        try pictures.link("linked", to: "root")
        #expect(throws: FolderError(code: ELOOP)) { _ = try UploadFolder(path: pictures.path("linked")) }
        #expect(throws: FolderError(code: ENOENT)) { _ = try UploadFolder(path: pictures.path("gone")) }
    }
}
