import Testing

@testable import PhotoStreamStorage

/// The conditions of CHECKs are extracted from a table's text as SQLite reads them.
@Suite struct TableConditionsTests {
    @Test func `conditions are found, but not in comments, texts and names`() {
        let sql = """
            CREATE TABLE "odd CHECK (1)" (
                -- CHECK (2) in a comment, with a parenthesis )
                a INTEGER CHECK (a BETWEEN 1 AND (2 + 3)), UNCHECK INTEGER, CHECKED INTEGER,
                b TEXT DEFAULT 'CHECK (3)' CHECK (b <> ')' AND b <> 'it''s (' ),
                CHECK
                    (a IS NULL -- no ) ends it
                    OR b IS NULL)
            ) STRICT
            """
        #expect(
            TableConditions.checks(in: sql) == [
                "a BETWEEN 1 AND (2 + 3)", "b <> ')' AND b <> 'it''s (' ",
                "a IS NULL -- no ) ends it\n        OR b IS NULL",
            ])
        #expect(TableConditions.checks(in: "CREATE TABLE a (b INTEGER)") == [])
    }
}
