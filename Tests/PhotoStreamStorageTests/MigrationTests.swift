import Foundation
import PhotoStreamMigrations
import Testing

@Suite struct MigrationTests {
    private static let testFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private var scriptFolder: URL {
        Self.testFolder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Migrations/SQL")
    }

    @Test func `the list of migrations is the sorted folder`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: scriptFolder.path).sorted()
        #expect(Migration.all.map { $0.name + ".sql" } == files)
    }

    @Test func `no script has changed since its hash was recorded`() throws {
        let golden = try Data(contentsOf: Self.testFolder.appendingPathComponent("Golden/migration-hashes.json"))
        let expected = try JSONDecoder().decode([String: String].self, from: golden)
        var actual: [String: String] = [:]
        for migration in Migration.all {
            actual[migration.name] = try sha256(scriptFolder.appendingPathComponent(migration.name + ".sql"))
        }
        #expect(actual == expected, "a script that has shipped is never edited; write a new one")
    }

    @Test func `the embedded scripts are those of the folder`() throws {
        for migration in Migration.all {
            let file = scriptFolder.appendingPathComponent(migration.name + ".sql")
            #expect(try String(contentsOf: file, encoding: .utf8) == migration.sql)
        }
    }

    @Test func `no script opens a transaction or sets a pragma`() {
        for migration in Migration.all {
            let lines = migration.sql.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            for word in ["BEGIN;", "BEGIN IMMEDIATE", "COMMIT", "PRAGMA"] {
                #expect(!lines.contains { $0.hasPrefix(word) }, "\(migration.name): \(word)")
            }
        }
    }

    private func sha256(_ file: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        #if os(macOS)
        process.arguments = ["shasum", "-a", "256", file.path]
        #else
        process.arguments = ["sha256sum", file.path]
        #endif
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return String(text.prefix(64))
    }
}
