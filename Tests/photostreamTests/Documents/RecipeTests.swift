import Foundation
import Testing

/// The recipes of Documentation/API.md: each request gets the answer shown.
@Suite struct RecipeTests {
    private static let page = Command.samples.deletingLastPathComponent().appending(path: "Documentation/API.md")

    /// A request of the page and the answer under it.
    private struct Shown {
        var command: String
        var answer = ""
    }

    /// The requests of the page in their order: a prompt and a line for the shell, then the answer.
    private static func requests() throws -> [Shown] {
        var found: [Shown] = []
        var belongs = false
        for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
            guard line.hasPrefix("    ") else {
                belongs = false
                continue
            }
            if line.hasPrefix("    $ ") {
                found.append(Shown(command: String(line.dropFirst(6))))
                belongs = true
            } else if belongs {
                let text = line.trimmingCharacters(in: .whitespaces)
                // A line that is too long for the page continues on the next.
                let isNew = found[found.count - 1].answer.isEmpty || text.hasPrefix("{\"change\"")
                found[found.count - 1].answer += (isNew ? "\n" : "") + text
            }
        }
        return found
    }

    /// The JSON values of lines.
    private static func values(_ text: String) throws -> [Any] {
        try text.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
        }
    }

    /// Returns the differences between an answer and the page, whose texts may be cut with an ellipsis.
    private static func difference(_ found: Any, _ shown: Any, _ path: String = "") -> String? {
        if let found = found as? [String: Any], let shown = shown as? [String: Any] {
            guard Set(found.keys) == Set(shown.keys) else { return "\(path): \(found.keys.sorted())" }
            for key in found.keys.sorted() {
                guard let left = found[key], let right = shown[key] else { continue }
                if let difference = difference(left, right, path + "/" + key) { return difference }
            }
            return nil
        }
        if let found = found as? [Any], let shown = shown as? [Any] {
            guard found.count == shown.count else { return "\(path): \(found.count) elements" }
            return zip(found, shown).enumerated().lazy.compactMap { difference($1.0, $1.1, "\(path)/\($0)") }.first
        }
        if let found = found as? String, let shown = shown as? String, shown.hasSuffix("…") {
            return found.hasPrefix(shown.dropLast()) ? nil : "\(path): \(found)"
        }
        guard let found = found as? NSObject, let shown = shown as? NSObject else { return path }
        return found == shown ? nil : "\(path): \(found), not \(shown)"
    }

    @Test func `the requests of the recipes are answered as the page shows`() throws {
        let photostream = try Command()
        try FileManager.default.createSymbolicLink(
            at: photostream.url("SampleData"), withDestinationURL: Command.samples)
        try photostream("import", "--stream", "sample", "SampleData/photos.jsonl", "SampleData/photos.csv")
        try FileManager.default.createDirectory(at: photostream.url("new"), withIntermediateDirectories: false)
        let server = try ServedFile(in: photostream.folder, "--uploads", "sample=new")
        let requests = try Self.requests()
        #expect(requests.count >= 16)
        var names = ["CURSOR": ""]
        for request in requests {
            // Nothing else is substituted.
            let command = request.command.replacing("http://127.0.0.1:8080", with: server.address)
            let answer = try Self.shell(command, names, in: photostream.folder)
            let (found, shown) = (try Self.values(answer), try Self.values(request.answer))
            #expect(!shown.isEmpty && found.count == shown.count, "\(request.command): \(answer)")
            for (found, shown) in zip(found, shown) {
                let difference = Self.difference(found, shown)
                #expect(difference == nil, "\(request.command): \(difference ?? "")")
            }
            let object = found.first as? [String: Any] ?? [:]
            let page = object["page"] as? [String: Any] ?? [:]
            if let cursor = object["cursor"] ?? object["nextCursor"] ?? page["nextCursor"] {
                names["CURSOR"] = "\(cursor)"
            }
            if names["STATE"] == nil, let state = object["state"] { names["STATE"] = "\(state)" }
        }
    }

    /// Runs a line in a shell that has some variables.
    private static func shell(
        _ command: String, _ variables: [String: String], in folder: URL
    ) throws -> String {
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        shell.currentDirectoryURL = folder
        shell.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        (shell.standardOutput, shell.standardError) = (output, FileHandle.nullDevice)
        try shell.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0, "\(command)")
        return String(decoding: data, as: UTF8.self)
    }
}
