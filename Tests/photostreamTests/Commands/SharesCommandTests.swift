import Foundation
import Testing

/// `photostream shares`.
@Suite struct SharesCommandTests {
    private let photostream: Command

    init() throws {
        photostream = try Command()
        try photostream("streams", "create", "holiday")
    }

    @Test func `a share is shown once, listed without its secret, and revoked`() throws {
        let created = try photostream("shares", "create", "--stream", "holiday")
        #expect(created.status == 0)
        #expect(created.output.wholeMatch(of: /\/s\/[A-Za-z0-9_\-]{43}\/\n/) != nil)
        #expect(
            created.errors
                == """
                photostream: created the share "holiday" (stream "holiday", shows pictures); the address of the server and \
                this path are the link, which is not shown again

                """)
        let open = try photostream(
            "shares", "create", "grandma", "--stream", "holiday", "--expires", "2999-12-31", "--show-positions",
            "--show-names", "--originals")
        #expect(
            open.errors.hasSuffix(
                "photostream: original files carry everything that they contain: positions, serial numbers and names\n")
        )
        let listed = try photostream("shares")
        #expect(!listed.output.contains(created.output.dropFirst(3).prefix(43)))
        let lines = listed.output.split(separator: "\n").map(String.init)
        #expect(try lines.count == 3 && /share +stream +shows +created +expires/.wholeMatch(in: lines[0]) != nil)
        #expect(
            try /grandma +holiday +pictures, positions, names, originals +20[0-9T:\-]+Z +3000-01-01T00:00:00Z/
                .wholeMatch(in: lines[1]) != nil)
        #expect(try /holiday +holiday +pictures +20[0-9T:\-]+Z +never/.wholeMatch(in: lines[2]) != nil)
        let revoked = try photostream("shares", "revoke", "grandma")
        #expect(revoked.output == "revoked the share \"grandma\"\n")
        let shares = try #require(try photostream("shares", "list", "--json").json["shares"] as? [[String: Any]])
        #expect(shares.count == 1 && shares[0]["name"] as? String == "holiday")
        #expect(
            Set(shares[0].keys)
                == [
                    "name", "stream", "showsPositions", "showsNames", "sendsOriginals", "createdAt", "expiresAt",
                    "expired",
                ])
    }

    @Test func `JSON contains the path`() throws {
        let created = try photostream(
            "shares", "create", "--stream", "holiday", "--expires", "12h", "--show-names", "--json"
        ).json
        #expect((created["path"] as? String)?.hasPrefix("/s/") == true && created["showsNames"] as? Bool == true)
        #expect(created["showsPositions"] as? Bool == false && created["sendsOriginals"] as? Bool == false)
        #expect(try photostream("shares", "revoke", "holiday", "--json").json["revoked"] as? String == "holiday")
    }

    @Test(arguments: [
        (["create"], "missing expected argument '--stream <name>'"),
        (["create", "", "--stream", "holiday"], "\"\" is not a name for a share"),
        (["create", "--stream", "holiday", "--expires", "2020-01-01"], "which is in the past"),
        (["create", "--stream", "sea"], "there is no stream \"sea\""),
        (["revoke", "grandma"], "there is no share \"grandma\""),
    ])
    func `contradictory options are refused`(arguments: [String], message: String) throws {
        let answer = try photostream.run(["shares"] + arguments)
        #expect(answer.status != 0 && answer.output.isEmpty)
        #expect(answer.errors.contains(message), "\(answer.errors)")
        let shares = try photostream("shares", "--json").json["shares"] as? [[String: Any]]
        #expect(shares?.isEmpty == true)
    }
}
