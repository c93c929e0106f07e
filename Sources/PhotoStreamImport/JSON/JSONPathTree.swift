/// The paths that a mapping wants from a JSON object, as a tree of keys in flat arrays.
struct JSONPathTree {
    /// One key under its parent.
    struct Node {
        fileprivate(set) var keyStart = 0
        fileprivate(set) var keyCount = 0
        /// The key as the index of an array, or -1.
        fileprivate(set) var arrayIndex = -1
        fileprivate(set) var firstChild = -1
        fileprivate(set) var nextSibling = -1
        /// Fields that are read from here.
        fileprivate(set) var fields: UInt32 = 0
        /// Fields that are read from below.
        fileprivate(set) var fieldsBelow: UInt32 = 0
        /// Fields whose whole dotted text this key is: they outrank the path.
        fileprivate(set) var literalFields: UInt32 = 0

        var hasChildren: Bool { firstChild >= 0 }
    }

    static let root = 0
    private var nodes = [Node()]
    private var keys: [UInt8] = []

    init(_ mapping: FieldMapping) {
        for field in ImportField.allCases {
            let path = mapping.path(of: field)
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

    /// The child with a key, or -1.
    @inline(__always)
    func child(of parent: Int, key: UnsafeRawBufferPointer) -> Int {
        var index = nodes[parent].firstChild
        while index >= 0 {
            let node = nodes[index]
            if node.keyCount == key.count, matches(node, key) { return index }
            index = node.nextSibling
        }
        return -1
    }

    /// The child for an element of an array, or -1.
    func child(of parent: Int, arrayIndex: Int) -> Int {
        var index = nodes[parent].firstChild
        while index >= 0, nodes[index].arrayIndex != arrayIndex { index = nodes[index].nextSibling }
        return index
    }

    @inline(__always)
    private func matches(_ node: Node, _ key: UnsafeRawBufferPointer) -> Bool {
        for offset in 0..<key.count where keys[node.keyStart + offset] != key[offset] { return false }
        return true
    }

    private mutating func child(of parent: Int, named name: String) -> Int {
        let found = Array(name.utf8).withUnsafeBytes { child(of: parent, key: $0) }
        guard found < 0 else { return found }
        var node = Node()
        node.keyStart = keys.count
        node.keyCount = name.utf8.count
        node.arrayIndex = Int(name) ?? -1
        keys.append(contentsOf: name.utf8)
        // Children stand in the order of the fields, which is the likely order of the keys.
        let index = nodes.count
        var last = nodes[parent].firstChild
        while last >= 0, nodes[last].nextSibling >= 0 { last = nodes[last].nextSibling }
        if last < 0 { nodes[parent].firstChild = index } else { nodes[last].nextSibling = index }
        nodes.append(node)
        return index
    }
}
