import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamService

/// Rows that a CHECK or a foreign key forbids, written by another program with its checks off: verification reports
/// each.
@Suite struct ForbiddenRowsTests {
    @Test(arguments: [
        ("UPDATE photo SET movedRank = 5 WHERE id = 3", "movedTime IS NULL"),
        ("UPDATE photo SET movedTime = 1, movedRank = 1048576, movedFromOrderTime = 1 WHERE id = 3", "movedRank %"),
        ("UPDATE photo SET takenAtMilliseconds = 5, takenAtPrecision = 6 WHERE id = 3", "takenAtPrecision BETWEEN"),
        ("UPDATE photo SET takenAtMilliseconds = 5, takenAtPrecision = NULL WHERE id = 3", "takenAtPrecision IS NULL"),
        ("UPDATE photo SET latitude = 91, longitude = 0 WHERE id = 3", "latitude BETWEEN"),
        ("UPDATE photo SET tags = 'x' WHERE id = 3", "tags >="),
        ("UPDATE photo SET caption = '' WHERE id = 3", "caption <> ''"),
        ("UPDATE photo SET color = -1 WHERE id = 3", "color BETWEEN"),
        ("UPDATE photo SET width = 0 WHERE id = 3", "width BETWEEN"),
        ("UPDATE stream SET name = 'a/b' WHERE id = 1", "instr(name, '/')"),
        ("UPDATE change SET kind = 4 WHERE revision = 3", "kind BETWEEN"),
        ("INSERT INTO root VALUES (1, 1, 'srv', '/srv', 'machine', 5, NULL)", "path >= '/'"),
        ("INSERT INTO importRun VALUES (1, 1, '{}', 1, 2, 3, 4, 5, 6, 7, 8, 9)", "json_type(sources)"),
        ("INSERT INTO importRun VALUES (1, 1, '[1,', 1, 2, 3, 4, 5, 6, 7, 8, 9)", "malformed JSON"),
        ("UPDATE layoutBudget SET byteCount = -1", "byteCount >= 0"),
        ("INSERT INTO importFailure VALUES (1, 7, 'a.json', 2, 3, 'x', 'no id')", "refer to no row of importRun: 1"),
        ("INSERT INTO importRun VALUES (1, 7, '[]', 1, 2, 3, 4, 5, 6, 7, 8, 9)", "refer to no row of stream: 1"),
        ("INSERT INTO root VALUES (1, 7, '/srv', '/srv', 'machine', 5, NULL)", "refer to no row of stream: 1"),
    ])
    func `each row that the schema forbids is reported`(damage: String, named: String) throws {
        var random = SplitMix64(seed: 21)
        let gallery = try Gallery()
        try gallery.insert(12, using: &random)
        #expect(try gallery.service.verifyDerived().differences == [])
        try gallery.shell("PRAGMA ignore_check_constraints = ON; \(damage)")
        let differences = try gallery.service.verifyDerived().differences
        #expect(differences.contains { $0.contains(named) }, "\(differences)")
    }
}
