import PhotoStreamLayout
import PhotoStreamModel

/// Builds a cursor's payload: integers in eight bytes, the lowest first; texts behind their length.
struct ByteWriter {
    private(set) var bytes: [UInt8]

    /// Begins with what every cursor has.
    init(kind: UInt8, _ streamID: Int64, _ layoutKey: LayoutKey) {
        bytes = [kind]
        append(streamID)
        let text = layoutKey.description
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

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }
}

/// Takes a cursor's payload apart; every function answers `nil` where the bytes end early.
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

    mutating func text() -> String? {
        guard let count = integer(), count >= 0, count <= Int64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
    }
}
