import Foundation
import Testing

/// Stacks of a folder of pictures, with the real worker.
@Suite struct StackCommandTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try FileManager.default.createDirectory(at: photostream.url("p"), withIntermediateDirectories: false)
        for name in ["x.jpg", "x-edited.jpg", "y.jpg"] {
            try FileManager.default.copyItem(
                at: Command.samples.appending(path: "pictures/alps-dawn.jpg"), to: photostream.url("p/\(name)"))
        }
    }

    /// The ids of the photos that lists show.
    private func shown() throws -> Set<String> {
        let list = try photostream("photos", "list", "--stream", "s", "--json")
        return Set(try #require(list.json["photos"] as? [[String: Any]]).compactMap { $0["id"] as? String })
    }

    private func stack(of id: String) throws -> [String] {
        let list = try photostream("photos", "stack", "--stream", "s", id, "--json")
        return try #require(list.json["photos"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    @Test func `an import stacks an edited picture, and a person changes the stack for good`() throws {
        let first = try photostream.run(["import", "--stream", "s", "p"])
        #expect(first.status == 0 && first.errors.contains("hidden in stacks: 1 edited"), "\(first.errors)")
        #expect(try shown() == ["x-edited.jpg", "y.jpg"])
        #expect(try stack(of: "x.jpg") == ["x-edited.jpg", "x.jpg"])
        try photostream("photos", "cover", "--stream", "s", "x.jpg")
        #expect(try shown() == ["x.jpg", "y.jpg"])
        let table = try photostream("photos", "stack", "--stream", "s", "x.jpg").output
        #expect(table.contains("x-edited.jpg") && table.contains("edited"))
        let exported = try photostream("export", "--stream", "s").output
        try photostream.write("e.jsonl", exported)
        try photostream("import", "--stream", "copy", "e.jsonl")
        #expect(try photostream("export", "--stream", "copy").output == exported)
        let apart = try photostream("photos", "unstack", "--stream", "s", "x.jpg").output
        #expect(apart.contains("took 2 photos apart"))
        try photostream("import", "--stream", "s", "--retry", "p")
        #expect(try shown() == ["x.jpg", "x-edited.jpg", "y.jpg"])
        let again = try photostream.run(["photos", "unstack", "--stream", "s", "x.jpg"])
        #expect(again.status != 0 && again.errors.contains("photo \"x.jpg\" is in no stack"))
    }

    @Test(arguments: [("none", 3), ("raw,live", 3), ("edited", 2), ("all", 2), ("pairs", 2)])
    func `the rules are chosen by their names`(rules: String, count: Int) throws {
        try photostream("import", "--stream", "s", "--stacks", rules, "p")
        #expect(try shown().count == count)
    }

    @Test func `a name that is no rule is refused`() throws {
        let refused = try photostream.run(["import", "--stream", "s", "--stacks", "raw,pairs", "p"])
        #expect(refused.status == 64)
        let reason = "\"pairs\" is not a kind of stack; there are live, raw, edited and burst, or pairs, all and none"
        #expect(refused.errors.contains(reason), "\(refused.errors)")
        let records = try photostream.run(["import", "--stream", "s", "--stacks", "none", "a.jsonl"])
        #expect(records.errors.contains("--stacks is for folders of pictures"), "\(records.errors)")
    }
}
