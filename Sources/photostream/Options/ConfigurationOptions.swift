import ArgumentParser
import Configuration
import Foundation
import PhotoStreamHTTP

/// The options of `photostream serve` that set limits.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Set a limit; --print-configuration lists them. May be repeated.", valueName: "name=number"),
        transform: Self.assignment)
    var set: [(name: String, value: String)] = []

    @Option(
        help: ArgumentHelp("A file of settings, one PHOTOSTREAM_NAME=VALUE a line.", valueName: "file"),
        completion: .file())
    var configuration: String?

    @Flag(help: "Print all settings and where they come from, and end.")
    var printConfiguration = false

    private static func assignment(_ text: String) throws -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw ValidationError("\"\(text)\" is not of the form name=number, such as imports=1")
        }
        guard ServerSetting.all.contains(where: { $0.name == parts[0] }) || ServerSetting.formerNames.contains(parts[0])
        else {
            throw ValidationError(
                "there is no setting \"\(parts[0])\"; \(SettingNames.hint(for: parts[0], isOption: true))")
        }
        return (parts[0], parts[1])
    }

    /// Opens the sources of settings.
    ///
    /// - Parameter options: The settings that have options of their own, by their names.
    /// - Returns: The sources.
    /// - Throws: ``CommandError`` if the file cannot be read or has a line that is not a setting.
    func sources(options: [String: String]) throws -> ConfigurationSources {
        let given = options.merging(set.map { ($0.name, $0.value) }) { $1 }
        var warnings = set.map(\.name).filter(ServerSetting.formerNames.contains).map { "--set \($0)" }
        let environment = SettingsEnvironment(ProcessInfo.processInfo.environment)
        var sources = [
            ConfigurationSources.Source(
                name: "option", prefix: "--set ",
                values: Dictionary(uniqueKeysWithValues: given.map { (ServerSetting.variable(of: $0.key), $0.value) })),
            ConfigurationSources.Source(name: "environment", prefix: "", values: environment.values),
        ]
        if let path = configuration {
            let values = try SettingsFile.values(path: path)
            warnings += values.keys.filter(SettingNames.former.contains).sorted().map { "\(path): \($0)" }
            sources.append(ConfigurationSources.Source(name: path, prefix: "\(path): ", values: values))
        }
        return ConfigurationSources(
            sources: sources, warnings: environment.warnings + warnings.map(ServerSetting.warning(aboutFormer:)))
    }
}

/// The sources of a server's settings, the most important first.
struct ConfigurationSources {
    struct Source {
        let name: String
        /// The beginning of setting names in its errors.
        let prefix: String
        /// The texts of settings, by their names in the environment.
        let values: [String: String]
    }

    let sources: [Source]
    /// Sentences about settings that are ignored.
    let warnings: [String]

    /// Reads the settings.
    ///
    /// - Throws: ``ServerError`` for an invalid value, under the name by which it was given.
    func settings() throws -> ServerSettings {
        let values: [String: String] = sources.reversed().reduce(into: [:]) { $0.merge($1.values) { $1 } }
        let provider = EnvironmentVariablesProvider(environmentVariables: values)
        do {
            return try ServerSettings(ConfigReader(provider: provider).scoped(to: "photostream"))
        } catch ServerError.invalidSetting(let name, let value, let range) {
            let source = source(of: name)
            let shown =
                switch source?.name {
                case "option": name == "port" ? "--port" : "--set \(name)"
                default: (source?.prefix ?? "") + ServerSetting.variable(of: name)
                }
            throw ServerError.invalidSetting(shown, value: value, range: range)
        }
    }

    /// Prints all settings with their values, sources and meanings.
    ///
    /// - Parameter settings: The settings.
    /// - Throws: The errors of writing.
    func print(_ settings: ServerSettings) throws {
        var table = TextTable([
            "name", .number("value"), "from", .number("least"), .number("most"), .wide("meaning"),
        ])
        let rows = ServerSetting.all.map { setting in
            [
                setting.name, String(setting.value(in: settings)), source(of: setting.name)?.name ?? "default",
                String(setting.range.lowerBound), String(setting.range.upperBound), setting.about,
            ]
        }
        try StandardOutput.write(table.text(rows, cutsLastColumn: false).utf8)
        let origins = settings.allowedOrigins.map(\.description).sorted().joined(separator: ",")
        let from = source(of: "allowed-origins")?.name ?? "default"
        try StandardOutput.write(
            line: "\nallowed-origins (\(from)): \(origins.isEmpty ? "none but the server's own" : origins)")
        try StandardOutput.write(
            line: "in the environment and in files: PHOTOSTREAM_ and the name in capitals, with _ for -")
    }

    private func source(of name: String) -> Source? {
        sources.first { $0.values[ServerSetting.variable(of: name)] != nil }
    }
}
