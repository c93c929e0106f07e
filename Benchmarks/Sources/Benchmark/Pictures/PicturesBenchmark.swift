import ArgumentParser
import Foundation

/// Headers, thumbnails and their serving, next to the tools that people use for the same.
struct PicturesBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pictures",
        abstract: "Headers and thumbnails a second, next to libvips, exiftool and vipsthumbnail; thumbnails over HTTP.",
        discussion: """
            The pictures are copies of those in SampleData, and pictures of 12 megapixels that vips makes of one of them. \
            Needs libvips-tools, exiftool, wrk and nginx: \
            `apt-get install libvips-tools libimage-exiftool-perl wrk nginx-light`.
            """)

    /// The parts.
    private enum Part: String, CaseIterable {
        case headers
        case decode
        case http
        case folder
        case warming
    }

    @Option(help: "The number of files whose headers are read.")
    var count = 4_000

    @Option(help: "The number of 12-megapixel pictures of each format.")
    var decodes = 12

    @Option(help: "How often each is measured, at least 3.")
    var runs = 3

    @Option(help: "The number of files of the large folder.")
    var files = 100_000

    @Option(help: "The number of pictures that a server makes thumbnails of.")
    var pictures = 10_000

    @Option(help: "The parts: headers, decode, http, folder, warming. (default: all)")
    var parts: [String] = []

    @Option(help: "The photostream command; default is the main package's release build.")
    var photostream: String?

    func validate() throws {
        guard runs >= 3 else { throw ValidationError("a median needs at least 3 measurements") }
        for part in parts where Part(rawValue: part) == nil { throw ValidationError("there is no part \"\(part)\"") }
    }

    func run() throws {
        let command = try Tool.photostream(photostream)
        let parts = parts.isEmpty ? Part.allCases : parts.compactMap(Part.init)
        try Tool.withFolder { folder in
            for part in parts {
                switch part {
                case .headers: try HeaderMeasurement(command: command, count: count, runs: runs).run(in: folder)
                case .decode: try DecodeMeasurement(command: command, count: decodes, runs: runs).run(in: folder)
                case .http: try ThumbnailMeasurement(command: command, runs: runs).run(in: folder)
                case .folder: try LargeFolderMeasurement(command: command, count: files).run(in: folder)
                case .warming: try WarmingMeasurement(command: command, count: pictures).run(in: folder)
                }
                fflush(nil)
            }
        }
    }
}

/// The pictures that are measured with.
enum SamplePictures {
    /// The pictures of the project.
    static var files: [URL] {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../../SampleData/pictures").standardized
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .sorted { $0.path() < $1.path() }
        }
    }

    /// Copies them under new names until there are as many as wanted.
    ///
    /// - Parameters:
    ///   - count: The number of copies.
    ///   - folder: The folder, which is made.
    ///   - areDistinct: Whether no two are the same: eight bytes are added after the end of each picture, which decoders
    ///     leave alone. Only JPEGs and PNGs are taken then.
    /// - Throws: The errors of reading and writing files.
    static func copy(_ count: Int, into folder: URL, areDistinct: Bool = false) throws {
        let files = try files.filter { !areDistinct || ["jpg", "png"].contains($0.pathExtension) }
        for number in 0..<count {
            let part = folder.appending(path: "\(number / 500)")
            if number % 500 == 0 {
                try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
            }
            let file = files[number % files.count]
            let copy = part.appending(path: "\(number)-\(file.lastPathComponent)")
            if areDistinct {
                let number = withUnsafeBytes(of: UInt64(number)) { Data($0) }
                try (Data(contentsOf: file) + number).write(to: copy)
            } else {
                try FileManager.default.copyItem(at: file, to: copy)
            }
        }
    }
}

/// A folder import without pixels, next to a loop of libvips over the same files and to exiftool.
private struct HeaderMeasurement {
    let command: String
    let count: Int
    let runs: Int

