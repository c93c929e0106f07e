/// Reads the mapped values out of a JSON object; all of it is checked, the rest is stepped over.
///
/// A key that an object has twice counts as its last value says.
struct JSONRecordParser {
    private let tree: JSONPathTree
    private var foundLiterally: UInt32 = 0

    init(_ mapping: FieldMapping) {
        tree = JSONPathTree(mapping)
    }

    /// Puts what `bytes` hold into `fields`.
    ///
    /// - Throws: ``JSONProblem`` when the bytes are not one JSON object, with blanks around it at most.
    mutating func parse(_ bytes: UnsafeRawBufferPointer, into fields: inout RecordFields) throws(JSONProblem) {
        fields.reset(to: bytes)
        foundLiterally = 0
        var scanner = JSONScanner(bytes)
        guard try scanner.next() == UInt8(ascii: "{") else {
            let start = scanner.offset
            _ = try scanner.skipValue(depth: 0)
            throw JSONProblem(kind: .notAnObject, offset: start)
        }
        try parseObject(&scanner, node: JSONPathTree.root, depth: 0, into: &fields)
        guard scanner.peek() == nil else { throw scanner.problem(.textAfterRecord) }
    }

    private mutating func parseObject(
        _ scanner: inout JSONScanner,
        node: Int,
        depth: Int,
        into fields: inout RecordFields
    ) throws(JSONProblem) {
        guard depth < JSONProblem.maximumDepth else { throw scanner.problem(.tooDeep) }
        scanner.step()
        guard try scanner.next() != UInt8(ascii: "}") else { return scanner.step() }
        repeat {
            let key = try scanner.skipKey()
            let child = child(of: node, key: key, in: fields)
            if child < 0 {
                _ = try scanner.skipValue(depth: depth + 1)
            } else {
                try parseValue(&scanner, node: child, depth: depth + 1, into: &fields)
            }
        } while try scanner.continues(to: UInt8(ascii: "}"), else: .expectedCommaOrBrace)
    }

    private mutating func parseArray(
        _ scanner: inout JSONScanner,
        node: Int,
        depth: Int,
        into fields: inout RecordFields
    ) throws(JSONProblem) {
        guard depth < JSONProblem.maximumDepth else { throw scanner.problem(.tooDeep) }
        scanner.step()
        guard try scanner.next() != UInt8(ascii: "]") else { return scanner.step() }
        var index = 0
        repeat {
            let child = tree.child(of: node, arrayIndex: index)
            if child < 0 {
                _ = try scanner.skipValue(depth: depth + 1)
            } else {
                try parseValue(&scanner, node: child, depth: depth + 1, into: &fields)
            }
            index += 1
        } while try scanner.continues(to: UInt8(ascii: "]"), else: .expectedCommaOrBracket)
    }

    private mutating func parseValue(
        _ scanner: inout JSONScanner,
        node index: Int,
        depth: Int,
        into fields: inout RecordFields
    ) throws(JSONProblem) {
        let node = tree[index]
        guard node.hasChildren else {
            return set(node, to: try scanner.skipValue(depth: depth), in: &fields)
        }
        // The key may have come before, with other things below it.
        clear(node.fieldsBelow & ~foundLiterally, in: &fields)
        let first = try scanner.next()
        let start = scanner.offset
        switch first {
        case UInt8(ascii: "{"):
            try parseObject(&scanner, node: index, depth: depth, into: &fields)
            set(node, to: FieldValue(.object, start, scanner.offset), in: &fields)
        case UInt8(ascii: "["):
            try parseArray(&scanner, node: index, depth: depth, into: &fields)
            set(node, to: FieldValue(.array, start, scanner.offset), in: &fields)
        default: set(node, to: try scanner.skipValue(depth: depth), in: &fields)
        }
    }

    @inline(__always)
    private func child(of node: Int, key: FieldValue, in fields: RecordFields) -> Int {
        guard key.kind == .escapedText else {
            return tree.child(of: node, key: fields.bytes.slice(key.start..<key.end))
        }
        return fields.withContent(of: key) { tree.child(of: node, key: $0) }
    }

    @inline(__always)
    private mutating func set(_ node: JSONPathTree.Node, to value: FieldValue, in fields: inout RecordFields) {
        foundLiterally |= node.literalFields
        var mask = node.fields & ~foundLiterally | node.literalFields
        while mask != 0 {
            fields[mask.trailingZeroBitCount] = value
            mask &= mask - 1
        }
    }

    private func clear(_ fieldMask: UInt32, in fields: inout RecordFields) {
        var mask = fieldMask
        while mask != 0 {
            fields[mask.trailingZeroBitCount] = .absent
            mask &= mask - 1
        }
    }
}
