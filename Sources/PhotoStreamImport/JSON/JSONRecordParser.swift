/// Extracts the mapped values from a JSON object.
///
/// The whole object is validated; other values are skipped.
///
/// If an object repeats a key, the last value counts.
struct JSONRecordParser {
    private let tree: JSONPathTree
    private var foundLiterally: UInt32 = 0

    init(_ mapping: FieldMapping) {
        tree = JSONPathTree(mapping)
    }

    /// Writes the values in `bytes` to `fields`.
    ///
    /// - Throws: ``JSONProblem`` if the bytes are not one JSON object, with optional white space around it.
    mutating func parse(_ bytes: Bytes, into fields: inout RecordFields) throws(JSONProblem) {
        fields.reset(to: bytes)
        foundLiterally = 0
        var scanner = JSONScanner(bytes)
        try scanner.readOnlyObject { scanner, key throws(JSONProblem) in
            try parseMember(&scanner, key: key, of: JSONPathTree.root, depth: 0, into: &fields)
        }
    }

    @inline(__always)
    private mutating func parseMember(
        _ scanner: inout JSONScanner, key: FieldValue, of node: Int, depth: Int, into fields: inout RecordFields
    ) throws(JSONProblem) {
        try parseValue(&scanner, node: child(of: node, key: key, in: fields), depth: depth + 1, into: &fields)
    }

    /// Reads the value of a node; only skips it if the node is -1.
    private mutating func parseValue(
        _ scanner: inout JSONScanner, node index: Int, depth: Int, into fields: inout RecordFields
    ) throws(JSONProblem) {
        guard index >= 0 else {
            _ = try scanner.skipValue(depth: depth)
            return
        }
        let node = tree[index]
        guard node.hasChildren else {
            return set(node, to: try scanner.skipValue(depth: depth), in: &fields)
        }
        // A repeated key replaces the values found below its first occurrence.
        clear(node.fieldsBelow & ~foundLiterally, in: &fields)
        let first = try scanner.next()
        let start = scanner.offset
        switch first {
        case UInt8(ascii: "{"):
            try scanner.readObject(depth: depth) { scanner, key throws(JSONProblem) in
                try parseMember(&scanner, key: key, of: index, depth: depth, into: &fields)
            }
            set(node, to: FieldValue(.object, from: start, to: scanner.offset), in: &fields)
        case UInt8(ascii: "["):
            var position = 0
            try scanner.readArray(depth: depth) { scanner throws(JSONProblem) in
                let child = tree.child(of: index, arrayIndex: position)
                try parseValue(&scanner, node: child, depth: depth + 1, into: &fields)
                position += 1
            }
            set(node, to: FieldValue(.array, from: start, to: scanner.offset), in: &fields)
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

/// The JSON paths of a mapping, as a tree of keys in flat arrays.
struct JSONPathTree {
    /// A key below its parent.
    struct Node {
        fileprivate(set) var keyStart = 0
        fileprivate(set) var keyCount = 0
        /// The key as the index of an array, or -1.
        fileprivate(set) var arrayIndex = -1
        fileprivate(set) var firstChild = -1
        fileprivate(set) var nextSibling = -1
        /// The fields that are read from this key.
        fileprivate(set) var fields: UInt32 = 0
        /// The fields that are read from keys below this one.
        fileprivate(set) var fieldsBelow: UInt32 = 0
        /// The fields whose whole dotted path equals this key; it takes precedence over the path.
        fileprivate(set) var literalFields: UInt32 = 0

        var hasChildren: Bool { firstChild >= 0 }
    }

    static let root = 0
    private var nodes = [Node()]
    private var keys: [UInt8] = []

    init(_ mapping: FieldMapping) {
        for field in ImportField.allCases {
            guard let path = mapping.path(of: field) else { continue }
            let bit: UInt32 = 1 << UInt32(field.index)
            let parts = path.split(separator: ".", omittingEmptySubsequences: false)
            var node = Self.root
            for part in parts {
                nodes[node].fieldsBelow |= bit
                node = child(of: node, named: String(part))
            }
            nodes[node].fields |= bit
            guard parts.count > 1 else { continue }
            let literal = child(of: Self.root, named: path)
            nodes[literal].literalFields |= bit
        }
    }

    @inline(__always)
    subscript(index: Int) -> Node { nodes[index] }

    /// Returns the child with a key, or -1.
    @inline(__always)
    func child(of parent: Int, key: Bytes) -> Int {
        var index = nodes[parent].firstChild
        while index >= 0 {
            let node = nodes[index]
            if node.keyCount == key.count, isKey(key, of: node) { return index }
            index = node.nextSibling
        }
        return -1
    }

    /// Returns the child for an element of an array, or -1.
    func child(of parent: Int, arrayIndex: Int) -> Int {
        var index = nodes[parent].firstChild
        while index >= 0, nodes[index].arrayIndex != arrayIndex { index = nodes[index].nextSibling }
        return index
    }

    @inline(__always)
    private func isKey(_ key: Bytes, of node: Node) -> Bool {
        for offset in 0..<key.count where keys[node.keyStart + offset] != key[offset] { return false }
        return true
    }

    private mutating func child(of parent: Int, named name: String) -> Int {
        let found = Array(name.utf8).withBytes { child(of: parent, key: $0) }
        guard found < 0 else { return found }
        var node = Node()
        node.keyStart = keys.count
        node.keyCount = name.utf8.count
        node.arrayIndex = Int(name) ?? -1
        keys.append(contentsOf: name.utf8)
        // Children are in field order, which is the likely order of the keys.
        let index = nodes.count
        var last = nodes[parent].firstChild
        while last >= 0, nodes[last].nextSibling >= 0 { last = nodes[last].nextSibling }
        if last < 0 { nodes[parent].firstChild = index } else { nodes[last].nextSibling = index }
        nodes.append(node)
        return index
    }
}
