import Foundation

/// Requests of one kind with their answers, as files: what the servers that are compared with answer.
struct RecordedAnswers {
    private let folder: URL
    private let question: HTTPQuestion

    init(in folder: URL, to question: HTTPQuestion) {
        self.folder = folder
        self.question = question
    }

    /// The addresses at our server and at the one that answers from memory, one in a line.
    var addresses: URL { folder.appending(path: question.folder + ".txt") }
    /// The addresses at the server of files.
    var fileAddresses: URL { folder.appending(path: question.folder + "-files.txt") }

    /// Whether answers were recorded.
    var exist: Bool { FileManager.default.fileExists(atPath: addresses.path(percentEncoded: false)) }

    /// Writes samples; the validators are sent if the query is conditional.
    func write(_ samples: [HTTPSample]) throws {
        let bodies = folder.appending(path: question.folder)
        let isUnchanged = question == .unchanged
        if !isUnchanged { try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true) }
        var (lines, files) = ("", "")
        for (position, sample) in samples.enumerated() {
            lines += "\(sample.target)\t\(sample.tag)\n"
            // The same query, so that the requests are as long.
            let query = sample.target.firstIndex(of: "?").map { sample.target[$0...] } ?? ""
            let path = "/\((isUnchanged ? HTTPQuestion.page : question).folder)/\(position)"
            files += "\(path)\(query)"
            if isUnchanged {
                files += "\t\(try Self.nginxTag(folder.appending(path: path)))"
            } else {
                try Data(sample.body).write(to: bodies.appending(path: "\(position)"))
            }
            files += "\n"
        }
        try Data(lines.utf8).write(to: folder.appending(path: question.folder + "-tags.txt"))
        let targets = isUnchanged ? lines : samples.map { $0.target + "\n" }.joined()
        try Data(targets.utf8).write(to: addresses)
        try Data(files.utf8).write(to: fileAddresses)
    }

    /// The addresses with their validators.
    func lines() throws -> [(target: String, tag: String)] {
        let text = try String(contentsOf: folder.appending(path: question.folder + "-tags.txt"), encoding: .utf8)
        return text.split(separator: "\n").map { line in
            let sides = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
    }

    /// The bytes of an answer.
    func body(_ position: Int) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(question.folder)/\(position)"))
    }

    /// The validator that nginx gives a file: when it was changed and its length.
    private static func nginxTag(_ file: URL) throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
        let changed = Int((attributes[.modificationDate] as? Date ?? .distantPast).timeIntervalSince1970.rounded(.down))
        let length = attributes[.size] as? Int ?? 0
        return "\"\(String(changed, radix: 16))-\(String(length, radix: 16))\""
    }
}
