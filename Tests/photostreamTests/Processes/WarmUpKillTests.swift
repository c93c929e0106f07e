import Foundation
import PhotoStreamTestSupport
import Testing

/// `kill -9` at random moments of a warm-up, of the whole command or of its decode workers: every thumbnail is there in
/// the end.
///
/// `PHOTOSTREAM_KILLS=1000 swift test --filter WarmUpKillTests` kills more often.
@Suite struct WarmUpKillTests {
    private static let copyCount = 12

    private let photostream: Command
    private let runner: ProcessRunner
    private let database: String
    private let pictureCount: Int
    /// The number of changes that the import logged.
    private let changeCount: String

    init() throws {
        photostream = try Command()
        database = photostream.url("photos.sqlite").path
        runner = ProcessRunner(folder: photostream.folder.path)
        let samples = try FileManager.default.contentsOfDirectory(
            at: Command.samples.appending(path: "pictures"), includingPropertiesForKeys: nil)
        for copy in 0..<Self.copyCount {
            let folder = photostream.url("pictures/\(copy)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for sample in samples {
                // Each has a different content, after the end of the picture.
                let bytes = try Data(contentsOf: sample) + Data("\(copy)".utf8)
                try bytes.write(to: folder.appending(path: sample.lastPathComponent))
            }
        }
        pictureCount = samples.count * Self.copyCount
        let imported = try photostream(
            "import", "--database", database, "--stream", "family", "--no-pictures", "pictures")
        try #require(imported.status == 0, "\(imported.errors)")
        changeCount = try runner.sqlite(database, "SELECT count(*), max(revision) FROM change")
    }

    private static let killCount = ProcessInfo.processInfo.environment["PHOTOSTREAM_KILLS"].flatMap(Int.init) ?? 30

    private var warmUp: [String] { ["pictures", "warm", "--database", database] }

    private func expectAllReady() throws {
        let last = try photostream.run(warmUp)
        #expect(last.status == 0, "\(last.errors)")
        let status = try photostream("pictures", "status", "--database", database, "--json").json
        let stream = try #require((status["streams"] as? [[String: Any]])?.first)
        #expect(stream["ready"] as? Int == pictureCount && stream["failed"] as? Int == 0)
        let verified = try photostream("pictures", "verify", "--database", database)
        #expect(verified.status == 0 && verified.output.contains("all is well"), "\(verified.output)")
        #expect(try runner.sqlite(database, "PRAGMA integrity_check") == "ok\n")
        // None of it is a change of the stream.
        #expect(try runner.sqlite(database, "SELECT count(*), max(revision) FROM change") == changeCount)
    }

    @Test func `a warm-up that is killed at random moments is finished by the same command`() throws {
        var random = SplitMix64(seed: 2_027)
        var killed = 0
        for _ in 0..<10 * Self.killCount where killed < Self.killCount {
            if try runner.kill(warmUp, after: .milliseconds(Int(50 + 1_000 * random.fraction()))) {
                killed += 1
            } else {
                // All were made.
                #expect(try photostream("pictures", "clear", "--database", database).status == 0)
            }
        }
        #expect(killed == Self.killCount)
        try expectAllReady()
    }

    @Test func `decode workers that are killed at random moments lose no picture`() throws {
        var random = SplitMix64(seed: 2_028)
        var killed = 0
        for _ in 0..<10 * Self.killCount where killed < Self.killCount {
            let process = Process()
            process.executableURL = try Command.binary()
            process.arguments = warmUp
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            while process.isRunning {
                usleep(UInt32(200_000 * random.fraction()))
                guard killed < Self.killCount else { continue }
                for worker in Self.children(of: process.processIdentifier) where kill(worker, SIGKILL) == 0 {
                    killed += 1
                }
            }
            if killed < Self.killCount {
                #expect(try photostream("pictures", "clear", "--database", database).status == 0)
            }
        }
        #expect(killed >= Self.killCount)
        try expectAllReady()
    }

    /// The processes that a process has started.
    private static func children(of parent: pid_t) -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
            guard let text = try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return false }
            let fields = text[end...].split(separator: " ")
            return fields.count > 2 && pid_t(fields[2]) == parent
        }
    }
}
