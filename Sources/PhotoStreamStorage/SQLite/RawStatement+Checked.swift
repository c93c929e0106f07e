import GRDB
import GRDBSQLite
import PhotoStreamModel

/// An invalid value in the file: the disk has altered it, or another program has written it with the schema's checks
/// disabled.
///
/// ``PhotoDatabase`` converts it to a ``StorageError`` that names the file.
package struct DamagedValue: Error {
    /// The problem, without the file: "height is 0".
    let detail: String
}

extension StorageError {
    /// Creates the error of an invalid value in the file at a path.
    init(_ damage: DamagedValue, path: String) {
        self.init(.corrupt, message: "\(path) is damaged: \(damage.detail); run `photostream cache verify` for details")
    }
}

// Values of tables that are not derived are checked here, once; all later computation relies on it.
extension RawStatement {
    /// Reads an integer within a range.
    ///
    /// - Throws: ``DamagedValue`` for any other value.
    func integer(_ column: Int32, in range: ClosedRange<Int64>) throws -> Int64 {
        let number = integer(column)
        guard isInteger(column), range.contains(number) else { throw damage(column) }
        return number
    }

    /// Reads an integer within a range, or NULL.
    ///
    /// - Throws: ``DamagedValue`` for any other value.
    func optionalInteger(_ column: Int32, in range: ClosedRange<Int64>) throws -> Int64? {
        isNull(column) ? nil : try integer(column, in: range)
    }

    /// Reads the row id of a photo.
    ///
    /// - Throws: ``DamagedValue`` for any other value.
    func rowID(_ column: Int32) throws -> Int64 { try integer(column, in: 1...8_796_093_022_207) }

    /// Reads the id of a stream.
    ///
    /// - Throws: ``DamagedValue`` for any other value.
    func streamID(_ column: Int32) throws -> Int64 { try integer(column, in: 1...Int64.max) }

    /// Reads a revision, small enough that computations with it do not overflow.
    ///
    /// - Throws: ``DamagedValue`` for any other value.
    func revision(_ column: Int32) throws -> Int64 { try integer(column, in: 0...1 << 62) }

    /// Reads a count that is only shown, as the nearest one from 0 to 2^53.
    ///
    /// Another program may have written any number; an impossible count does not keep the row from being read.
    func count(_ column: Int32) -> Int { Int(min(max(integer(column), 0), 1 << 53)) }

    /// Reads a place in the order from a column and the next one.
    ///
    /// - Throws: ``DamagedValue`` for any other values.
    func orderKey(_ column: Int32) throws -> OrderKey {
        let range = Int64.min...Int64.max
        return OrderKey(time: try integer(column, in: range), rank: try integer(column + 1, in: range))
    }

    /// Reads a place in the order from a column and the next one; `nil` if the first is NULL.
    ///
    /// - Throws: ``DamagedValue`` for any other values.
    func optionalOrderKey(_ column: Int32) throws -> OrderKey? {
        isNull(column) ? nil : try orderKey(column)
    }

    /// Reads width and height from a column and the next one.
    ///
    /// - Throws: ``DamagedValue`` for any other values.
    func pixelSize(_ column: Int32) throws -> PixelSize {
        let sides = 1...Int64(PixelSize.maximumSide)
        let (width, height) = (try integer(column, in: sides), try integer(column + 1, in: sides))
        let ratio = Int64(PixelSize.maximumRatio)
        guard width <= height * ratio, height <= width * ratio else {
            throw DamagedValue(detail: "a photo is \(width) by \(height) pixels")
        }
        return PixelSize(uncheckedWidth: Int32(width), height: Int32(height))
    }

    /// Describes an invalid value.
    private func damage(_ column: Int32) -> DamagedValue {
        let name = unsafe sqlite3_column_name(pointer, column).map { unsafe String(cString: $0) } ?? "a column"
        let value =
            switch unsafe sqlite3_column_type(pointer, column) {
            case SQLITE_INTEGER: "\(integer(column))"
            case SQLITE_FLOAT: "\(double(column))"
            case SQLITE_TEXT: "a text"
            case SQLITE_BLOB: "a blob"
            default: "missing"
            }
        return DamagedValue(detail: "\(name) is \(value)")
    }
}
