import Foundation
import PhotoStreamTestSupport
import Testing

/// `photostream photos deleted`, `photos restore`, `photos delete --forever` and `import --restore`.
@Suite struct PhotosRestoreCommandTests {
    private let photostream: Command
    private let samples = Command.samples.appending(path: "photos.jsonl").path

    init() throws {
        photostream = try Command()
        try photostream.importSamples()
    }

    @Test func `deleted photos are listed, skipped by imports, and restored`() throws {
        let before = try photostream("photos", "list", "--stream", "demo", "--export").output
        #expect(try photostream("photos", "delete", "--stream", "demo", "balloons-01", "balloons-02").status == 0)
        let list = try photostream("photos", "deleted", "--stream", "demo")
        #expect(list.output.contains("balloons-01") && list.output.contains("deleted"), "\(list.output)")
        let page = try photostream("photos", "deleted", "--stream", "demo", "--limit", "1", "--json").json
        #expect((page["photos"] as? [Any])?.count == 1 && page["truncated"] as? Bool == true)
        let again = try photostream("import", "--stream", "demo", samples)
        #expect(again.status == 0 && again.errors.contains("2 photos stay deleted; --restore brings them back"))
        let restored = try photostream("photos", "restore", "--stream", "demo", "balloons-01", "balloons-02")
        #expect(restored.status == 0 && restored.output == "restored 2 photos\n", "\(restored.errors)")
        #expect(try photostream("photos", "list", "--stream", "demo", "--export").output == before)
        let missing = try photostream("photos", "restore", "--stream", "demo", "balloons-01")
        #expect(
            missing.status != 0
                && missing.errors.contains("\"balloons-01\" of stream \"demo\" was not deleted in the last 30 days"))
    }

    @Test func `an import restores if requested, and a permanently deleted photo is new`() throws {
        #expect(try photostream("photos", "delete", "--stream", "demo", "balloons-01").status == 0)
        #expect(try photostream("photos", "delete", "--stream", "demo", "--forever", "balloons-02").status == 0)
        let dry = try photostream("import", "--stream", "demo", "--restore", "--dry-run", "--json", samples).json
        #expect(dry["inserted"] as? Int == 2)
        let run = try photostream("import", "--stream", "demo", "--restore", "--json", samples)
        #expect(try run.json["inserted"] as? Int == 2 && !run.errors.contains("deleted"))
    }
}
