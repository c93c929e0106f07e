import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Damage of a file and of its machine is found, and nothing else.
@Suite struct DoctorTests {
    /// A change to a file or a machine that are well.
    struct Damage: Sendable, CustomTestStringConvertible {
        let name: String
        let subject: Finding.Subject
        let state: Finding.State
        /// A part of the text or of the advice.
        let text: String
        var change: @Sendable (Patient) throws -> Void = { _ in }
        var machine: @Sendable (inout Machine) -> Void = { _ in }

        var testDescription: String { name }
    }

    /// A file that is well, and is damaged after it was closed.
    final class Patient: Sendable {
        let temporary: TemporaryDatabase
        let pictures: URL

        init() throws {
            let gallery = try Gallery()
            temporary = gallery.temporary
            pictures = URL(filePath: temporary.path).deletingLastPathComponent().appending(path: "pictures")
            try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
            var random = SplitMix64(seed: 5)
            try gallery.insert(40, using: &random)
            try gallery.service.addRoot(pictures.path(percentEncoded: false))
            _ = try gallery.service.warm(Gallery.stream, layout: LayoutKey(SampleLayouts.configurations[0]))
            try gallery.service.storeDerived()
            try gallery.service.close()
        }

        func run(_ sql: String) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/sqlite3")
            process.arguments = [temporary.path, sql]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }

