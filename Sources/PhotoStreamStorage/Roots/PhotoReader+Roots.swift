import PhotoStreamModel

extension PhotoReader {
    private static let rootSQL = """
        SELECT root.id, stream.name, root.path, root.resolvedPath, root.machine, root.addedAtMilliseconds
        FROM root LEFT JOIN stream ON stream.id = root.streamId
        """

    /// Every root, of any machine, in the order in which they were added.
    package func roots() throws -> [RootRow] {
        try roots(try RawStatement(database, Self.rootSQL + " ORDER BY root.id"))
    }

    /// The roots that serve the photos of a stream on a machine: its own first, each kind in the order in which they
    /// were added.
    package func roots(servingStreamID streamID: Int64, on machine: String) throws -> [RootRow] {
        let statement = try RawStatement(
            database,
            Self.rootSQL + """
                 WHERE root.machine = ?1 AND (root.streamId IS NULL OR root.streamId = ?2)
                ORDER BY root.streamId IS NULL, root.id
                """)
        try statement.bind(1, copying: machine)
        statement.bind(2, streamID)
        return try roots(statement)
    }

    private func roots(_ statement: RawStatement) throws -> [RootRow] {
        var rows: [RootRow] = []
        try statement.forEach { row in
            rows.append(
                RootRow(
                    id: row.integer(0), stream: row.optionalText(1).map(StreamName.init(stored:)), path: row.text(2),
                    resolvedPath: row.text(3), machine: row.text(4), addedAtMilliseconds: row.integer(5)))
        }
        return rows
    }
}
