import Foundation

/// Bytes by row id, in memory that never grows: what is new is written over what is oldest.
///
/// Records lie one behind the other in a ring, each behind its row id and its length. Positions in it count on for ever,
/// so a position tells whether its record is still there, and nothing has to be done when one is written over. The index
/// has eight slots for each hash, 64 bytes; where nine rows share them, the oldest of these is forgotten.
///
/// A record that is forgotten loses its row id, too. So whoever reads rows in the order in which they were kept, as those of a
/// page, finds each behind the one before without a look at the index, whose slots lie all over its memory.
struct RowRing: ~Copyable {
    /// The most bytes of a record that are kept; longer ones are not.
    static let recordLimit = 1 << 16

    private static let unit = 8
    private static let headByteCount = 12
    private static let slotsPerHash = 8
    private static let tagBits: UInt64 = 16
    /// Stands in place of the row id of a record that is none any more; no row has it here.
    private static let nobody = Int64.min

    private let bytes: UnsafeMutableRawPointer
    // Each a position and, in the low bits, a part of the row id's hash that the place of the slot does not tell. Nothing
    // stands at a position below a whole ring, so 0 is an empty slot.
    private let slots: UnsafeMutablePointer<UInt64>
    private let mappedByteCount: Int
    /// In units.
    private let capacity: UInt64
    private let hashBits: UInt64
    /// Where the next record goes.
    private var head: UInt64
    /// Records before it do not count.
    private var floor: UInt64

    /// Makes an empty ring.
    ///
    /// Memory is taken from the machine as it is written to.
    ///
    /// - Parameters:
    ///   - byteCount: How long the ring is, a multiple of 8.
    ///   - hashBits: The index has eight times two to this power slots of eight bytes.
    init(byteCount: Int, hashBits: Int) {
        precondition(byteCount % Self.unit == 0 && byteCount > 0 && (1...40).contains(hashBits))
        let slotCount = Self.slotsPerHash << hashBits
        mappedByteCount = byteCount + slotCount * MemoryLayout<UInt64>.size
        // Zeroed by the machine when it is first touched, which that of the heap need not be.
        let memory = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else { preconditionFailure("there is no memory for rows") }
        bytes = memory
        slots = (memory + byteCount).bindMemory(to: UInt64.self, capacity: slotCount)
        capacity = UInt64(byteCount / Self.unit)
        self.hashBits = UInt64(hashBits)
        (head, floor) = (capacity, capacity)
    }

    deinit {
        munmap(bytes, mappedByteCount)
    }

    /// Lends records to a closure.
    ///
    /// - Parameters:
    ///   - rowIDs: Their row ids.
    ///   - body: Reads a record that is there, with its position among the row ids; it may not be kept.
    /// - Returns: The positions of those that are not there.
    func find(_ rowIDs: [Int64], _ body: (Int, UnsafeRawBufferPointer) -> Void) -> [Int] {
        var missing: [Int] = []
        // Where the record behind the last one begins.
        var next = head
        for (position, rowID) in rowIDs.enumerated() {
            guard let found = isRecord(of: rowID, at: next) ? next : record(of: rowID) else {
                missing.append(position)
                continue
            }
            let start = address(found)
            let count = Int(start.load(fromByteOffset: 8, as: UInt32.self))
            body(position, UnsafeRawBufferPointer(start: start + Self.headByteCount, count: count))
            next = found + Self.length(count)
        }
        return missing
    }

    /// Keeps a record, in place of an earlier one of the row; not where it is too long.
    mutating func insert(_ rowID: Int64, _ record: UnsafeRawBufferPointer) {
        remove(rowID)
        let length = Self.length(record.count)
        guard rowID != Self.nobody, record.count <= Self.recordLimit, length <= capacity else { return }
        // A record lies in one piece; what is left of the ring is nobody's.
        if head % capacity + length > capacity {
            address(head).storeBytes(of: Self.nobody, as: Int64.self)
            head += capacity - head % capacity
        }
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
        if let slot = slot(of: rowID) { empty(slot) }
    }

    /// Forgets all.
    mutating func removeAll() { floor = head }

    private func hash(_ rowID: Int64) -> UInt64 { UInt64(bitPattern: rowID) &* 0x9E37_79B9_7F4A_7C15 }

    private func slots(of rowID: Int64) -> Range<Int> {
        let first = Int(hash(rowID) >> (64 - hashBits)) * Self.slotsPerHash
        return first..<first + Self.slotsPerHash
    }

    private func tag(_ rowID: Int64) -> UInt64 { UInt64(bitPattern: rowID) & (1 << Self.tagBits - 1) }

    private static func length(_ count: Int) -> UInt64 { UInt64((headByteCount + count + unit - 1) / unit) }

    private func address(_ position: UInt64) -> UnsafeMutableRawPointer {
        bytes + Int(position % capacity) * Self.unit
    }

    private func isThere(_ position: UInt64) -> Bool {
        position >= floor && position + capacity >= head
    }

    /// Whether a row's record begins at a position where some record has begun, or the next one will.
    private func isRecord(of rowID: Int64, at position: UInt64) -> Bool {
        position < head && isThere(position) && address(position).load(as: Int64.self) == rowID && rowID != Self.nobody
    }

    private func record(of rowID: Int64) -> UInt64? { slot(of: rowID).map { slots[$0] >> Self.tagBits } }

    private func slot(of rowID: Int64) -> Int? {
        let tag = tag(rowID)
        return slots(of: rowID).first { slot in
            slots[slot] & (1 << Self.tagBits - 1) == tag && isRecord(of: rowID, at: slots[slot] >> Self.tagBits)
        }
    }

    /// Empties a slot whose record is there, and takes the record's row id.
    private func empty(_ slot: Int) {
        address(slots[slot] >> Self.tagBits).storeBytes(of: Self.nobody, as: Int64.self)
        slots[slot] = 0
    }

    /// A slot that is empty, or whose record is gone, or else the oldest, emptied.
    private func freeSlot(_ rowID: Int64) -> Int {
        let candidates = slots(of: rowID)
        if let free = candidates.first(where: { !isThere(slots[$0] >> Self.tagBits) }) { return free }
        let oldest = candidates.min { slots[$0] < slots[$1] } ?? candidates.lowerBound
        empty(oldest)
        return oldest
    }
}
