package import PhotoStreamStorage

extension PrimaryAdministration {
    /// A rule of a shared table: a CHECK or a foreign key.
    private struct Rule {
        let name: String
        let table: SharedTable
        /// The condition for rows, for a CHECK.
        let condition: String
        /// The column and the table to which it refers, for a foreign key.
        let reference: (column: String, table: String)?
        let isValidated: Bool
    }

    /// Applies the rules that rows of older versions may break to all rows.
    ///
    /// - Returns: The rows that break them, at most 100 per rule; for new rows, the rules apply in any case.
    /// - Throws: ``PrimaryError``.
    package func validate() throws(PrimaryError) -> [SkippedRow] {
        var rows: [SkippedRow] = []
        for rule in try rules() where !rule.isValidated {
            do throws(PrimaryError) {
                try connection.run(
                    script: "ALTER TABLE \(rule.table.rawValue) VALIDATE CONSTRAINT \(rule.name)",
                    within: .seconds(3_600))
            } catch {
                guard error.state == "23514" || error.state == "23503" else { throw error }
                rows += try self.rows(breaking: [rule], of: rule.table)
            }
        }
        return rows
    }

    /// Returns rows that no file can hold, each with the reason and the statement that repairs it.
    ///
    /// - Parameter thoroughly: Whether to check all rows; otherwise, only those of rules that have not been applied to
    ///   all rows. Only the superuser or logical replication can break a rule that was applied.
    /// - Returns: At most 100 rows per table and rule.
    /// - Throws: ``PrimaryError``.
    package func unappliable(thoroughly: Bool) throws(PrimaryError) -> [SkippedRow] {
        let rules = try rules().filter { thoroughly || !$0.isValidated }
        var rows: [SkippedRow] = []
        for table in SharedTable.allCases {
            let own = rules.filter { $0.table == table }
            let checks = own.filter { $0.reference == nil }
            if !checks.isEmpty { rows += try self.rows(breaking: checks, of: table) }
            for reference in own where reference.reference != nil {
                rows += try self.rows(breaking: [reference], of: table)
            }
        }
        return rows
    }

    private func rules() throws(PrimaryError) -> [Rule] {
        try connection.checkSchema()
        let result = try connection.run(
            """
            SELECT conname::text, conrelid::regclass::text, convalidated, coalesce(pg_get_expr(conbin, conrelid), ''),
                coalesce(attname::text, ''), CASE WHEN confrelid <> 0 THEN confrelid::regclass::text ELSE '' END
            FROM pg_constraint
            LEFT JOIN pg_attribute ON contype = 'f' AND attrelid = conrelid AND attnum = conkey[1]
            WHERE connamespace = 'photostream'::regnamespace AND contype IN ('c', 'f') AND conrelid <> 0
            ORDER BY 2, 1
            """, within: .seconds(10))
        // PostgreSQL's names are in lowercase.
        let tables = Dictionary(uniqueKeysWithValues: SharedTable.allCases.map { ($0.rawValue.lowercased(), $0) })
        var rules: [Rule] = []
        for row in 0..<result.count {
            guard let table = tables[try result.text(row, column: 1)] else { continue }
            let (column, referred) = (try result.text(row, column: 4), try result.text(row, column: 5))
            rules.append(
                Rule(
                    name: try result.text(row, column: 0), table: table, condition: try result.text(row, column: 3),
                    reference: column.isEmpty ? nil : (column, referred),
                    isValidated: try result.integer(row, column: 2) != 0))
        }
        return rules
    }

    /// Returns the rows that break a foreign key or a CHECK of a table, each row once.
    private func rows(breaking rules: [Rule], of table: SharedTable) throws(PrimaryError) -> [SkippedRow] {
        let sql: String
        if let reference = rules.first?.reference {
            sql = """
                SELECT id, 0, \(reference.column) FROM \(table.rawValue) WHERE \(reference.column) IS NOT NULL AND NOT EXISTS (
                    SELECT FROM \(reference.table) AS referred WHERE referred.id = \(table.rawValue).\(reference.column))
                ORDER BY id LIMIT \(Self.rowLimit)
                """
        } else {
            let cases = rules.enumerated().map { "WHEN (\($1.condition)) IS FALSE THEN \($0)" }.joined(separator: " ")
            let any = rules.map { "(\($0.condition)) IS FALSE" }.joined(separator: " OR ")
            sql = """
                SELECT id, CASE \(cases) END, 0::bigint FROM \(table.rawValue) WHERE \(any) ORDER BY id LIMIT \(Self.rowLimit)
                """
        }
        let result = try connection.run(sql, within: .seconds(600))
        var rows: [SkippedRow] = []
        for row in 0..<result.count {
            let rule = rules[Int(try result.integer(row, column: 1))]
            let referred = try result.integer(row, column: 2)
            rows.append(
                SkippedRow(
                    table: table, id: try result.integer(row, column: 0),
                    missingID: rule.reference == nil ? nil : referred,
                    reason: (rule.reference.map { "there is no \($0.table) \(referred)" }
                        ?? "it breaks the rule \(rule.name), \(rule.condition)")
                        + (row + 1 == Self.rowLimit ? "; more rows may, which are named once these are repaired" : "")))
        }
        return rows
    }

    private static let rowLimit = 100
}
