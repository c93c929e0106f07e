/// A value of each of some consecutive photos: every distinct value once, and the index of each photo's.
///
/// A question about the value is answered once for each distinct one.
struct AttributeColumn<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The number of photos.
    let count: Int
    /// The distinct values, at least one unless there are no photos.
    let values: [Value]
    /// The index of each photo's value; empty if all photos have the same.
    private let indexes: [UInt16]

    /// Collects values.
    ///
    /// - Precondition: There are at most 65,536.
    init(_ all: some Collection<Value>) {
        var (values, indexes): ([Value], [UInt16]) = ([], [])
        var known: [Value: UInt16] = [:]
        indexes.reserveCapacity(all.count)
        for value in all {
            let index = known[value] ?? UInt16(values.count)
            if Int(index) == values.count {
                values.append(value)
                known[value] = index
            }
            indexes.append(index)
        }
        (count, self.values, self.indexes) = (indexes.count, values, values.count > 1 ? indexes : [])
    }

    /// Collects the values of photos that are partly in another column.
    ///
    /// - Parameters:
    ///   - former: The column.
    ///   - positions: The place of each photo in `former`; `nil` for the others.
    ///   - others: The values of the others, in the same order.
    init(_ former: AttributeColumn, at positions: [Int?], others: AttributeColumn) {
        var otherCount = 0
        self.init(
            positions.map { position in
                if let position { return former[position] }
                defer { otherCount += 1 }
                return others[otherCount]
            })
    }

    /// Returns the mask of the photos with values that a closure accepts.
    ///
    /// - Complexity: O(distinct values + photos).
    func mask(where isMet: (Value) throws -> Bool) rethrows -> PhotoMask { mask(of: try values.map(isMet)) }

    /// Returns the mask of the photos whose values are marked.
    ///
    /// - Parameter isMarked: Whether each of ``values`` is marked.
    /// - Returns: The mask.
    /// - Complexity: O(distinct values + photos).
    func mask(of isMarked: [Bool]) -> PhotoMask {
        guard !indexes.isEmpty, isMarked.contains(true), isMarked.contains(false) else {
            return PhotoMask(count: count, isFull: isMarked.first ?? false)
        }
        return PhotoMask(indexes, in: isMarked)
    }

    /// Returns how many of some photos have each of ``values``.
    ///
    /// - Parameter photos: The photos; `nil` for all.
    /// - Returns: The counts, in the order of ``values``.
    /// - Complexity: O(distinct values + photos).
    func counts(of photos: PhotoMask?) -> [Int] {
        var counts = Array(repeating: 0, count: values.count)
        guard !indexes.isEmpty else {
            if !values.isEmpty { counts[0] = photos?.setCount ?? count }
            return counts
        }
        if let photos {
            for position in photos.positions { counts[Int(indexes[position])] += 1 }
        } else {
            for index in indexes { counts[Int(index)] += 1 }
        }
        return counts
    }

    /// Returns the value of a photo.
    subscript(position: Int) -> Value { values[indexes.isEmpty ? 0 : Int(indexes[position])] }
}

// Stored as the number of values (2 bytes), the values, and unless there is only one, the index of each photo's: one byte
// each if there are at most 256 values, or else two.
extension AttributeColumn {
    /// Appends the stored form.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - append: Appends the stored form of a value.
    func append(to bytes: inout [UInt8], value append: (Value, inout [UInt8]) -> Void) {
        bytes.append(littleEndian: UInt16(values.count))
        for value in values { append(value, &bytes) }
        for index in indexes {
            if values.count <= 256 {
                bytes.append(UInt8(truncatingIfNeeded: index))
            } else {
                bytes.append(littleEndian: index)
            }
        }
    }

    /// Reads the stored form.
    ///
    /// - Parameters:
    ///   - bytes: The bytes from the column on.
    ///   - count: The number of photos.
    ///   - read: Reads the stored form of a number of values.
    /// - Throws: ``AttributeBytes/Refusal`` if the bytes are not those of a column.
    init(
        _ bytes: inout AttributeBytes, count: Int,
        values read: (inout AttributeBytes, Int) throws(AttributeBytes.Refusal) -> [Value]
    ) throws(AttributeBytes.Refusal) {
        let valueCount = Int(try bytes.number(UInt16.self))
        guard valueCount <= count, valueCount > 0 || count == 0 else { throw AttributeBytes.Refusal() }
        let values = try read(&bytes, valueCount)
        var indexes: [UInt16] = []
        if valueCount > 256 {
            indexes = try bytes.numbers(UInt16.self, count: count)
        } else if valueCount > 1 {
            indexes = try bytes.numbers(UInt8.self, count: count).map(UInt16.init)
        }
        guard indexes.allSatisfy({ $0 < valueCount }) else { throw AttributeBytes.Refusal() }
        (self.count, self.values, self.indexes) = (count, values, indexes)
    }
}

/// A reader of stored attributes, which may be damaged: each read checks its bounds.
struct AttributeBytes {
    /// The error of bytes that are not attributes.
    struct Refusal: Error {}

    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    /// Creates a reader of some of the bytes.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
    }

    /// The number of bytes that are left.
    var leftCount: Int { end - offset }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type
    ) throws(Refusal) -> Number {
        guard leftCount >= MemoryLayout<Number>.size else { throw Refusal() }
        defer { offset += MemoryLayout<Number>.size }
        return bytes.littleEndian(Number.self, at: offset)
    }

    mutating func numbers<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type, count: Int
    ) throws(Refusal) -> [Number] {
        guard count <= leftCount / MemoryLayout<Number>.size else { throw Refusal() }
        defer { offset += count * MemoryLayout<Number>.size }
        return [Number](littleEndian: bytes, from: offset, count: count)
    }

    /// Reads a text after its length in 4 bytes.
    mutating func text() throws(Refusal) -> String {
        let text = try textBytes()
        guard let text = try? UTF8Span(validating: bytes.span.extracting(text.indices)) else { throw Refusal() }
        return String(copying: text)
    }

    /// Reads the UTF-8 of a text after its length in 4 bytes.
    mutating func textBytes() throws(Refusal) -> ArraySlice<UInt8> {
        let length = Int(try number(UInt32.self))
        guard length <= leftCount else { throw Refusal() }
        defer { offset += length }
        return bytes[offset..<offset + length]
    }

    /// Skips all that is left.
    mutating func skipRest() { offset = end }
}

extension Array<UInt8> {
    /// Appends a text after its length in 4 bytes.
    mutating func append(text: String) {
        append(littleEndian: UInt32(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