    func run(in parent: URL) throws {
        let folder = parent.appending(path: "headers")
        try SamplePictures.copy(count, into: folder)
        let path = folder.path(percentEncoded: false)
        // vipsheader opens one file after the other, in one process, and prints its findings.
        let list = try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.contains("/") }
            .map { "\(path)/\($0)" }
        let database = parent.appending(path: "headers.sqlite").path(percentEncoded: false)
        let names = ["photostream import", "vipsheader, one process", "exiftool -fast2 -json -r"]
        print("\n\(count) headers, warm; medians of \(runs); files a second")
        let times = try medians(
            runs: runs,
            [
                {
                    try Self.remove(database)
                    let output = try Tool.run(
                        command,
                        arguments: ["import", "--no-pictures", "--json", "--database", database, "--stream", "s", path])
                    try Self.check(output.contains("\"inserted\":\(count)"), orSay: "the import says \(output)")
                },
                { try Tool.run("/usr/bin/vipsheader", arguments: list) },
                { try Tool.run("/usr/bin/exiftool", arguments: ["-fast2", "-json", "-r", path]) },
            ])
        for (name, time) in zip(names, times) {
            print(
                "   ", name.padding(toLength: 26, withPad: " ", startingAt: 0),
                cell(Double(count) / time * 1e9, places: 0), " ours to it", cell(time / times[0], width: 6))
        }
    }

    fileprivate static func remove(_ database: String) throws {
        for name in [database, "\(database)-wal", "\(database)-shm"]
            + ["", "-wal", "-shm"].map({
                database.replacing(".sqlite", with: ".pictures.sqlite") + $0
            }) where FileManager.default.fileExists(atPath: name)
        {
            try FileManager.default.removeItem(atPath: name)
        }
    }

    fileprivate static func check(_ isRight: Bool, orSay message: @autoclosure () -> String) throws {
        guard isRight else { throw Tool.Failure(description: message()) }
    }
}

/// Thumbnails, placeholder, colour and hash of large pictures, next to two runs of vipsthumbnail, on one core.
private struct DecodeMeasurement {
    let command: String
    let count: Int
    let runs: Int

    /// The formats, with the options of their savers.
    private static let formats = [("jpg", "Q=90"), ("heic", "Q=60"), ("png", "compression=6")]

    func run(in parent: URL) throws {
        print(
            "\n12 megapixels to 320, 640, placeholder, colour and hash, one core; medians of \(runs); pictures a second"
        )
        for (format, options) in Self.formats {
            let folder = parent.appending(path: format)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try make(format, options: options, in: folder)
            try measure(format, in: folder, parent: parent)
        }
    }

    /// Makes pictures of 4,000 by 3,000 pixels with noise, as cameras have it.
    private func make(_ format: String, options: String, in folder: URL) throws {
        let path = folder.path(percentEncoded: false)
        let source = try SamplePictures.files.first { $0.pathExtension == "jpg" }?.path(percentEncoded: false) ?? ""
        for number in 0..<count {
            let (large, noise, sum) = ("\(path)/large.v", "\(path)/noise.v", "\(path)/sum.v")
            try Tool.run(
                "/usr/bin/vips", arguments: ["thumbnail", source, large, "4000", "--height", "3000", "--size", "force"])
            try Tool.run(
                "/usr/bin/vips",
                arguments: ["gaussnoise", noise, "4000", "3000", "--sigma", "6", "--mean", "0", "--seed", "\(number)"])
            try Tool.run("/usr/bin/vips", arguments: ["add", large, noise, sum])
            try Tool.run("/usr/bin/vips", arguments: ["cast", sum, "\(path)/cast.v", "uchar"])
            try Tool.run(
                "/usr/bin/vips", arguments: ["copy", "\(path)/cast.v", "\(path)/\(number).\(format)[\(options)]"])
        }
        for name in ["large", "noise", "sum", "cast"] {
            try FileManager.default.removeItem(atPath: "\(path)/\(name).v")
        }
    }

