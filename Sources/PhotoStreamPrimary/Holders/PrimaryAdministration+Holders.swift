import Foundation

extension PrimaryAdministration {
    /// The time between the two looks, which distinguish a transaction that blocks others from one that is about to
    /// end.
    private static let timeBetweenLooks = 1.0

    /// Returns the transactions of other programs that block writers, or would block the next one.
    ///
    /// Most transactions have such a lock for a few milliseconds, so it looks again after a second.
    ///
    /// - Throws: ``PrimaryError``.
    package func holders() throws(PrimaryError) -> [LockHolder] {
        let first = Set(try currentHolders().map(\.transaction))
        guard !first.isEmpty else { return [] }
        Thread.sleep(forTimeInterval: Self.timeBetweenLooks)
        return try currentHolders().filter { first.contains($0.transaction) }
    }

    private func currentHolders() throws(PrimaryError) -> [LockHolder] {
        try LockHolder.look(by: connection, within: .seconds(10)).filter { !$0.isHeldUp }
    }

    /// Removes a follower that is gone, so that the log is not kept for it for a day.
    ///
    /// - Throws: ``PrimaryError`` if there is no follower with that name, or it still follows.
    package func forget(follower name: String) throws(PrimaryError) {
        try connection.checkSchema()
        let result = try connection.run(
            [
                PrimaryStatement(
                    sql: """
                        SELECT (extract(epoch FROM clock_timestamp() - seenAt) * 1000)::bigint FROM follower WHERE name = $1
                        """, [.text(name)]),
                PrimaryStatement(
                    sql: """
                        DELETE FROM follower WHERE name = $1 AND seenAt < clock_timestamp() - interval '\(Self.goneSeconds) s'
                        RETURNING name
                        """, [.text(name)]),
            ], within: .seconds(10))
        guard result[0].count > 0 else {
            throw PrimaryError(.refused, message: "there is no follower \"\(name)\"")
        }
        guard result[1].count > 0 else {
            let seconds = try result[0].integer(0, column: 0) / 1_000
            throw PrimaryError(
                .refused,
                message: """
                    "\(name)" still follows: it was seen \(seconds) s ago; end that server first, and wait for \
                    \(Self.goneSeconds) s
                    """)
        }
    }

    /// The seconds without a sign of life after which a follower is gone; a server gives one every five.
    private static let goneSeconds = 30
}
