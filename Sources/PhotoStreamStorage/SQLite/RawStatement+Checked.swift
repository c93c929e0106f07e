import GRDB
import GRDBSQLite
import PhotoStreamModel

/// A value in the file that no program of ours writes: the disk has altered it, or another program has written it with the
/// schema's checks off.
///
/// ``PhotoDatabase`` turns it into a ``StorageError`` that names the file.
package struct DamagedValue: Error {
    /// What is wrong, without the file: "height is 0".
    let detail: String
}

extension StorageError {
    /// The error of a value that cannot be in the file at a path.
    init(_ damage: DamagedValue, path: String) {
        self.init(.corrupt, "\(path) is damaged: \(damage.detail); `photostream cache verify` says more")
    }
}

// What is read of tables that are not derived is checked here, once: whatever is computed of it later relies on it.
extension RawStatement {
    /// A column that holds a whole number of a range.
    ///
    /// - Throws: ``DamagedValue`` where it holds something else.
    func integer(_ column: Int32, in range: ClosedRange<Int64>) throws -> Int64 {
        let number = integer(column)
        guard isInteger(column), range.contains(number) else { throw damage(column) }
        return number
    }

    /// A column that holds a whole number of a range, or NULL.
    ///
    /// - Throws: ``DamagedValue`` where it holds something else.
    func optionalInteger(_ column: Int32, in range: ClosedRange<Int64>) throws -> Int64? {
        isNull(column) ? nil : try integer(column, in: range)
    }

    /// A column that holds the id of a photo's row.
    ///
    /// - Throws: ``DamagedValue`` where it holds something else.
    func rowID(_ column: Int32) throws -> Int64 { try integer(column, in: 1...8_796_093_022_207) }

    /// A column that holds the id of a stream.
    ///
    /// - Throws: ``DamagedValue`` where it holds something else.
    func streamID(_ column: Int32) throws -> Int64 { try integer(column, in: 1...Int64.max) }

    /// A column that holds a revision: not so large that a computation with it overflows.
    ///
    /// - Throws: ``DamagedValue`` where it holds something else.
    func revision(_ column: Int32) throws -> Int64 { try integer(column, in: 0...1 << 62) }

    /// A count, not so large that a sum of counts overflows.
    ///
    /// - Throws: ``DamagedValue`` where it holds something else.
    func count(_ column: Int32) throws -> Int { Int(try integer(column, in: 0...1 << 53)) }

    /// A column and the next as a place in the order.
    ///
    /// - Throws: ``DamagedValue`` where they hold something else.
    func orderKey(_ column: Int32) throws -> OrderKey {
        let range = Int64.min...Int64.max
        return OrderKey(time: try integer(column, in: range), rank: try integer(column + 1, in: range))
    }

    /// A column and the next as a place in the order, or `nil` where the first is NULL.
    ///
    /// - Throws: ``DamagedValue`` where they hold something else.
    func optionalOrderKey(_ column: Int32) throws -> OrderKey? {
        isNull(column) ? nil : try orderKey(column)
    }

    /// A column and the next as width and height.
    ///
    /// - Throws: ``DamagedValue`` where they hold something else.
    func pixelSize(_ column: Int32) throws -> PixelSize {
        let sides = 1...Int64(PixelSize.maximumSide)
        let (width, height) = (try integer(column, in: sides), try integer(column + 1, in: sides))
        let ratio = Int64(PixelSize.maximumRatio)
        guard width <= height * ratio, height <= width * ratio else {
            throw DamagedValue(detail: "a photo is \(width) by \(height) pixels")
        }
        return PixelSize(uncheckedWidth: Int32(width), height: Int32(height))
    }

    /// What is wrong with a column of the row.
    private func damage(_ column: Int32) -> DamagedValue {
        let name = sqlite3_column_name(pointer, column).map { String(cString: $0) } ?? "a column"
        let value =
            switch sqlite3_column_type(pointer, column) {
            case SQLITE_INTEGER: "\(integer(column))"
            case SQLITE_FLOAT: "\(double(column))"
            case SQLITE_TEXT: "a text"
            case SQLITE_BLOB: "a blob"
            default: "missing"
            }
        return DamagedValue(detail: "\(name) is \(value)")
    }
}
