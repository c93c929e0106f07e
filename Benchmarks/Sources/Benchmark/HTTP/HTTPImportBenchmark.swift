import ArgumentParser
import Foundation

/// Readers over HTTP while a million records are imported into the same file.
struct HTTPImportBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http-import",
        abstract: "Latency of readers over HTTP while records are imported into the same file.",
        discussion: """
            wrk asks for pages, rectangles and look-ups of one stream, in equal parts, over the whole time of an import: by \
            another process or by POST, into another stream or into the same stream. All share the machine.
            """)

    /// The importer and its stream.
    private enum Importer: String, CaseIterable {
        case none = "none"
        case process = "another process, another stream"
        case post = "POST, another stream"
        case sameStream = "another process, the same stream"
    }

    @Option(help: "The number of photos, and of imported records.")
    var count = 1_000_000

    @Option(help: "The number of connections that read.")
    var connections = 4

    @Option(help: "The seconds of reading without an import.")
    var seconds = 5

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func run() throws {
        let command = try Tool.photostream(photostream)
        try Tool.withFolder { folder in
            let load = try HTTPLoad(folder)
            let subject = try HTTPSubject(command, count: count, in: folder)
            defer { subject.server.stop() }
            try subject.record()
            let records = folder.appending(path: "photos.jsonl").path(percentEncoded: false)
            try write(more: folder.appending(path: "more.jsonl"))
            print("\(count) photos, \(connections) connections; importer | req/s | p50, ms | p99, ms | import, s")
            for importer in Importer.allCases {
                var duration = Duration.zero
                let result = try load.run(
                    subject.server, addresses: try subject.mixedAddresses(), accept: HTTPQuestion.page.accept,
                    connections: connections, seconds: importer == .none ? seconds : 600,
                    until: importer == .none
                        ? nil
                        : {
                            duration = try ContinuousClock().measure {
                                try `import`(by: importer, with: command, records: records, into: subject, in: folder)
                            }
                        })
                print(
                    importer.rawValue.padding(toLength: 42, withPad: " ", startingAt: 0),
                    cell(result.perSecond, places: 0), cell(result.median), cell(result.slowest),
                    cell(duration.nanoseconds / 1e9, places: 1))
                fflush(nil)
            }
        }
    }

    /// Imports all records, and returns when that is done.
    private func `import`(
        by importer: Importer, with command: String, records: String, into subject: HTTPSubject, in folder: URL
    ) throws {
        switch importer {
        case .none: break
        case .process:
            try Tool.run(command, arguments: ["import", "--database", subject.file, "--stream", "other", records])
        case .post:
            let streams = "http://127.0.0.1:\(subject.server.port)/v1/streams"
            try Tool.run(
                "/usr/bin/curl",
                arguments: ["--fail", "--silent", "--json", #"{"stream":"posted"}"#, streams])
            try Tool.run(
                "/usr/bin/curl",
                arguments: [
                    "--fail", "--silent", "--header", "Content-Type: application/jsonl", "--header", "Expect:",
                    "--request", "POST", "--upload-file", records, "\(streams)/posted/photos",
                ])
        case .sameStream:
            let more = folder.appending(path: "more.jsonl").path(percentEncoded: false)
            try Tool.run(command, arguments: ["import", "--database", subject.file, "--stream", "bench", more])
        }
    }

    /// Writes the same number of records again, with new ids.
    private func write(more file: URL) throws {
        let source = file.deletingLastPathComponent().appending(path: "photos.jsonl")
        let records = try String(contentsOf: source, encoding: .utf8)
        try Data(records.replacing("{\"id\":\"", with: "{\"id\":\"more-").utf8).write(to: file)
    }
}
