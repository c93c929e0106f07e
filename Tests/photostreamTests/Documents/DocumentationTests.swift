import Foundation
import PhotoStreamModel
import Testing

/// The commands in README.md and Documentation/ run, and print the output shown.
@Suite struct DocumentationTests {
    private static let project = Command.samples.deletingLastPathComponent()
    private static let pages =
        ["README.md", "Documentation/Commands.md", "Documentation/Conditions.md", "Documentation/Layouts.md"]
        + layoutPages
    /// The page of each layout that has one.
    private static let layoutPages =
        ((try? FileManager.default.contentsOfDirectory(atPath: project.appending(path: "Documentation/Layouts").path))
        ?? []).sorted().map { "Documentation/Layouts/\($0)" }

    /// A command of a page, and the lines that the page shows under it.
    private struct Shown {
        var arguments: [String]
        var output: [String] = []
        /// Whether the page shows the output; if so, a prompt precedes the command.
        let showsOutput: Bool
    }

    /// The indented commands of a page.
    private static func commands(of page: String) throws -> [Shown] {
        let text = try String(contentsOf: project.appending(path: page), encoding: .utf8)
        var found: [Shown] = []
        var isOpen = false
        var belongs = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            guard line.hasPrefix("    ") || line.isEmpty && belongs else {
                (isOpen, belongs) = (false, false)
                continue
            }
            let words = words(of: line)
            if isOpen {
                found[found.count - 1].arguments += words
            } else if words.starts(with: ["$", "photostream"]) || words.first == "photostream" {
                let isPrompt = words.first == "$"
                found.append(Shown(arguments: Array(words.dropFirst(isPrompt ? 2 : 1)), showsOutput: isPrompt))
                belongs = isPrompt
            } else if belongs {
                found[found.count - 1].output.append(String(line.dropFirst(4)))
                continue
            } else {
                continue
            }
            isOpen = found.last?.arguments.last == "\\"
            if isOpen { found[found.count - 1].arguments.removeLast() }
        }
        return found
    }

    /// The words of a line for the shell, in which single quotation marks enclose those with spaces.
    private static func words(of line: String) -> [String] {
        line.matches(of: /'([^']*)'|[^ ']+/).map { match in match.1.map(String.init) ?? String(match.0) }
    }

    @Test func `the page for operators explains every warning and error of the log`() throws {
        let page = try String(
            contentsOf: Self.project.appending(path: "Documentation/Operations.md"), encoding: .utf8)
        let sources = Self.project.appending(path: "Sources").path
        var messages: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources) where path.hasSuffix(".swift") {
            let code = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
            for match in code.matches(of: /logger\.(?:warning|error|log)\(\s*(?:level: [^"]*)?"((?:[^"\\]|\\.)*)"/) {
                // The longest part without values.
                let parts = String(match.output.1).split(separator: /\\\((?:[^()]|\([^()]*\))*\)/)
                let part = parts.max { $0.count < $1.count } ?? ""
                messages.insert(part.trimmingCharacters(in: CharacterSet(charactersIn: " :")))
            }
        }
        messages.remove("")
        #expect(messages.count > 12)
        for message in messages.sorted() { #expect(page.contains(message), "\(message)") }
    }

    @Test func `every layout has a page, and the list of layouts names it`() throws {
        let list = try String(contentsOf: Self.project.appending(path: "Documentation/Layouts.md"), encoding: .utf8)
        #expect(Self.layoutPages.count >= 4)
        for page in Self.layoutPages {
            #expect(list.contains("](\(page.replacing("Documentation/", with: "")))"), "\(page)")
        }
    }

    @Test(arguments: pages) func `the commands of a page run and print the output shown`(page: String) throws {
        let photostream = try Command()
        try FileManager.default.createSymbolicLink(
            at: photostream.url("SampleData"), withDestinationURL: Command.samples)
        try FileManager.default.createDirectory(
            at: photostream.url("Documentation/Pictures"), withIntermediateDirectories: true)
        let commands = try Self.commands(of: page)
        #expect(!commands.isEmpty)
        if !commands.contains(where: { $0.arguments.first == "import" }) {
            try photostream("import", "--stream", "sample", "SampleData/photos.jsonl", "SampleData/photos.csv")
        }
        var state = ""
        for command in commands {
            // SVG needs no other program; PNG is tested elsewhere.
            let arguments = command.arguments.map { $0 == "$STATE" ? state : $0.replacing(".png", with: ".svg") }
            let outcome = try photostream.run(arguments)
            #expect(outcome.status == 0, "\(command.arguments): \(outcome.errors)")
            if let output = arguments.firstIndex(of: "--output") {
                let picture = command.arguments[output + 1]
                #expect(FileManager.default.fileExists(atPath: Self.project.appending(path: picture).path))
            }
            if arguments.first == "import" {
                let streams = try photostream.run(["streams", "--json"]).json["streams"] as? [[String: Any]]
                state = streams?.first?["state"] as? String ?? ""
            }
            guard command.showsOutput else { continue }
            var shown = command.output
            while shown.last?.isEmpty == true { shown.removeLast() }
            let printed = outcome.output.replacing(".svg", with: ".png").split(
                separator: "\n", omittingEmptySubsequences: false
            ).dropLast()
            #expect(printed.count == shown.count, "\(command.arguments)")
            for (printed, shown) in zip(printed, shown) where !shown.contains("--cursor") {
                // A line that is too long for the page ends with an ellipsis.
                let isCut = shown.hasSuffix("…") && printed != shown
                #expect(isCut ? printed.hasPrefix(shown.dropLast()) : printed == shown)
            }
        }
    }

    @Test(arguments: [
        ("API.md", "Answers over 16 KiB", "PhotoStreamHTTP/Routes/RouteEndpoint.swift", "smallByteCount = 16 << 10"),
        (
            "Architecture.md", "fewer, but at least two", "PhotoStreamHTTP/Workers/WorkerPools.swift",
            "max(2, ProcessInfo.processInfo.activeProcessorCount - 1)"
        ),
        (
            "Architecture.md", "all cores but one fold layouts at once",
            "PhotoStreamService/Folding/LayoutCache.swift",
            "max(1, foldSlotCount ?? ProcessInfo.processInfo.activeProcessorCount - 1)"
        ),
        (
            "Architecture.md", "a fold of more than one chunk", "PhotoStreamService/Folding/InFlightFold.swift",
            "freeChunkCount = 1\n"
        ),
        ("Architecture.md", "96 MB in all", "PhotoStreamService/Folding/LayoutCache.swift", "byteLimit = 96 << 20"),
    ])
    func `a number of a page is that of the code`(page: String, statement: String, file: String, code: String) throws {
        let words = try Self.text("Documentation/\(page)").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(statement), "\(page)")
        #expect(try Self.text("Sources/\(file)").contains(code), "\(page) has \(statement)")
    }

    private static func text(_ page: String) throws -> String {
        try String(contentsOf: project.appending(path: page), encoding: .utf8)
    }

    @Test func `the page lists all fields of an export`() throws {
        let row = try #require(try Self.text("Documentation/Importing.md").firstMatch(of: /\n\| `edited` \|(.*)\|\n/)).1
        #expect(row.matches(of: /`(\w+)`/).map { String($0.1) } == PhotoField.names)
    }

    @Test func `the pages name the space that a compaction needs alike`() throws {
        let help = try Command()("compact", "--help").output
        for text in [help, try Self.text("Documentation/Operations.md")] {
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing("`", with: "")
            #expect(
                words.contains(/TMPDIR if that( folder)? can be written, otherwise in \/var\/tmp or \/tmp/), "\(words)")
        }
        let log = try #require(
            try Self.text("Documentation/API.md").firstMatch(of: /\n\*\*The write-ahead log\*\*.*\n(.+\n)+/))
        #expect(log.0.contains("photostream compact"))
    }

    @Test func `the version is that of the changelog, also in the OpenAPI document`() throws {
        let changelog = try String(contentsOf: Self.project.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(changelog.firstMatch(of: /\n## (\d+\.\d+\.\d+)/)).1
        let photostream = try Command()
        #expect(try photostream("--version").output == "\(newest)\n")
        try photostream.importSamples(into: "sample")
        let server = try ServedFile(in: photostream.folder)
        let info = try #require(try server.json("/v1/openapi.json")["info"] as? [String: Any])
        #expect(info["version"] as? String == String(newest))
    }

    @Test func `README shows the worked example of the library's landing page`() throws {
        let page = try String(
            contentsOf: Self.project.appending(
                path: "Sources/PhotoStreamService/PhotoStreamService.docc/PhotoStreamService.md"), encoding: .utf8)
        let example = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
            .components(separatedBy: "```")[0]
        let readme = try String(contentsOf: Self.project.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains(example))
    }
}
