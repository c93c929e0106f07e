import Foundation
import Testing

/// The parts of Documentation/Runbook.md: each fault has the described symptoms, and ends with the printed steps.
@Suite struct RunbookTests {
    private static let project = Command.samples.deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: project.appending(path: path), encoding: .utf8)
    }

    /// The headings of the parts about faults.
    private static let parts: [String] =
        ((try? text("Documentation/Runbook.md")) ?? "").split(separator: "\n").filter { $0.hasPrefix("## ") }
        .map { String($0.dropFirst(3)) }.filter { $0 != "Backups" }

    /// Whether a test may lay file systems over this machine's.
    private static let mayMount: Bool = {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/pg_ctlcluster") else {
            return false
        }
        let trial = Process()
        trial.executableURL = URL(filePath: "/usr/bin/unshare")
        trial.arguments = [
            "--net", "--mount", "--pid", "--fork", "/bin/sh", "-ec",
            """
            mount -t tmpfs tmpfs /mnt; mkdir /mnt/upper /mnt/work /mnt/root
            mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
            """,
        ]
        (trial.standardOutput, trial.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? trial.run()) != nil else { return false }
        trial.waitUntilExit()
        return trial.terminationStatus == 0
    }()

    @Test(.enabled("needs root, overlayfs and PostgreSQL") { mayMount }, arguments: parts)
    func `a fault has the documented symptoms, and the page's steps end it`(part: String) throws {
        let output = FileManager.default.temporaryDirectory.appending(path: "runbook-\(UUID().uuidString)")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let script = Process()
        script.executableURL = Self.project.appending(path: "Packaging/try-runbook")
        script.arguments = [try Command.binary().path, part]
        let file = try FileHandle(forWritingTo: output)
        (script.standardOutput, script.standardError) = (file, file)
        script.standardInput = FileHandle.nullDevice
        try script.run()
        script.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        #expect(script.terminationStatus == 0, "\(text)")
    }

    @Test func `each alert on the page is a rule, and each critical rule is on the page`() throws {
        let page = try Self.text("Documentation/Runbook.md")
        let rules = try Self.text("Packaging/alerts.yaml").components(separatedBy: "- alert: ").dropFirst()
        let names = Set(rules.map { String($0.prefix { $0 != "\n" }) })
        let named = Set(page.matches(of: /PhotoStream[A-Z]\w+/).map { String($0.output) })
        #expect(named.count >= 3 && named.isSubset(of: names), "\(named)")
        for rule in rules where rule.contains("severity: critical") {
            let name = String(rule.prefix { $0 != "\n" })
            #expect(named.contains(name), "\(name)")
        }
    }

    @Test func `each part has symptoms and steps`() throws {
        #expect(Self.parts.count >= 5)
        for part in try Self.text("Documentation/Runbook.md").components(separatedBy: "\n## ").dropFirst() {
            let name = part.prefix { $0 != "\n" }
            #expect(part.contains("\n    $ "), "\(name)")
            guard name != "Backups", !part.contains("\nNo alert: ") else { continue }
            for row in ["alert", "log", "clients"] { #expect(part.contains("\n| \(row) | "), "\(name): \(row)") }
        }
    }
}