        func write(_ bytes: some Sequence<UInt8>, at offset: UInt64) throws {
            let file = try FileHandle(forWritingTo: URL(filePath: temporary.path))
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data(bytes))
            try file.close()
        }

        func findings(_ machine: (inout Machine) -> Void = { _ in }) -> [Finding] {
            var found = Machine(for: temporary.path)
            // Regardless of the machine on which the test runs.
            (found.freeByteCount, found.openFileLimit, found.watchLimit) = (1 << 40, 20_000, 20_000)
            (found.networkFileSystem, found.workerPath) = (nil, "/bin/true")
            (found.exifToolPath, found.ffmpegPath) = ("/bin/true", "/bin/true")
            machine(&found)
            return Doctor(path: temporary.path, on: found).findings()
        }
    }

    @Test func `a healthy file and machine have no findings, and every subject is checked`() throws {
        let findings = try Patient().findings()
        #expect(
            findings.allSatisfy { $0.state == .good && $0.advice == nil }, "\(findings.filter { $0.state != .good })")
        #expect(Set(findings.map(\.subject)) == Set(Finding.Subject.allCases).subtracting([.primary]))
        let order = findings.compactMap { Finding.Subject.allCases.firstIndex(of: $0.subject) }
        #expect(order == order.sorted())
    }

    @Test(arguments: damages)
    func `damage is found, with advice`(damage: Damage) throws {
        let patient = try Patient()
        try damage.change(patient)
        let findings = patient.findings(damage.machine)
        let found = try #require(
            findings.first { $0.subject == damage.subject && $0.state == damage.state }, "\(findings)")
        let sentences = "\(found.text); \(found.advice ?? "")"
        #expect(sentences.contains(damage.text), "\(sentences)")
        // Nothing else is blamed.
        let others = findings.filter { $0.state != .good && $0.subject != damage.subject }
        #expect(others.isEmpty, "\(others)")
    }

    static let damages: [Damage] = [
        Damage(name: "missing", subject: .file, state: .problem, text: "`photostream restore`") {
            try FileManager.default.removeItem(atPath: $0.temporary.path)
        },
        Damage(name: "another program's", subject: .file, state: .problem, text: "not PhotoStream's") {
            try $0.run("PRAGMA application_id = 7")
        },
        Damage(name: "no database", subject: .file, state: .problem, text: "`photostream restore --replace`") {
            try $0.write([UInt8](repeating: 7, count: 100), at: 0)
        },
        Damage(name: "of a newer version", subject: .file, state: .problem, text: "or a newer one") {
            try $0.run("INSERT INTO grdb_migrations VALUES ('V999_later')")
        },
        Damage(name: "of an older version", subject: .file, state: .warning, text: "`photostream upgrade") {
            try FileManager.default.removeItem(atPath: $0.temporary.path)
            try Gallery.run(OldFile.sql, in: $0.temporary.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: $0.temporary.path)
        },
        Damage(name: "trigger dropped", subject: .contents, state: .problem, text: "photoUpdated is missing") {
            try $0.run("DROP TRIGGER photoUpdated")
        },
        Damage(name: "index dropped", subject: .contents, state: .problem, text: "`photostream cache clear` creates it")
        {
            try $0.run("DROP INDEX importRunStream")
        },
        Damage(name: "derived row changed", subject: .contents, state: .problem, text: "`photostream cache clear`") {
            try $0.run("UPDATE layoutChunk SET checksum = checksum + 1")
        },
        Damage(name: "photos of no stream", subject: .contents, state: .problem, text: "which does not exist") {
            try $0.run(
                """
                PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
                INSERT INTO photo (streamId, externalId, width, height) VALUES (99, 'a', 4, 3)
                """)
        },
        Damage(name: "secret lost", subject: .contents, state: .problem, text: "INTO secret") {
            try $0.run("DELETE FROM secret")
        },
        Damage(name: "root gone", subject: .roots, state: .problem, text: "mount its disk") {
            try FileManager.default.removeItem(at: $0.pictures)
        },
        Damage(name: "root of another machine", subject: .roots, state: .warning, text: "`photostream roots add`") {
            try $0.run("UPDATE root SET machine = 'elsewhere'")
        },
        Damage(name: "store of thumbnails damaged", subject: .thumbnails, state: .problem, text: "pictures clear") {
            let path = $0.temporary.path.replacing(".sqlite", with: ".pictures.sqlite")
            try Data("not a store of thumbnails, whatever its name says".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        },
        Damage(name: "a file that others can read", subject: .permissions, state: .warning, text: "chmod o=") {
            let service = try PhotoStreamService(
                path: $0.temporary.path, access: .existing, primary: $0.temporary.primary
            ) { Moment.now }
            _ = try service.createToken(named: "phone", scope: .read)
            try service.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: $0.temporary.path)
        },
        Damage(name: "written tomorrow", subject: .clock, state: .problem, text: "set the clock") {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 86_400)], ofItemAtPath: $0.temporary.path)
        },
        Damage(
            name: "disk nearly full", subject: .disk, state: .problem, text: "free some space",
            machine: { $0.freeByteCount = 1 << 20 }),
        Damage(
            name: "few open files", subject: .openFiles, state: .warning, text: "ulimit -n",
            machine: { $0.openFileLimit = 256 }),
        Damage(
            name: "no worker", subject: .worker, state: .warning, text: "install libvips",
            machine: { $0.workerPath = nil }),
        Damage(
            name: "worker fails", subject: .worker, state: .problem, text: "has ended with status 1",
            machine: { $0.workerPath = "/bin/false" }),
        Damage(
            name: "no ffmpeg", subject: .videos, state: .warning, text: "apt install ffmpeg",
            machine: { $0.ffmpegPath = nil }),
        Damage(
            name: "ffmpeg fails", subject: .videos, state: .problem, text: "pictures warm --retry",
            machine: { $0.ffmpegPath = "/bin/false" }),
        Damage(
            name: "on NFS", subject: .fileSystem, state: .problem, text: "move it to a disk of this machine",
            machine: { $0.networkFileSystem = "nfs4" }),
        Damage(
            name: "more folders than watches", subject: .watches, state: .warning, text: "fs.inotify.max_user_watches"
        ) {
            try $0.run(
                """
                INSERT INTO pictureFile (streamId, rootId, path, byteCount, modifiedNanoseconds, state)
                VALUES (1, 1, 'a/b/1.jpg', 1, 1, 0), (1, 1, 'a/b/2.jpg', 1, 1, 0), (1, 1, 'a/3.jpg', 1, 1, 0)
                """)
        } machine: {
            $0.watchLimit = 2
        },
    ]

    @Test func `folders are counted, not files`() throws {
        let patient = try Patient()
        try patient.run(
            """
            INSERT INTO pictureFile (streamId, rootId, path, byteCount, modifiedNanoseconds, state)
            VALUES (1, 1, 'a/b/1.jpg', 1, 1, 0), (1, 1, 'a/b/2.jpg', 1, 1, 0), (1, 1, 'a/3.jpg', 1, 1, 0), (1, 1, '4.jpg', 1, 1, 0)
            """)
        let found = patient.findings().first { $0.subject == .watches }
        #expect(found?.text == "folders of pictures: 3; a user may watch 20000")
    }
}
