import Foundation

/// Bytes by row id, in memory that never grows: what is new is written over what is oldest.
///
/// Records lie one behind the other in a ring, each behind its row id and its length. Positions in it count on for ever,
/// so a position tells whether its record is still there, and nothing has to be done when one is written over. The index
/// has eight slots for each hash, 64 bytes; where nine rows share them, the oldest of these is forgotten.
struct RowRing: ~Copyable {
    /// The most bytes of a record that are kept; longer ones are not.
    static let recordLimit = 1 << 16

    private static let unit = 8
    private static let headByteCount = 12
    private static let slotsPerHash = 8
    private static let tagBits: UInt64 = 16

    private let bytes: UnsafeMutableRawPointer
    // Each a position and, in the low bits, a part of the row id's hash that the place of the slot does not tell. Nothing
    // stands at a position below a whole ring, so 0 is an empty slot.
    private let slots: UnsafeMutablePointer<UInt64>
    /// In units.
    private let capacity: UInt64
    private let hashBits: UInt64
    /// Where the next record goes.
    private var head: UInt64
    /// Records before it do not count.
    private var floor: UInt64

    /// Makes an empty ring. Memory is taken from the machine as it is written to.
    ///
    /// - Parameters:
    ///   - byteCount: How long the ring is, a multiple of 8.
    ///   - hashBits: The index has eight times two to this power slots of eight bytes.
    init(byteCount: Int, hashBits: Int) {
        precondition(byteCount % Self.unit == 0 && byteCount > 0 && (1...40).contains(hashBits))
        let slotCount = Self.slotsPerHash << hashBits
        // Zeroed by the machine when it is first touched, not here.
        guard let memory = calloc(slotCount, MemoryLayout<UInt64>.size) else { preconditionFailure("out of memory") }
        slots = memory.bindMemory(to: UInt64.self, capacity: slotCount)
        bytes = .allocate(byteCount: byteCount, alignment: Self.unit)
        capacity = UInt64(byteCount / Self.unit)
        self.hashBits = UInt64(hashBits)
        (head, floor) = (capacity, capacity)
    }

    deinit {
        free(slots)
        bytes.deallocate()
    }

    /// Lends a record to a closure.
    ///
    /// - Parameters:
    ///   - rowID: Its row id.
    ///   - body: Reads it; it may not be kept.
    /// - Returns: What `body` returns, or `nil` where there is none.
    func find<Result>(_ rowID: Int64, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard let slot = slot(of: rowID) else { return nil }
        let start = address(slots[slot] >> Self.tagBits)
        let count = Int(start.load(fromByteOffset: 8, as: UInt32.self))
        return body(UnsafeRawBufferPointer(start: start + Self.headByteCount, count: count))
    }

    /// Keeps a record, in place of an earlier one of the row; not where it is too long.
    mutating func insert(_ rowID: Int64, _ record: UnsafeRawBufferPointer) {
        remove(rowID)
        let length = UInt64((Self.headByteCount + record.count + Self.unit - 1) / Self.unit)
        guard record.count <= Self.recordLimit, length <= capacity else { return }
        // A record lies in one piece.
        if head % capacity + length > capacity { head += capacity - head % capacity }
        let position = head
        head += length
        let start = address(position)
        start.storeBytes(of: rowID, as: Int64.self)
        start.storeBytes(of: UInt32(record.count), toByteOffset: 8, as: UInt32.self)
        UnsafeMutableRawBufferPointer(start: start + Self.headByteCount, count: record.count).copyMemory(from: record)
        slots[freeSlot(rowID)] = position << Self.tagBits | tag(rowID)
    }

    /// Forgets a record, if there is one.
    mutating func remove(_ rowID: Int64) {
        if let slot = slot(of: rowID) { slots[slot] = 0 }
    }

    /// Forgets all.
    mutating func removeAll() { floor = head }

    private func hash(_ rowID: Int64) -> UInt64 { UInt64(bitPattern: rowID) &* 0x9E37_79B9_7F4A_7C15 }

    private func slots(of rowID: Int64) -> Range<Int> {
        let first = Int(hash(rowID) >> (64 - hashBits)) * Self.slotsPerHash
        return first..<first + Self.slotsPerHash
    }

    private func tag(_ rowID: Int64) -> UInt64 { UInt64(bitPattern: rowID) & (1 << Self.tagBits - 1) }

    private func address(_ position: UInt64) -> UnsafeMutableRawPointer {
        bytes + Int(position % capacity) * Self.unit
    }

    private func isThere(_ position: UInt64) -> Bool {
        position >= floor && position + capacity >= head
    }

    private func slot(of rowID: Int64) -> Int? {
        let tag = tag(rowID)
        return slots(of: rowID).first { slot in
            let position = slots[slot] >> Self.tagBits
            return slots[slot] & (1 << Self.tagBits - 1) == tag && isThere(position)
                && address(position).load(as: Int64.self) == rowID
        }
    }

    /// A slot that is empty, or whose record is gone, or else the oldest.
    private func freeSlot(_ rowID: Int64) -> Int {
        let candidates = slots(of: rowID)
        return candidates.first { !isThere(slots[$0] >> Self.tagBits) }
            ?? candidates.min { slots[$0] < slots[$1] } ?? candidates.lowerBound
    }
}
