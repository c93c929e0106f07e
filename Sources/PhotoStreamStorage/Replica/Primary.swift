/// The database that a file is a replica of.
///
/// It decides every write of a ``SharedTable``.
package protocol Primary: Sendable {
    /// Begins a transaction, after waiting until no other server writes.
    ///
    /// - Returns: The transaction. It sees one state of the database, and nothing is committed until it ends.
    /// - Throws: ``StorageError`` with code `primaryUnavailable` if the database does not answer.
    func begin() throws -> any PrimaryTransaction

    /// Begins a transaction that only reads; writers do not wait for it.
    func beginReading() -> any PrimaryTransaction
}

/// A transaction of a ``Primary``, used by one thread.
package protocol PrimaryTransaction: AnyObject {
    /// Reads everything that was committed after a position.
    ///
    /// - Throws: ``OtherPrimary`` if the position belongs to another database, ``PrimaryInterruption/unknownPosition`` if the database has
    ///   no such commit, ``PrimaryInterruption/longNews`` if the transaction writes and there is more than may be read while others wait.
    func changes(after position: ReplicaPosition) throws -> PrimaryChanges

    /// Reserves row ids for new photos.
    ///
    /// - Returns: `count` new ids, ascending but not necessarily consecutive, and greater than any that the database
    ///   has assigned.
    func reserveRowIDs(count: Int) throws -> [Int64]

    /// Writes changes and commits them.
    ///
    /// - Returns: The commit, and the rows of the change log that it wrote.
    /// - Throws: ``PrimaryInterruption/conflict(_:)`` if another program is changing the same rows. Nothing was written then.
    func commit(_ changes: SharedChanges) throws -> PrimaryCommit

    /// Ends the transaction without a commit, if it has not ended.
    func end()
}

/// The last commit that a replica has, and the identity of its primary.
package struct ReplicaPosition: Hashable, Sendable {
    /// The number of the commit; 0 before the first.
    package var commitID: Int64
    /// The last revision of the change log up to it.
    package var revision: Int64
    /// The commit's random number.
    package var tag: Int64
    /// The identity of the primary; `nil` in a replica that has not seen it yet.
    package var identity: String?

    /// Creates a position.
    package init(commitID: Int64, revision: Int64, tag: Int64, identity: String? = nil) {
        (self.commitID, self.revision, self.tag, self.identity) = (commitID, revision, tag, identity)
    }

    /// The position before the first commit of any primary.
    package static let start = ReplicaPosition(commitID: 0, revision: 0, tag: 0)
}

/// The changes that were committed after a position.
package struct PrimaryChanges {
    /// The state of some rows of a table.
    package struct Rows {
        /// The table.
        package let table: SharedTable
        /// The ids of the rows that were touched, including deleted ones.
        package let touched: [Int64]
        /// The rows that exist.
        package let present: SharedRows

        /// Creates the state of rows.
        package init(table: SharedTable, touched: [Int64], present: SharedRows) {
            (self.table, self.touched, self.present) = (table, touched, present)
        }
    }

    /// The last commit.
    package let position: ReplicaPosition
    /// Rows of the change log: ``SharedTable/changeColumns``.
    package let log: SharedRows
    /// The photos that the log names and that exist.
    package let photos: SharedRows
    /// The changes of the other tables.
    package let tables: [Rows]
    /// The greatest id that each table has assigned.
    package let lastIDs: [SharedTable: Int64]
    /// Whether they are in memory, and few.
    package let areFew: Bool

    /// Creates changes.
    package init(
        position: ReplicaPosition, log: SharedRows, photos: SharedRows, tables: [Rows], lastIDs: [SharedTable: Int64],
        areFew: Bool
    ) {
        (self.position, self.log, self.photos, self.tables) = (position, log, photos, tables)
        (self.lastIDs, self.areFew) = (lastIDs, areFew)
    }
}

/// A commit by this server.
package struct PrimaryCommit {
    /// The commit.
    package let position: ReplicaPosition
    /// The rows of the change log that it wrote: ``SharedTable/changeColumns``.
    package let log: SharedRows

    /// Creates a commit.
    package init(position: ReplicaPosition, log: SharedRows) {
        (self.position, self.log) = (position, log)
    }
}

/// The error that ends a transaction of a primary without a result: its caller acts on the reason, and may begin another.
package enum PrimaryInterruption: Error, Equatable {
    /// The primary does not have the replica's position: its history is a different one, or no longer goes back that far.
    case unknownPosition
    /// A write has to read more changes than it may while other servers wait.
    case longNews
    /// Another program changes the same rows, or the transaction must be retried for the given reason.
    case conflict(String)
}

/// The error of a database that is not the primary that a replica follows.
package struct OtherPrimary: Error, Hashable, CustomStringConvertible {
    /// The identity of the primary that the replica follows.
    package let followed: String
    /// The identity of the database.
    package let found: String

    /// Creates the error.
    package init(followed: String, found: String) { (self.followed, self.found) = (followed, found) }

    package var description: String {
        """
        the database is another one (\(found)) than the file follows (\(followed)); correct the address, or let the files of \(followed) \
        be built again from it with `photostream primary accept \(followed)`
        """
    }
}
