import Foundation
import PhotoStreamHTTP
import PhotoStreamModel

/// The names of a server's settings in the environment and in files.
enum SettingNames {
    /// The beginning of all names.
    static let prefix = "PHOTOSTREAM_"

    /// The names of the settings that are numbers, in options, such as `import-limit`.
    private static let numbers = ServerSetting.all.map(\.name)
    private static let options = numbers + ["allowed-origins"]

    /// The names of all settings.
    static let all = options.map(ServerSetting.variable(of:))
    /// The names that were settings.
    static let former = ServerSetting.formerNames.map(ServerSetting.variable(of:))

    /// Returns a hint for the problem of an unknown name: the most similar name, if any, or the place of the list of
    /// all.
    ///
    /// - Parameters:
    ///   - name: The name, in any case, with or without the prefix.
    ///   - isOption: Whether it is the name in `--set`, which accepts numbers only.
    /// - Returns: The hint.
    static func hint(for name: String, isOption: Bool = false) -> String {
        var word = name.lowercased().replacing("_", with: "-")
        if word.hasPrefix("photostream-") { word.removeFirst("photostream-".count) }
        guard let nearest = word.nearest(of: isOption ? numbers : options) else {
            return "--print-configuration lists them"
        }
        return "did you mean \(isOption ? nearest : ServerSetting.variable(of: nearest))?"
    }
}

/// A file of settings, one `PHOTOSTREAM_NAME=VALUE` per line.
enum SettingsFile {
    /// Reads the settings of a file.
    ///
    /// Empty lines and lines that begin with `#` are ignored.
    ///
    /// - Throws: ``CommandError`` if the file cannot be read, or for the first line that is not a setting or repeats
    ///   one.
    static func values(path: String) throws -> [String: String] {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw CommandError("\"\(path)\" cannot be read: \(error.localizedDescription)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError("\"\(path)\" cannot be read: it is not UTF-8")
        }
        return try values(text, name: path)
    }

    private static func values(_ text: String, name: String) throws -> [String: String] {
        var values: [String: String] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            do {
                let setting = try setting(line)
                guard values.updateValue(setting.value, forKey: setting.name) == nil else {
                    throw CommandError("\(setting.name) is set a second time")
                }
            } catch let error as CommandError {
                throw CommandError("\(name), line \(index + 1): \(error.description)")
            }
        }
        return values
    }

    private static func setting(_ line: String) throws -> (name: String, value: String) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2 else { throw CommandError("\"\(line)\" is not of the form PHOTOSTREAM_NAME=VALUE") }
        guard !parts[0].hasPrefix("export ") else {
            throw CommandError("\"\(parts[0])\" is a command of a shell; write the line without \"export\"")
        }
        guard SettingNames.all.contains(parts[0]) || SettingNames.former.contains(parts[0]) else {
            guard parts[0] != PrimaryOption.variable else {
                throw CommandError(
                    "\(parts[0]) is not a setting; set it in the environment, as in /etc/default/photostream")
            }
            throw CommandError("there is no setting \(parts[0]); \(SettingNames.hint(for: parts[0]))")
        }
        return (parts[0], parts[1])
    }
}

/// The settings in the environment.
struct SettingsEnvironment {
    /// The settings by their names.
    let values: [String: String]
    /// Sentences about ignored variables that look like settings.
    let warnings: [String]

    /// The variables that are not settings of the server: those of commands, of the unit and of the worker.
    private static let others: Set = [PrimaryOption.variable, "PHOTOSTREAM_OPTIONS", "PHOTOSTREAM_PICTURES_WORKER"]

    /// Separates settings from other variables.
    ///
    /// Kubernetes sets `PHOTOSTREAM_PORT` to an address such as `tcp://10.0.0.1:80` for a service named `photostream`,
    /// along with names that are not settings.
    init(_ environment: [String: String]) {
        var values: [String: String] = [:]
        var warnings: [String] = []
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(SettingNames.prefix) {
            if SettingNames.all.contains(name) {
                if value.contains("://"), name == ServerSetting.variable(of: "port") {
                    warnings.append("\(name) is \"\(value)\", an address as Kubernetes sets it, and is ignored")
                } else {
                    values[name] = value
                }
            } else if SettingNames.former.contains(name) {
                warnings.append(ServerSetting.warning(aboutFormer: name))
            } else if !Self.others.contains(name) {
                warnings.append("there is no setting \(name), so it is ignored; \(SettingNames.hint(for: name))")
            }
        }
        (self.values, self.warnings) = (values, warnings)
    }
}
