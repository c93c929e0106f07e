import PhotoStreamLayout
import PhotoStreamModel

/// Builds a cursor's payload: integers in eight bytes, the lowest first; texts after their length.
struct ByteWriter {
    private(set) var bytes: [UInt8]

    /// Begins with the members of every cursor.
    ///
    /// The text is that of the layout's key, and after it the mark of the view.
    init(kind: UInt8, streamID: Int64, layout text: String) {
        bytes = [kind]
        append(streamID)
        append(Int64(text.utf8.count))
        append(Array(text.utf8))
    }

    mutating func append(_ value: Int64) {
        bytes.append(littleEndian: value)
    }

    mutating func append(_ place: OrderKey) {
        append(place.time)
        append(place.rank)
    }

    mutating func append(_ revision: Revision) {
        append(revision.rawValue)
        append(revision.tag ?? 0)
    }

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }
}

/// Parses a cursor's payload; every function returns `nil` if the bytes end early.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func integer() -> Int64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return Array(rest.prefix(8)).littleEndian(Int64.self, at: 0)
    }

    mutating func orderKey() -> OrderKey? {
        guard let time = integer(), let rank = integer() else { return nil }
        return OrderKey(time: time, rank: rank)
    }

    mutating func revision() -> Revision? {
        guard let number = integer(), let tag = integer() else { return nil }
        return Revision(number, tag: tag)
    }

    mutating func text() -> String? {
        guard let count = integer(), count >= 0, count <= Int64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
    }
}
