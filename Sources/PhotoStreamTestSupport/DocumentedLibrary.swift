import Foundation

/// The examples that a library shows in its DocC catalog and in the doc comments of its public declarations, and the
/// lines of the tests that run them.
///
/// A test marks the shown lines: `// shown` before the first, `// end` after the last.
package struct DocumentedLibrary {
    /// A block of code and its location.
    package struct Block {
        /// The file and the line.
        package let place: String
        /// The code without its common indentation.
        package let code: String
        /// The public type that it belongs to; `nil` in a page or a test, and for other declarations.
        package let type: String?
    }

    /// The blocks of pages and doc comments.
    package private(set) var shown: [Block] = []
    /// The blocks of the tests.
    package private(set) var tested: [Block] = []
    /// The names of the module's public types that are not nested.
    package private(set) var types: [String] = []
    /// The names in the topics of the landing page.
    package let topics: [String]

    /// Reads a library.
    ///
    /// - Parameters:
    ///   - module: The module with the catalog.
    ///   - others: The modules whose doc comments count as well.
    ///   - caller: A test file. All tests of its folder count.
    /// - Throws: An error for a file that cannot be read.
    package init(_ module: String, with others: [String] = [], testedAt caller: String = #filePath) throws {
        let sources = RealData.packageRoot(caller).appending(path: "Sources")
        for module in [module] + others {
            for file in try Self.files(".swift", in: sources.appending(path: module)) {
                shown += Self.examples(in: file)
            }
        }
        let catalog = sources.appending(path: "\(module)/\(module).docc")
        for page in try Self.files(".md", in: catalog) {
            shown += Self.blocks(in: page, from: "```swift", to: "```")
        }
        for file in try Self.files(".swift", in: URL(filePath: caller).deletingLastPathComponent()) {
            tested += Self.blocks(in: file, from: "// shown", to: "// end")
        }
        let declaration = /^public (?:final |indirect )*(?:struct|enum|protocol|class|actor|typealias) (\w+)/
        for file in try Self.files(".swift", in: sources.appending(path: module)) {
            types += file.lines.compactMap { $0.prefixMatch(of: declaration).map { String($0.1) } }
        }
        let landing = try String(contentsOf: catalog.appending(path: "\(module).md"), encoding: .utf8)
        topics = landing.components(separatedBy: "## Topics\n").dropFirst().joined()
            .matches(of: /- ``(\w+)``/).map { String($0.1) }
    }

    /// The places of blocks that are shown but not tested, or tested but not shown.
    package var differences: [String] {
        let (shownCode, testedCode) = (Set(shown.map(\.code)), Set(tested.map(\.code)))
        return shown.filter { !testedCode.contains($0.code) }.map { "\($0.place) is not tested:\n\($0.code)" }
            + tested.filter { !shownCode.contains($0.code) }.map { "\($0.place) is not shown:\n\($0.code)" }
    }

    /// The public types whose doc comments have an example.
    package var typesWithExamples: Set<String> { Set(shown.compactMap(\.type)) }

    private struct File {
        let path: String
        let lines: [String]
    }

    private static func files(_ ending: String, in folder: URL) throws -> [File] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { $0.hasSuffix(ending) }.map {
            let text = try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            return File(path: $0, lines: text.components(separatedBy: "\n"))
        }
    }

    /// The lines between two marks that are on separate lines.
    private static func blocks(in file: File, from start: String, to end: String) -> [Block] {
        var blocks: [Block] = []
        var first: Int?
        for (number, line) in file.lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if let begun = first {
                guard text == end else { continue }
                blocks.append(block(in: file, from: begun, file.lines[begun..<number]))
                first = nil
            } else if text == start {
                first = number + 1
            }
        }
        return blocks
    }

    /// The blocks in doc comments of public declarations: lines indented by four after an empty line.
    private static func examples(in file: File) -> [Block] {
        var examples: [Block] = []
        var (comment, begin): ([String], Int) = ([], 0)
        for (number, line) in file.lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("///") {
                if comment.isEmpty { begin = number }
                comment.append(String(text.dropFirst(4)))
                continue
            }
            // Attributes may be on separate lines.
            if text.wholeMatch(of: /(?:@\w+(?:\([^)]*\))? ?)+/) != nil { continue }
            if let match = text.firstMatch(of: /^(?:@\w+ )*public (?:final |indirect )*(\w+) (\w+)/) {
                let isType = !line.hasPrefix(" ") && !["func", "var", "let", "static"].contains(match.1)
                for range in codeRanges(of: comment) {
                    let first = begin + range.lowerBound
                    examples.append(block(in: file, from: first, comment[range], of: isType ? String(match.2) : nil))
                }
            }
            comment = []
        }
        return examples
    }

    private static func codeRanges(of comment: [String]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for position in comment.indices where comment[position].hasPrefix("    ") {
            if let last = ranges.last, comment[last.upperBound..<position].allSatisfy(\.isEmpty) {
                ranges[ranges.count - 1] = last.lowerBound..<position + 1
            } else if position > 0, comment[position - 1].isEmpty {
                ranges.append(position..<position + 1)
            }
        }
        return ranges
    }

    private static func block(
        in file: File, from first: Int, _ lines: ArraySlice<String>, of type: String? = nil
    ) -> Block {
        let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        let code = lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
        return Block(place: "\(file.path):\(first + 1)", code: code, type: type)
    }
}
