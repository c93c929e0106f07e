/// The texts of one record side by side in memory of its own, for SQLite to read without a copy.
///
/// A short Swift string has no address that outlives a closure; eight nested closures per record would be the other
/// way to lend its bytes.
struct TextArena: ~Copyable {
    private var start: UnsafeMutablePointer<CChar>
    private var capacity: Int
    private var used = 0

    /// Makes an empty arena.
    init() {
        capacity = 4_096
        start = .allocate(capacity: capacity)
    }

    deinit {
        start.deallocate()
    }

    /// Empties the arena and makes room.
    ///
    /// Everything lent before is gone, so this comes before the first ``append(_:)`` of a record.
    ///
    /// - Parameter byteCount: The most that the record's texts may have together.
    mutating func begin(byteCount: Int) {
        used = 0
        // One byte more, so that an empty text at the very end has an address too.
        guard byteCount >= capacity else { return }
        start.deallocate()
        capacity = byteCount * 2
        start = .allocate(capacity: capacity)
    }

    /// Copies a text in; its bytes stay until the next ``begin(byteCount:)``.
    ///
    /// - Precondition: All texts since then fit the room that was asked for.
    mutating func append(_ text: String?) -> UnsafeBufferPointer<CChar>? {
        guard var text else { return nil }
        let target = start + used
        let count = text.withUTF8 { bytes in
            precondition(used + bytes.count <= capacity, "the texts exceed the room that was asked for")
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let source = characters.baseAddress else { return }
                target.update(from: source, count: characters.count)
            }
            return bytes.count
        }
        used += count
        return UnsafeBufferPointer(start: target, count: count)
    }
}
