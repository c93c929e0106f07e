import Foundation
import PhotoStreamModel
import Testing

@testable import PhotoStreamImport

@Suite struct SourceStartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func error(_ paths: [String], map: String = "", limits: ReaderLimits = ReaderLimits()) -> String {
        do {
            let options = try ImportOptions(mapping: FieldMapping(parsing: map))
            _ = try RecordReader(paths: paths, options: options, limits: limits)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func `every source is checked before the first is read`() throws {
        let good = try folder.write(Array("{\"id\":1}\n".utf8), to: "good.jsonl")
        #expect(error([good]) == "none")
        let missing = folder.path + "/none.jsonl"
        #expect(error([good, missing]) == "There is no file \"\(missing)\".")
        #expect(error([good, folder.path]) == "\"\(folder.path)\" is a directory, not a file.")
        #expect(error(["-", "-"]) == "Standard input is named more than once.")
        #expect(error([""]) == "There is no file \"\".")
        // A name that is not UTF-8, as it arrives as an argument.
        #expect(error(["caf\u{FFFD}.jsonl"]).contains("because its name is not valid UTF-8"))
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `an unreadable file is named`() throws {
        let path = try folder.write(Array("{}".utf8), to: "secret.json")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(error([path]) == "There is no permission to read \"\(path)\".")
    }

    @Test(
        arguments: [
            ([], "is empty."),
            ([0xEF, 0xBB, 0xBF], "is empty: it contains only white space."),
            (Array(" \r\n\t\n".utf8), "is empty: it contains only white space."),
            ([0xFF, 0xFE, 0x7B, 0x00], "is UTF-16 text; convert it to UTF-8."),
            (
                [0x1F, 0x8B, 0x08, 0x00],
                "is compressed with gzip; decompress it with: zcat FILE | photostream import --stream NAME -"
            ),
            (
                [0x28, 0xB5, 0x2F, 0xFD, 0x00],
                "is compressed with Zstandard; decompress it with: zstdcat FILE | photostream import --stream NAME -"
            ),
            (
                Array("PK\u{3}\u{4}".utf8),
                "is compressed with zip; decompress it with: unzip -p FILE | photostream import --stream NAME -"
            ),
        ] as [([UInt8], String)])
    func `a source without records is rejected`(bytes: [UInt8], end: String) throws {
        for name in ["a.jsonl", "a.json", "a.csv", "a.txt"] {
            let path = try folder.write(bytes, to: name)
            #expect(error([path]) == "\"\(path)\" \(end)")
        }
    }

    @Test(arguments: [
        ("id,width\n", "id=photo", "lacks the column \"photo\" mapped to id; it has: id, width."),
        ("id,width\n", "caption=title", "lacks the column \"title\" mapped to caption; it has: id, width."),
        ("photo, width \n", "", "has no column \"id\"; map one with id=COLUMN. It has: photo, width."),
        ("id,a,a\n", "caption=a", "has the column \"a\" 2 times."),
    ])
    func `a header without matching columns is rejected in advance`(header: String, map: String, end: String) throws {
        let path = try folder.write(Array(header.utf8), to: "a.csv")
        #expect(error([path], map: map) == "The header of \"\(path)\" \(end)")
    }

    @Test(arguments: [
        ("id\twidth\n", "", "tsv"), ("\n width,id\n", "", "csv"), ("\"id\",\"width\"\n", "", "csv"),
        ("photo\twidth, height\n", "id=photo", "tsv"), ("photo\twidth\n", "", nil), ("id\n", "", nil),
        ("hello, world\n", "", nil), ("{\"id\":1},id,\n", "", nil),
    ])
    func `a header in place of JSON is rejected in advance`(text: String, map: String, format: String?) throws {
        for name in ["a.jsonl", "a.json"] {
            let path = try folder.write(Array(text.utf8), to: name)
            let sentence = format.map {
                "\"\(path)\" begins with the header of a \($0.uppercased()) file, not with JSON; "
                    + "import it with --format \($0)."
            }
            #expect(error([path], map: map) == sentence ?? "none")
        }
    }

    @Test(arguments: [
        ("id,\"a", "The header of NAME has a quote that is never closed"),
        ("id,\"a\"b\n", "The header of NAME has text after a closing quote"),
    ])
    func `a header with malformed quotes is rejected`(header: String, sentence: String) throws {
        let path = try folder.write(Array(header.utf8), to: "a.csv")
        let cure = "; if quotes are plain characters here, import with --no-quoting."
        #expect(error([path]) == sentence.replacingOccurrences(of: "NAME", with: "\"\(path)\"") + cure)
    }

    @Test func `a repeated column that is not mapped is ignored`() async throws {
        let outcome = try await ImportOutcome.reading("id,a,a\n1,2,3\n", name: "a.csv")
        #expect(outcome.ids == ["1"])
    }

    @Test func `standard input is read in order, and rejected then if it is empty`() async throws {
        let pipe = Pipe()
        var limits = ReaderLimits()
        limits.standardInput = pipe.fileHandleForReading.fileDescriptor
        let options = try ImportOptions()
        let empty = try RecordReader(paths: ["-"], options: options, limits: limits)
        #expect(empty.totalBytes == nil)
        try pipe.fileHandleForWriting.write(contentsOf: Data("{\"id\":\"a\"}\n".utf8))
        try pipe.fileHandleForWriting.close()
        let batch = try await empty.nextBatch(limit: 10)
        #expect(batch?.records.map(\.id.rawValue) == ["a"])
        let again = try RecordReader(paths: ["-"], options: options, limits: limits)
        await #expect { try await again.nextBatch(limit: 1) } throws: { "\($0)" == "Standard input is empty." }
    }

    @Test func `sources follow one another, each with its own format and line numbers`() async throws {
        let paths = [
            try folder.write(Array("id,width,height\na,1,2\n".utf8), to: "1.csv"),
            try folder.write(Array("[{\"id\":\"b\"},{\"id\":\"c\"},{}]".utf8), to: "2"),
            try folder.write(Array("id\theight\twidth\nd\t4\t5\n".utf8), to: "3.tsv"),
            try folder.write(Array("{\"id\":\"e\"}\n\n{\"id\":\"f\"}\n{}".utf8), to: "4"),
            try folder.write(Array("{\n\"id\": \"g\"\n}\n".utf8), to: "5"),
            try folder.write(Array("id\nh".utf8), to: "6"),
        ]
        let outcome = try await ImportOutcome.reading(paths: paths, batchLimit: 2)
        #expect(outcome.ids == ["a", "b", "c", "d", "e", "f", "g", "h"])
        #expect(outcome.placedReasons == ["1:24: the id is missing", "4:1: the id is missing"])
        #expect(outcome.rejects.map(\.position.source) == [paths[1], paths[3]])
        let sizes = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)).count }
        #expect(outcome.bytesConsumed == Int64(sizes.reduce(0, +)))
        #expect(try RecordReader(paths: paths, options: ImportOptions()).totalBytes == outcome.bytesConsumed)
    }

    @Test func `a source that fails does not affect the records before it`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.close()
        var limits = ReaderLimits()
        limits.standardInput = pipe.fileHandleForReading.fileDescriptor
        let good = try folder.write(Array("{\"id\":1}\n".utf8), to: "good.jsonl")
        let reader = try RecordReader(paths: [good, "-"], options: ImportOptions(), limits: limits)
        #expect(try await reader.nextBatch(limit: 10)?.readCount == 1)
        for _ in 0..<2 {
            await #expect { try await reader.nextBatch(limit: 10) } throws: { "\($0)" == "Standard input is empty." }
        }
    }

    @Test func `mapped paths that never occur are reported`() async throws {
        let text = "{\"id\":1,\"images\":[{\"url\":\"x\"}]}\n{\"id\":2,\"title\":null}\n"
        let outcome = try await ImportOutcome.reading(text, map: "caption=title,location=images.0.url,alt=images.1.url")
        #expect(outcome.unusedPaths == ["images.1.url"])
    }
}
