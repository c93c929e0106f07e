import PhotoStreamModel
import PhotoStreamWire

extension ShareFilter {
    /// Returns an answer in the binary form, with ids, keys of pictures and the cursor of the share's own.
    ///
    /// Every byte is one that ``BinaryFrames`` describes; an answer with anything else is not shown.
    ///
    /// - Throws: ``Malformed``.
    func shown(frames bytes: [UInt8]) throws -> [UInt8] {
        var reader = FramesReader(bytes)
        guard try Array(reader.take(4)) == BinaryFrames.magic, try reader.number(2) == 1 else { throw Malformed() }
        let flags = try reader.number(2)
        guard flags & ~BinaryFrames.knownFlags == 0 else { throw Malformed() }
        let (count, cursorByteCount) = (try reader.number(4), try reader.number(4))
        var output = Array(bytes[..<12])
        let rest = try reader.take(48)
        var body = Array(try reader.take(count * 20))
        if flags & BinaryFrames.ofWholeFlag != 0 {
            body += try reader.take(16)
            let elementCount = try reader.number(4)
            body.append(littleEndian: UInt32(elementCount))
            body += try reader.take(elementCount * 56)
        }
        if flags & BinaryFrames.idsFlag != 0 {
            BinaryFrames.append(try reader.texts(count).map { shown(id: $0) }, to: &body)
        }
        if flags & BinaryFrames.picturesFlag != 0 {
            for _ in 0..<count {
                let key = try reader.take(PictureKey.byteCount)
                // All zeros stand for no picture.
                let isKey = key.contains { $0 != 0 }
                body += isKey ? PictureKey(bytes: Array(key)).map { shown(key: $0).bytes } ?? [] : Array(key)
                body += try reader.take(4)
            }
            BinaryFrames.append(try reader.texts(count), to: &body)
        }
        let cursor = String(decoding: try reader.take(cursorByteCount), as: UTF8.self)
        // Of both revisions.
        let tags = try reader.take(16)
        guard reader.isAtEnd else { throw Malformed() }
        let shownCursor = cursor.isEmpty ? "" : shown(cursor: cursor)
        output.append(littleEndian: UInt32(shownCursor.utf8.count))
        return output + rest + body + Array(shownCursor.utf8) + tags
    }
}

/// Takes the binary form apart.
private struct FramesReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, rest.count >= count else { throw ShareFilter.Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads a whole number of some bytes, the lowest first.
    mutating func number(_ byteCount: Int) throws -> Int {
        try take(byteCount).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads the start of each text and the end of the last one, then the texts.
    mutating func texts(_ count: Int) throws -> [String] {
        var ends: [Int] = []
        for _ in 0...count { ends.append(try number(4)) }
        return try zip(ends, ends.dropFirst()).map { String(decoding: try take($1 - $0), as: UTF8.self) }
    }
}
