import Foundation
import PhotoStreamHTTP
import Testing

/// Commands, options and settings of version 0.2.0 go on working throughout 0.3.
@Suite struct OldNamesTests {
    /// Returns the names of the options of each command, including those that help does not show.
    private static func options() throws -> [String: Set<String>] {
        let help = try Command()("--experimental-dump-help").json
        var options: [String: Set<String>] = [:]
        func add(_ command: [String: Any], path: [String]) {
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            let names = arguments.flatMap { $0["names"] as? [[String: Any]] ?? [] }
            options[path.joined(separator: " ")] = Set(names.compactMap { $0["name"] as? String })
            for subcommand in command["subcommands"] as? [[String: Any]] ?? [] {
                add(subcommand, path: path + [subcommand["commandName"] as? String ?? ""])
            }
        }
        add(try #require(help["command"] as? [String: Any]), path: [])
        return options
    }

    @Test func `each command of 0.2 accepts its options`() throws {
        let options = try Self.options()
        let shared = OldNames.layoutOptions.split(separator: " ").map(String.init)
        let commands = OldNames.commands.split(separator: "\n")
        #expect(commands.count > 40 && shared.count > 30)
        for line in commands {
            let parts = line.split(separator: ":", maxSplits: 1)
            let command = String(parts[0])
            let names = parts[1].split(separator: " ").flatMap { $0 == "…" ? shared : [String($0)] }
            #expect(!names.isEmpty)
            let missing = Set(names).subtracting(options[command] ?? [])
            #expect(missing.isEmpty, "\(command) does not accept \(missing.sorted())")
        }
    }

    @Test func `each setting of 0.2 is accepted`() {
        let settings = Set(ServerSetting.all.map(\.name) + ServerSetting.formerNames)
        let old = OldNames.settings.split(separator: " ").map(String.init)
        #expect(old.count > 20 && Set(old).isSubset(of: settings))
    }

    @Test func `a former setting is ignored with a warning, from each source`() throws {
        let photostream = try Command()
        try photostream("streams", "create", "s")
        try photostream.write("old.conf", "PHOTOSTREAM_READERS=3\n")
        let server = try ServedFile(
            in: photostream.folder, "--set", "writers=3", "--configuration", "old.conf",
            environment: ["PHOTOSTREAM_UPLOADS": "none"])
        #expect(try server.curl("/healthz").contains("running"))
        server.signal(SIGTERM)
        let (status, errors) = server.end()
        #expect(status == 0)
        for name in ["--set writers", "old.conf: PHOTOSTREAM_READERS", "PHOTOSTREAM_UPLOADS"] {
            let warning = "\(name) is no longer a setting and is ignored; 0.4 will not know the name"
            #expect(errors.contains(warning), "\(errors)")
        }
    }

    @Test func `an obsolete option is accepted with a warning`() throws {
        let photostream = try Command()
        try photostream("streams", "create", "s")
        let server = try ServedFile(in: photostream.folder, needsTokens: true, "--require-token")
        #expect(try server.curl("/v1/streams", "-o", "/dev/null", "-w", "%{http_code}") == "401")
        server.signal(SIGTERM)
        let (status, errors) = server.end()
        #expect(status == 0 && errors.contains("--require-token is the rule now; 0.4 will not know the option"))
    }
}
