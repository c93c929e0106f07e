import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import Testing

@testable import photostream_pictures

/// exiftool as a separate program: names, limits, ends, and a machine without it.
@Suite(.serialized, .enabled(if: PictureFolder.hasCommands, "vips or exiftool is missing"))
struct ExifToolTests {
    private let folder: PictureFolder

    init() throws {
        folder = try PictureFolder()
        try folder.makePNG("a.png", pixels: Quarters.pixels(), width: 64, height: 48, bands: 3)
        try folder.run("exiftool", "-q", "-overwrite_original", "-PNG:Title=A title", "a.png")
    }

    /// Makes a program that is found instead of exiftool.
    private func program(_ text: String) throws -> String {
        try folder.run("mkdir", "-p", "bin")
        try folder.write("bin/exiftool", Array(text.utf8))
        try folder.run("chmod", "755", "bin/exiftool")
        return folder.path("bin/exiftool")
    }

    private func header(by exifTool: ExifTool?, of name: String = "a.png") throws -> PictureHeader {
        try HeaderReader(exifTool: exifTool).header(of: OpenedPicture(root: folder.url.path, path: name))
    }

    @Test(arguments: [
        "-execute", "-ver", "#.png", "-o\nout.png", "a\n-Title=other\n-execute", "@file", "-@", " ",
        "é\u{301}.png",
        "-stay_open\nFalse", "%d%f", "$(id)", "a\n{ready}\n",
    ])
    func `a name is never an argument`(name: String) throws {
        try FileManager.default.copyItem(atPath: folder.path("a.png"), toPath: folder.path(name))
        let exifTool = ExifTool(path: "/usr/bin/exiftool")
        #expect(try header(by: exifTool, of: name).embedded.title == "A title")
        #expect(try header(by: exifTool).embedded.title == "A title")
        #expect(try folder.bytes(name) == folder.bytes("a.png"))
    }

    @Test func `a text may contain marks of the protocol`() throws {
        for text in ["{ready}", "{ready1}\n{ready2}\n", "</rdf:RDF>\n{ready}", "a & <b> \"c\""] {
            try folder.run("exiftool", "-q", "-overwrite_original", "-XMP:Title=\(text)", "a.png")
            let found = try header(by: ExifTool(path: "/usr/bin/exiftool")).embedded.title
            #expect(found == MetadataText.trimmed(text))
        }
    }

    @Test(arguments: ["none", "folder"])
    func `without exiftool, our own reader reads a part`(searchPath: String) throws {
        // A folder is not a program.
        try folder.run("mkdir", "-p", "folder/exiftool")
        let worker = try WorkerProcess(searchPath: folder.path(searchPath))
        guard case .header(let header) = try worker.ask(.header(folder.name("a.png"), sidecars: [])) else {
            Issue.record("no header")
            return
        }
        #expect(header.size.description == "64x48")
        #expect(header.embedded.title == nil)
        #expect(header.warnings.map(\.kind) == [.withoutExifTool])
        #expect(header.warnings[0].reason == "Some metadata may be missing, because exiftool is not installed.")
    }

    @Test func `a program that cannot be started costs a warning`() throws {
        let exifTool = ExifTool(path: try program("#!/nowhere/perl\n"))
        for _ in 0..<2 {
            let warnings = try header(by: exifTool).warnings
            #expect(warnings.map(\.kind) == [.exifToolFailed])
            #expect(
                warnings.first?.reason == "Some metadata may be missing, because exiftool cannot be started.")
        }
    }

    @Test(arguments: [
        "#!/bin/sh\nexec sleep 600\n", "#!/bin/sh\nexit 1\n", "#!/bin/sh\nkill -SEGV $$\n",
        "#!/bin/sh\nread line; exec yes\n", "#!/bin/sh\nread line; echo nonsense; exec sleep 600\n",
        "#!/usr/bin/perl\nmy $x = 'a' x (3 << 30); print $x;\n",
    ])
    func `a program that is stopped costs one warning`(text: String) throws {
        let exifTool = ExifTool(path: try program(text), deadlineMilliseconds: 500)
        let found = try header(by: exifTool)
        #expect(found.size.description == "64x48")
        #expect(found.warnings.map(\.kind) == [.exifToolFailed])
        #expect(found.warnings[0].reason == "Some metadata may be missing, because exiftool was stopped.")
    }

    @Test func `it is started again after its end`() throws {
        let exifTool = ExifTool(path: "/usr/bin/exiftool")
        for _ in 0..<3 {
            #expect(try header(by: exifTool).embedded.title == "A title")
            try folder.run("pkill", "-KILL", "-P", "\(getpid())", "-f", "stay_open")
        }
    }

    /// A program that answers with the results of things that it must not do.
    private static let prisoner = """
        #!/usr/bin/perl
        use Socket;
        $| = 1;
        my $socket = socket(my $s, PF_INET, SOCK_STREAM, 0) ? "open" : "refused";
        my $local = socket(my $l, PF_UNIX, SOCK_STREAM, 0) ? "open" : "refused";
        my $written = open(my $f, '>', "/tmp/prisoner-$$") && syswrite($f, "x") ? "written" : "refused";
        close $f; unlink "/tmp/prisoner-$$";
        my @open = grep { $_ && !m{^/proc/|/bin/exiftool$} } map { readlink "/proc/self/fd/$_" } 3..63;
        my $home = $ENV{HOME};
        while (my $line = <STDIN>) {
            next unless $line =~ /^-execute(\\d+)/;
            print "<r xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description ",
                "xmlns:P='http://ns.exiftool.org/PNG/PNG/1.0/'>",
                "<P:Title>$socket $local $written @open $home</P:Title></rdf:Description></r>\\n{ready$1}\\n";
        }
        """

    @Test func `it has no network, no files and no home`() throws {
        _ = try program(Self.prisoner)
        let worker = try WorkerProcess(searchPath: folder.path("bin") + ":/usr/bin:/bin")
        guard case .header(let header) = try worker.ask(.header(folder.name("a.png"), sidecars: [])) else {
            Issue.record("no header")
            return
        }
        // Of open files, only that of the program itself is left out.
        let words = (header.embedded.title ?? "").split(separator: " ").map(String.init)
        #expect(words.prefix(3) == ["refused", "refused", "refused"])
        #expect(words.last == "/nonexistent")
        #expect(words.count == 4, "\(words)")
    }

    @Test func `it ends with its worker`() throws {
        let worker = try WorkerProcess()
        guard case .header = try worker.ask(.header(folder.name("a.png"), sidecars: [])) else {
            Issue.record("no header")
            return
        }
        let children = try children(of: worker.process.processIdentifier)
        #expect(children.count == 1)
        kill(worker.process.processIdentifier, SIGKILL)
        worker.process.waitUntilExit()
        for child in children {
            let end = ContinuousClock.now + .seconds(30)
            while kill(child, 0) == 0, try state(of: child) != "Z", ContinuousClock.now < end { usleep(10_000) }
            #expect(ContinuousClock.now < end)
        }
    }

    private func children(of process: Int32) throws -> [Int32] {
        let text = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    private func state(of process: Int32) throws -> String? {
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.split(separator: ")").last?
            .split(separator: " ").first.map(String.init)
    }
}