    private func measure(_ format: String, in folder: URL, parent: URL) throws {
        let path = folder.path(percentEncoded: false)
        let files = (0..<count).map { "\(path)/\($0).\(format)" }
        let database = parent.appending(path: "\(format).sqlite").path(percentEncoded: false)
        let times = try medians(
            runs: runs,
            [
                {
                    try HeaderMeasurement.remove(database)
                    try Tool.run(
                        "/usr/bin/taskset",
                        arguments: ["-c", "0", command, "import", "--database", database, "--stream", "s", path])
                },
                {
                    for size in ["640", "320"] {
                        try Tool.run(
                            "/usr/bin/taskset",
                            arguments: [
                                "-c", "0", "/usr/bin/vipsthumbnail", "--vips-concurrency=1", "-s", size, "-o",
                                "\(parent.path(percentEncoded: false))/%s-\(size).webp[Q=80]",
                            ] + files)
                    }
                },
            ])
        let status = try Tool.run(command, arguments: ["pictures", "status", "--json", "--database", database])
        try HeaderMeasurement.check(status.contains("\"ready\":\(count)"), orSay: "not all are ready: \(status)")
        print(
            "   ", format.padding(toLength: 5, withPad: " ", startingAt: 0),
            cell(Double(count) / times[0] * 1e9), " vipsthumbnail twice", cell(Double(count) / times[1] * 1e9),
            " time to it", cell(times[0] / times[1], width: 6))
    }
}

/// Stored thumbnails over HTTP, next to a route that answers the same bytes from memory and to nginx; and a cold
/// thumbnail that many clients ask for at once.
private struct ThumbnailMeasurement {
    let command: String
    let runs: Int

    func run(in parent: URL) throws {
        let folder = parent.appending(path: "http")
        let pictures = folder.appending(path: "pictures")
        try SamplePictures.copy(100, into: pictures)
        let database = folder.appending(path: "http.sqlite").path(percentEncoded: false)
        try Tool.run(
            command,
            arguments: ["import", "--database", database, "--stream", "s", pictures.path(percentEncoded: false)])
        let server = try ServedProcess(command, arguments: ["serve", "--open", "--database", database, "--port", "0"])
        defer { server.stop() }
        try record(server, in: folder)
        let memory = try ServedProcess(
            CommandLine.arguments[0], arguments: ["memory-server", folder.path(percentEncoded: false)])
        defer { memory.stop() }
        let nginx = try NginxServer.start(folder)
        defer { nginx.stop() }
        let load = try HTTPLoad(folder)
        let recorded = RecordedAnswers(in: folder, to: .thumbnail)
        var rates = [[Double]](repeating: [], count: 3)
        for _ in 0..<runs {
            for (number, each) in [server, memory, nginx].enumerated() {
                let addresses = number < 2 ? recorded.addresses : recorded.fileAddresses
                rates[number].append(
                    try load.run(each, addresses: addresses, accept: "image/webp", connections: 64, seconds: 2)
                        .perSecond)
            }
        }
        let medians = rates.map { $0.sorted()[runs / 2] }
        print("\nstored thumbnails of 320 pixels over HTTP, 64 connections; medians of \(runs); requests a second")
        print("    photostream", cell(medians[0], places: 0))
        print("    memory     ", cell(medians[1], places: 0), " ours to it", cell(medians[0] / medians[1], width: 6))
        print("    nginx      ", cell(medians[2], places: 0), " ours to it", cell(medians[0] / medians[2], width: 6))
    }

    /// Asks for the thumbnail of each photo at its immutable address.
    private func record(_ server: ServedProcess, in folder: URL) throws {
        let client = try SocketClient(port: server.port)
        let page = try client.get("/v1/streams/s/layout/page?width=1200&limit=100", accept: "application/json")
        let text = String(decoding: page.body, as: UTF8.self)
        let keys = Set(text.matches(of: /"pictureKey":"([A-Za-z0-9_-]{22})"/).map { String($0.1) }).sorted()
        guard !keys.isEmpty else { throw Tool.Failure(description: "the page names no pictures: \(text.prefix(500))") }
        let samples = try keys.map { key in
            let target = "/v1/images/\(key)/320.webp"
            let answer = try client.get(target, accept: "image/webp")
            guard answer.status == 200 else { throw Tool.Failure(description: "\(target) got \(answer.status)") }
            return HTTPSample(target: target, tag: answer.tag, body: answer.body)
        }
        try RecordedAnswers(in: folder, to: .thumbnail).write(samples)
    }
}
