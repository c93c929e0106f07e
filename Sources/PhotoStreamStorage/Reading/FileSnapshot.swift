import CSQLiteSnapshot
import GRDB

/// Which state of the file a transaction of a connection would see if it began now; costs no transaction.
struct FileSnapshot: Equatable {
    /// The bytes that tell it, as whole numbers.
    private let words: InlineArray<6, UInt64>

    /// Looks; `nil` where that cannot be told: before the connection's first transaction, or amid somebody's commit.
    ///
    /// - Parameter database: The connection.
    init?(_ database: Database) {
        guard let connection = database.sqliteConnection else { return nil }
        var words = InlineArray<6, UInt64>(repeating: 0)
        var span = words.mutableSpan
        var bytes = span.mutableBytes
        let isTold = bytes.withUnsafeMutableBytes {
            photostream_read_snapshot(connection, $0.baseAddress?.assumingMemoryBound(to: UInt8.self)) == 1
        }
        guard isTold else { return nil }
        self.words = words
    }

    static func == (one: FileSnapshot, other: FileSnapshot) -> Bool {
        one.words.indices.allSatisfy { one.words[$0] == other.words[$0] }
    }
}
