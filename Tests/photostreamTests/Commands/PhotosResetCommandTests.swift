import Foundation
import Testing

@Suite struct PhotosResetCommandTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream.importSamples()
    }

    private func photo(_ id: String) throws -> [String: Any] {
        try photostream("photos", "show", "--stream", "demo", id, "--json").json
    }

    @Test func `edited fields are shown and reset, and the next import applies`() throws {
        try photostream("photos", "edit", "--stream", "demo", "balloons-01", "--caption", "Mine", "--content-hash", "x")
        #expect(try photo("balloons-01")["edited"] as? [String] == ["caption", "contentHash"])
        let table = try photostream("photos", "show", "--stream", "demo", "balloons-01").output
        #expect(table.contains("caption, contentHash"), "\(table)")
        let some = try photostream(
            "photos", "reset", "--stream", "demo", "balloons-01", "--fields", "content-hash,tags")
        #expect(some.status == 0 && some.output == "reset 1 photo\n", "\(some.errors)")
        #expect(try photo("balloons-01")["edited"] as? [String] == ["caption"])
        let rest = try photostream("photos", "reset", "--stream", "demo", "balloons-01", "balloons-02", "--json")
        #expect(try rest.json["reset"] as? Int == 1 && rest.json["stream"] as? String == "demo")
        #expect(try photo("balloons-01")["caption"] as? String == "Mine")
        let again = try photostream("photos", "reset", "--stream", "demo", "balloons-01")
        #expect(again.status == 0 && again.output == "nothing was edited\n")
        try photostream.importSamples()
        #expect(try photo("balloons-01")["caption"] as? String != "Mine")
    }

    @Test(arguments: ["taken-at", "takenAt"])
    func `a field is accepted by the name of its option and by that in JSON`(name: String) throws {
        let cleared = try photostream("photos", "edit", "--stream", "demo", "balloons-01", "--clear", name)
        #expect(cleared.status == 0, "\(cleared.errors)")
        #expect(try photo("balloons-01")["edited"] as? [String] == ["takenAt"])
        let reset = try photostream("photos", "reset", "--stream", "demo", "balloons-01", "--fields", "tags," + name)
        #expect(reset.status == 0 && reset.output == "reset 1 photo\n", "\(reset.errors)")
    }

    @Test func `a move is reset`() throws {
        func order() throws -> String { try photostream("photos", "list", "--stream", "demo", "--export").output }
        let before = try order()
        try photostream("photos", "move", "--stream", "demo", "balloons-01", "--before", "orientation-8")
        #expect(try order() != before)
        let back = try photostream("photos", "move", "--stream", "demo", "balloons-01", "--reset")
        #expect(back.status == 0 && back.output == "moved 1 photo\n", "\(back.errors)")
        #expect(try order() == before)
        let again = try photostream("photos", "move", "--stream", "demo", "balloons-01", "--reset")
        #expect(again.output == "photo \"balloons-01\" is already there\n")
    }

    @Test func `invalid input is refused with the reason`() throws {
        for (arguments, status, reason) in [
            (
                ["reset", "balloons-01", "--fields", "colour"], Int32(64),
                "there is no field \"colour\"; the fields are size, "
            ),
            (["reset", "balloons-01", "--fields", ""], 64, "there is no field \"\""),
            (["reset", "balloons-01", "none"], 1, "stream \"demo\" has no photo \"none\""),
            (["reset"], 64, "missing expected argument"),
            (
                ["move", "balloons-01", "--reset", "--before", "balloons-02"], 64,
                "use one of --before, --after and --reset"
            ),
            (["move", "balloons-01"], 64, "use one of --before, --after and --reset"),
        ] {
            let outcome = try photostream.run(["photos"] + arguments + ["--stream", "demo"])
            #expect(outcome.status == status && outcome.errors.contains(reason), "\(arguments): \(outcome.errors)")
        }
        try photostream("streams", "copy", "demo", "hand", "--order", "manual")
        let manual = try photostream("photos", "move", "--stream", "hand", "balloons-01", "--reset")
        #expect(manual.status == 1)
        #expect(
            manual.errors
                == "photostream: stream \"hand\" is in manual order, where moves alone give photos their places; "
                + "move the photo instead\n")
    }
}
