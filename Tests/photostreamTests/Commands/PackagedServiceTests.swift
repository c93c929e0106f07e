import Foundation
import PhotoStreamTestSupport
import Testing

/// The script that makes the packaged service's database before the server starts.
@Suite struct PackagedServiceTests {
    private let photostream: Command

    init() throws { photostream = try Command() }

    /// Runs the script with the built command instead of the installed one, and returns its status.
    private func createDatabase(_ options: [String] = [], environment: [String: String] = [:]) throws -> Int32 {
        let source = Command.samples.deletingLastPathComponent().appending(path: "Packaging/create-database")
        let script = try String(contentsOf: source, encoding: .utf8)
            .replacing("/usr/bin/photostream", with: try Command.binary().path(percentEncoded: false))
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "create-database", "photos.sqlite"] + options
        process.currentDirectoryURL = photostream.folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = Pipe()
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private var exists: Bool {
        FileManager.default.fileExists(atPath: photostream.folder.appending(path: "photos.sqlite").path)
    }

    @Test func `without a primary, the first start creates a stream, and later ones change nothing`() throws {
        for _ in 0..<2 {
            #expect(try createDatabase(["--watch"], environment: ["PHOTOSTREAM_OPTIONS": "--host-name a.example"]) == 0)
            let streams = try photostream("streams", "--database", "photos.sqlite")
            #expect(streams.status == 0 && streams.output.contains("photos"), "\(streams.errors)")
        }
    }

    @Test func `the unit allows the server to open pictures`() throws {
        let source = Command.samples.deletingLastPathComponent().appending(path: "Packaging/photostream.service")
        let lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
        // systemd answers openat2 with ENOSYS then, since a filter cannot see its mode.
        #expect(!lines.contains { $0.hasPrefix("RestrictSUIDSGID=") })
        let filters = lines.filter { $0.hasPrefix("SystemCallFilter=") }
        #expect(filters.last?.contains("~@resources") == true)
        for word in ["NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet="] {
            #expect(lines.contains { $0 == word }, "\(word)")
        }
    }

    @Test func `with a primary, no local file is created in any configuration`() throws {
        let address = "postgres://photos@127.0.0.1:1/photos"
        for (options, environment) in [
            ([], ["PHOTOSTREAM_PRIMARY": address]),
            ([], ["PHOTOSTREAM_OPTIONS": "--watch --primary \(address)"]),
            ([], ["PHOTOSTREAM_OPTIONS": "--primary=\(address)"]),
            (["--primary", address], [:]), (["--address", "0.0.0.0", "--primary=\(address)"], [:]),
        ] as [([String], [String: String])] {
            #expect(try createDatabase(options, environment: environment) == 0)
            #expect(!exists, "\(options) \(environment)")
        }
    }
}
