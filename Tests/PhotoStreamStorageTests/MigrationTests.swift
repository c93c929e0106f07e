import Foundation
import PhotoStreamMigrations
import Testing

@Suite struct MigrationTests {
    fileprivate static let testFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The scripts of one kind of database.
    enum Kind: String, CaseIterable {
        case file = "SQL"
        case primary = "PostgreSQL"

        var migrations: [Migration] { self == .file ? Migration.all : Migration.primary }
        var folder: URL {
            MigrationTests.testFolder.deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Migrations/\(rawValue)")
        }
        var hashes: URL {
            MigrationTests.testFolder.appendingPathComponent(
                self == .file ? "Golden/migration-hashes.json" : "Golden/primary-migration-hashes.json")
        }
    }

    @Test(arguments: Kind.allCases) func `the list of migrations equals the sorted folder`(kind: Kind) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: kind.folder.path).sorted()
        #expect(kind.migrations.map { $0.name + ".sql" } == files)
    }

    @Test(arguments: Kind.allCases) func `no script has changed since its hash was recorded`(kind: Kind) throws {
        let golden = try Data(contentsOf: kind.hashes)
        let expected = try JSONDecoder().decode([String: String].self, from: golden)
        var actual: [String: String] = [:]
        for migration in kind.migrations {
            actual[migration.name] = try sha256(kind.folder.appendingPathComponent(migration.name + ".sql"))
        }
        #expect(actual == expected, "a script that has shipped is never edited; write a new one")
    }

    @Test(arguments: Kind.allCases) func `the embedded scripts equal those of the folder`(kind: Kind) throws {
        for migration in kind.migrations {
            let file = kind.folder.appendingPathComponent(migration.name + ".sql")
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
